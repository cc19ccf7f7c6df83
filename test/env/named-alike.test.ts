// @module-tag thorough
/** A person's object may have the name of an environment's objects, because the app copies names. It is never the environment's. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { accountWith, type Account } from "./desk.ts";

const BRIEF = "Handmade mugs for people who take their coffee seriously. ".repeat(5);
const MANIFEST = `landform: 1
name: mugs
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and a quiz", context: "${BRIEF}" }
sites: { mugs: { name: mugs.example, project: spring } }
pages:
  offer: { name: Offer, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, publish: { site: mugs, slug: offer } }
products: { mug: { name: Mug, price: 12.5, project: spring } }
funnels: { spring: { name: Spring, project: spring, steps: [{ page: offer, pageType: sales }] } }
`;

let account: Account;
let before: string;
beforeAll(async () => {
  account = await accountWith((desk) => desk.write("landform.yaml", MANIFEST));
  before = account.holds();
}, 60_000);
afterAll(() => account.desk.close());

test("env down leaves alone what nothing proves to be its own, and names it", async () => {
  expect((await account.env("up", "--pr", "12", "--yes")).code).toBe(0);
  const own = account.ofPreview("pr-12");
  const prefix = own[0]?.name.split(" ", 1)[0] ?? "";
  const offer = own.find(({ name }) => name.endsWith(" Offer"));
  const copy = await inTheApp(account.desk, "POST", "/pages/duplicate", {
    page_id: offer?.id,
    new_name: `${offer?.name} (copy)`,
  });
  const twin = await inTheApp(account.desk, "POST", "/pages/duplicate", { page_id: offer?.id, new_name: offer?.name });
  const product = await inTheApp(account.desk, "POST", "/products", { name: `${prefix} Mug copy`, price: 1 });
  const funnel = await inTheApp(account.desk, "POST", "/funnels", {
    name: `${prefix} Spring B`,
    pages: [{ pageId: copy.id, pageType: "sales" }],
  });
  const theirs = [copy, twin, product, funnel].map(({ id }) => id).sort();
  const down = await account.env("down", "--pr", "12", "--yes");
  expect(down.code, down.stdout + down.stderr).toBe(0);
  expect(down.stdout).not.toContain("removed what an interrupted run had made");
  for (const id of theirs) expect(down.stdout).toContain(`npx landform env gc --unowned --delete ${id} removes it`);
  expect(
    account
      .ofPreview("pr-12")
      .map(({ id }) => id)
      .sort(),
  ).toEqual(theirs);
  const kept = account.desk.emulator.records()["funnels"]?.find(({ id }) => id === funnel.id);
  expect(JSON.stringify(kept)).toContain(copy.id);
  const listed = await account.env("gc", "--unowned");
  for (const id of theirs) expect(listed.stdout).toContain(id);
  expect((await account.env("down", "--pr", "12", "--yes")).code).toBe(0);
  // A funnel can't be deleted. A person's word retires it.
  for (const id of theirs) expect((await account.env("gc", "--unowned", "--delete", id)).code).toBe(0);
  expect(account.holds()).toBe(before);
});
