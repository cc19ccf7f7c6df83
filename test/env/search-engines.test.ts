// @module-tag thorough
/** A preview asks search engines to leave its pages out, where a page has a text for them. */
import { expect, test } from "vitest";
import { textsInApp } from "../suite/app.ts";
import { forEachTest } from "../suite/opened.ts";
import { Account, BASE, mugs, NOTHING, page } from "./desk.ts";

const PAGES = [
  page("offer", "Offer", "content: { hero.title: Mugs }, publish: { site: mugs, slug: offer }"),
  page("story", "Story", "publish: { site: mugs, slug: story }"),
];
const PROGRAM = mugs(`pages:\n${PAGES.join("")}`);
const account = forEachTest(() => Account.of(PROGRAM));

test("a text for search engines says noindex, declared or not", { timeout: 120_000 }, async () => {
  const { emulator } = account.desk;
  const robots = JSON.stringify(emulator.records()).replaceAll('"hero.text"', '"seo.robots"');
  emulator.restore(JSON.parse(robots) as ReturnType<typeof emulator.records>);
  const declared = PROGRAM.replace("hero.title: Mugs", 'hero.title: Mugs, seo.robots: "index, follow"');
  account.desk.declare(declared);
  await account.desk.up("--stack", BASE, "--foreign-edits", "include");
  const before = account.holds();
  await account.up("--pr", "1", "--seed");
  const ids = account.ofPreview("pr-1").map(({ id }) => id);
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(Object.values(await textsInApp(account.desk, id))).toContain("noindex");
  expect((await account.up("--pr", "1")).counts).toMatchObject(NOTHING);
  await account.down("--pr", "1");
  expect(account.holds()).toBe(before);
});
