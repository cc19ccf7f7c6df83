/** Pages of a release are public in the preview and in its base, although their own states say draft. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountWith, BASE, type Account } from "./desk.ts";
import { outputOf } from "../cli/harness.ts";

const manifest = (origin: string): string => `landform: 1
name: mugs
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and thanks", context: "${"Handmade mugs for people who take their coffee seriously. ".repeat(5)}" }
sites: { mugs: { name: mugs.example, project: spring } }
pages:
  offer: { name: Offer, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, content: { hero.cta.text: "Go on to ${origin}/thanks" }, publish: { site: mugs, slug: offer } }
  thanks: { name: Thanks, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, publish: { site: mugs, slug: thanks } }
releases: { launch: { pages: [offer, thanks] } }
`;

let account: Account;
let live: string;
beforeAll(async () => {
  account = await accountWith((desk) => {
    live = `http://mugs-example.localhost:${new URL(desk.emulator.url).port}`;
    desk.write("landform.yaml", manifest(live));
  });
}, 60_000);
afterAll(() => account.desk.close());

test("their addresses are told, links lead to the preview's own, and nothing is planned twice", async () => {
  const up = await account.env("up", "--pr", "12", "--yes");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const [own] = account.ofPreview("pr-12");
  const prefix = own?.name.split(" ", 1)[0] ?? "";
  for (const told of [up.stdout, (await account.env("list")).stdout]) {
    expect(told).toContain(`${live}/${prefix}/offer`);
    expect(told).not.toContain("(draft)");
  }
  expect(JSON.stringify(account.desk.emulator.records())).toContain(`Go on to ${live}/${prefix}/thanks`);
  expect(await outputOf(0, account.env("up", "--pr", "12", "--yes"))).toContain("no changes");
  await outputOf(0, account.desk.run(["preview", "--stack", BASE, "--detailed-exitcode"]));
  expect((await account.env("down", "--pr", "12", "--yes")).code).toBe(0);
});
