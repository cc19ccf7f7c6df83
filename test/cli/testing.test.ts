// @module-tag thorough
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deploy, startTestAccount } from "../../stack/testing.ts";
import { problemsOf } from "../reports/schema.ts";
import { inTest } from "../suite/opened.ts";

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

test("a test sees what the command would: a plan that is held, and what an allowance does", async () => {
  const account = await inTest(startTestAccount());
  const folder = mkdtempSync(join(tmpdir(), "landform-tested-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (products: readonly string[], site = "tested.example"): void =>
    writeFileSync(
      join(folder, "landform.yaml"),
      `landform: 1\nname: tested\nsites: { main: { name: ${site} } }\nproducts: { ${products.map((name) => `${name}: { price: 1 }`).join(", ")} }\n`,
    );
  const all = Array.from({ length: 12 }, (_, index) => `mug${index}`);
  write(all);
  expect((await deploy(folder, { account })).counts).toMatchObject({ create: 13 });
  write(all.slice(6));
  account.emulator.requests.length = 0;
  const preview = await deploy(folder, { account, operation: "preview" });
  expect([preview.result, preview.counts.delete]).toEqual(["succeeded", 6]);
  const held = await deploy(folder, { account });
  const refused = { cause: "refused", allowed: "--max-deletes 6 (or --force)" };
  expect(held).toMatchObject({ result: "failed", failures: [refused] });
  expect(held.failures[0]?.message).toMatch(/deletes 6 of 13 resources/);
  expect(account.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await deploy(folder, { account, force: true })).toMatchObject({ result: "succeeded", counts: { delete: 6 } });
  expect(process.env["LANDFORM_API_KEY"]).not.toBe(account.emulator.apiKey);
});
