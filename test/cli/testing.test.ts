// @module-tag thorough
/** The helpers for users' own tests. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deploy, startTestAccount } from "../../stack/testing.ts";
import { problemsOf } from "../reports/schema.ts";

const example = join(import.meta.dirname, "../../examples/quickstart");

test("a program is deployed to an account of its own, and its folder is left alone", async () => {
  const before = readdirSync(example);
  const account = await startTestAccount();
  const report = await deploy(example, { account });
  expect(problemsOf(report)).toEqual([]);
  expect(report).toMatchObject({ result: "succeeded", counts: { create: 5 }, failures: [] });
  expect(report.urls).toContain(report.outputs["offerUrl"]);
  expect((await deploy(example, { account, operation: "preview" })).counts).toMatchObject({ same: 5, update: 0 });
  const destroyed = await deploy(example, { account, operation: "destroy" });
  expect(destroyed.counts).toMatchObject({ delete: 2, left: 3 });
  expect(problemsOf(destroyed)).toEqual([]);
  await account.close();
  expect(existsSync(account.stateFolder)).toBe(false);
  expect(readdirSync(example)).toEqual(before);
});
