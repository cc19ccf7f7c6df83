/** A page that was held back, and a text of ours in its draft that somebody changes before it goes public. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

let desk: NearDesk;
beforeEach(async () => {
  desk = await NearDesk.open();
});
afterEach(() => desk.close());

const declare = (title: string): void =>
  desk.write(
    "landform.yaml",
    `landform: 1
name: held
sites: { main: { name: held.example } }
pages:
  p: { template: tpl-hero, variables: { brand: Mist }, content: { hero.title: ${title} }, publish: { site: main, slug: p } }
`,
  );

const edit = (updates: object) =>
  inTheApp(desk, "PATCH", "/pages/content", { page_id: String(desk.emulator.records().pages?.[0]?.["id"]), updates });

async function told(code: number, ...args: string[]): Promise<string> {
  const ended = await desk.run(args);
  expect(ended.code, ended.stdout + ended.stderr).toBe(code);
  return ended.stdout + ended.stderr;
}

const visited = async (): Promise<string> => (await fetch(`${desk.emulator.url}/_sites/held-example/p`)).text();

beforeEach(async () => {
  declare("One");
  await told(0, "up", "--yes");
  await edit({ "hero.note": "NOTE" });
  declare("Two");
  await told(1, "up", "--yes");
  await edit({ "hero.title": "THEIRS" });
});

test("with the word to include edits, our text is written over theirs, as the plan says", async () => {
  const planned = await told(0, "preview", "--foreign-edits", "include");
  expect(planned).toMatch(/hero\.title.*THEIRS/);
  await told(0, "up", "--yes", "--foreign-edits", "include");
  expect(await visited()).toContain("Two<");
  expect(await visited()).not.toContain("THEIRS");
  expect(await told(0, "preview", "--refresh", "--detailed-exitcode")).toContain("no changes");
});

test("without a word, it is held again, and both edits have names", async () => {
  const held = await told(1, "up", "--yes");
  expect(held).toContain('hero.note "NOTE"');
  expect(held).toMatch(/hero\.title.*THEIRS/);
  expect(await visited()).toContain("One<");
  const page = desk.emulator.records().pages?.[0];
  const [site] = await inTheApp<{ id: string }[]>(desk, "GET", "/sites");
  await inTheApp(desk, "POST", "/pages/publish", { page_id: page?.["id"], site_id: site?.id, slug: "p" });
  await told(0, "up", "--yes", "--refresh");
  expect(await visited()).toContain("Two<");
  await told(0, "preview", "--detailed-exitcode");
});
