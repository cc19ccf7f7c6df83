// @module-tag thorough
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { TestAccount, TestFolder } from "./harness.ts";
import { inTest } from "../suite/opened.ts";

const example = join(import.meta.dirname, "../../examples/adopt-existing");

test("the example is taken over without a write, and shows what is written", async () => {
  const account = await inTest(TestAccount.open());
  const folder = await inTest(new TestFolder());
  const { baseUrl, apiKey } = account.emulator;
  const env = { ...process.env, LANDFORM_BASE_URL: baseUrl, LANDFORM_API_KEY: apiKey };
  await promisify(execFile)(process.execPath, [join(example, "make-account.ts")], { env });
  const { model } = await folder.export(account);
  const shown = folder.read().replaceAll(/\b(acct|proj|site|page|prod|funnel)_\w+/g, "$1_1234");
  const file = join(example, "exported.yaml");
  if (process.env["UPDATE_EXAMPLES"] === "1") writeFileSync(file, shown);
  expect(shown).toBe(readFileSync(file, "utf8"));
  account.calls();
  await folder.run("up", account);
  expect((await folder.run("preview", account)).summary).toEqual({ same: model.resources.length + 1 });
  expect(account.writes()).toEqual([]);
});
