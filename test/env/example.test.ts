// @module-tag thorough
/** The example runs as its README has it. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTest } from "../suite/opened.ts";
import { Account } from "./desk.ts";

const example = join(import.meta.dirname, "../../examples/preview-per-branch");

test("each command of examples/preview-per-branch/README.md does what is said there", async () => {
  const account = await inTest(
    Account.open((desk) => cpSync(example, desk.folder, { recursive: true }), { apply: false }),
  );
  const [, block = ""] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(example, "README.md"), "utf8")) ?? [];
  const runs = [...block.matchAll(/^npx landform ([^#\n]+)/gm)].map(([, words = ""]) => words.trim().split(/\s+/));
  expect(runs.map((words) => words.join(" "))).toEqual([
    "up --stack prod --yes",
    "env up --pr 12 --yes",
    "env list",
    "env down --pr 12 --yes",
  ]);
  const said: string[] = [];
  let base = "";
  for (const words of runs) {
    said.push(await account.desk.says(0, ...words));
    base ||= account.holds();
  }
  expect(said[2]).toMatch(/^pr-12 {2}pushed 0 hours ago, 4 objects, expires /m);
  expect(account.holds()).toBe(base);
});
