// @module-tag thorough
/** Changes of a run without a history, as with plain `pulumi`: the undo sends nobody to a history that lacks it. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WalkDesk } from "../walk/desk.ts";
import { inTest } from "../suite/opened.ts";

const priced = (price: number): object => ({ landform: 1, name: "hidden", products: { mug: { price } } });

test("a change of a run that is not in the history is called that, and one that is in it is a later run's", async () => {
  const desk = await inTest(WalkDesk.open());
  const up = async (price: number): Promise<void> => {
    desk.declare(priced(price));
    const { code, printed } = await desk.run("up", "--yes");
    expect(code, printed).toBe(0);
  };
  for (const price of [5, 7, 9]) await up(price);
  const folder = join(desk.folder, ".pulumi/landform/history");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  const [, second = "", third = ""] = files.sort();
  const id = /\d{8}-\d{6}\.\d{3}-\w{4}/.exec(second)?.[0] ?? "";
  const later = await desk.run("undo", id, "--yes");
  expect([later.code, later.printed]).toEqual([3, expect.stringContaining("price was changed by a later run (9)")]);
  rmSync(join(folder, third));
  const hidden = await desk.run("undo", "--yes");
  expect(hidden.code, hidden.printed).toBe(3);
  expect(hidden.printed).toContain("price was changed by a run that is not in this history (9)");
  expect(hidden.printed).toContain("Plain pulumi keeps no history");
  expect(hidden.printed).not.toContain("history tells of later runs");
});
