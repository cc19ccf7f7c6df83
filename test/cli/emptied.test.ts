// @module-tag thorough
/** Code that suddenly declares nothing deletes nothing by itself: a file saved empty, data without rows. */
import { expect, test, vi } from "vitest";
import { NearDesk } from "./near-desk.ts";

vi.setConfig({ testTimeout: 240_000 });

const desk = NearDesk.each();

const PAGES = 'for (const name of ["one", "two"]) new landform.Page(name, { templateId: "tpl-hero" });';
const planned = async (): Promise<string> => (await desk.run(["preview"])).stdout;

test("a program whose file is empty is refused, whatever the number, and destroy is named", async () => {
  desk.program(PAGES);
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  desk.program(PAGES.replace('"one", ', ""));
  const stdout = await desk.up();
  expect(stdout).toContain("1 deleted");
  desk.writes();

  desk.write("index.ts", "");
  expect(await planned()).toMatch(/up will refuse this plan:\n[^]*the code declares nothing now/);
  const refused = await desk.says(3, "up", "--yes");
  expect(refused).toContain("all that the stack holds (1 resource) would go\n  Nothing was sent.");
  expect(refused).toContain("destroy, or up --force");
  expect(await desk.run(["up", "--yes", "--max-deletes", "1"])).toMatchObject({ code: 3 });
  expect(desk.writes()).toEqual([]);
  desk.program("// Nothing is left.");
  expect(await planned()).not.toContain("refuse");
  desk.write("index.ts", "// All of it is a comment.\n/* new landform.Page() */\n");
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 3 });
  expect(await desk.run(["up", "--yes", "--force"])).toMatchObject({ code: 0 });
  expect(await planned()).toContain("no changes");
});

test("a program that is there and declares nothing deletes what there was", async () => {
  desk.program(PAGES);
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  desk.program("");
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  expect(await planned()).toContain("no changes");
});

const MANIFEST = `landform: 1
name: rows
pages:
  steady: { template: tpl-hero }
  offer: { each: { file: rows.csv }, template: tpl-hero }
`;

test("an entry whose rows are all gone is refused, and named", async () => {
  desk.declare(MANIFEST);
  desk.write("rows.csv", "key,title\nde,Hallo\nfr,Salut\n");
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  desk.writes();
  desk.write("rows.csv", "key,title\n");
  const { code, stderr } = await desk.run(["up", "--yes"]);
  expect(code).toBe(3);
  expect(stderr).toContain(
    "pages.offer has no rows now, and all that it had declared would go: Page offer-de, Page offer-fr\n  Nothing was sent.",
  );
  expect(desk.writes()).toEqual([]);

  desk.write("rows.csv", "key,title\nde,Hallo\n");
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  expect(await planned()).toContain("no changes");
  desk.write("rows.csv", "key,title\n");
  expect(await desk.run(["up", "--yes", "--force"])).toMatchObject({ code: 0 });
  expect(await planned()).toContain("no changes");
});
