// @module-tag thorough
/** Code that suddenly declares nothing deletes nothing by itself: a file saved empty, data without rows. */
import { expect, test, vi } from "vitest";
import { NearDesk } from "./near-desk.ts";

vi.setConfig({ testTimeout: 240_000 });

const desk = NearDesk.each();

const PAGES = 'for (const name of ["one", "two"]) new landform.Page(name, { templateId: "tpl-hero" });';

test("a program whose file is empty is refused, whatever the number, and destroy is named", async () => {
  await desk.program(PAGES).up();
  expect(await desk.program(PAGES.replace('"one", ', "")).up()).toContain("1 deleted");

  desk.write("index.ts", "");
  expect(await desk.plan()).toMatch(/up will refuse this plan:\n[^]*the code declares nothing now/);
  const refused = await desk.sendsNothing(3, "up", "--yes");
  expect(refused).toContain("all that the stack holds (1 resource) would go\n  Nothing was sent.");
  expect(refused).toContain("destroy, or up --force");
  await desk.sendsNothing(3, "up", "--yes", "--max-deletes", "1");
  expect(await desk.program("// Nothing is left.").plan()).not.toContain("refuse");
  await desk.write("index.ts", "// All of it is a comment.\n/* new landform.Page() */\n").says(3, "up", "--yes");
  await desk.up("--force");
  expect(await desk.plan()).toContain("no changes");
});

test("a program that is there and declares nothing deletes what there was", async () => {
  await desk.program(PAGES).up();
  await desk.program("").up();
  expect(await desk.plan()).toContain("no changes");
});

const MANIFEST = `landform: 1
name: rows
pages:
  steady: { template: tpl-hero }
  offer: { each: { file: rows.csv }, template: tpl-hero }
`;

test("an entry whose rows are all gone is refused, and named", async () => {
  await desk.declare(MANIFEST).write("rows.csv", "key,title\nde,Hallo\nfr,Salut\n").up();
  expect(await desk.write("rows.csv", "key,title\n").sendsNothing(3, "up", "--yes")).toContain(
    "pages.offer has no rows now, and all that it had declared would go: Page offer-de, Page offer-fr\n  Nothing was sent.",
  );

  await desk.write("rows.csv", "key,title\nde,Hallo\n").up();
  expect(await desk.plan()).toContain("no changes");
  await desk.write("rows.csv", "key,title\n").up("--force");
  expect(await desk.plan()).toContain("no changes");
});
