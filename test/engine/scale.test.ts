// @module-tag thorough
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Bench } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const bench = forEachTest(() => Bench.open());

type Measured = { result: string; summary: Record<string, number>; megabytes: number };

async function measuredUp(): Promise<Measured> {
  const script = join(import.meta.dirname, "fixtures", "up.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, bench.root, bench.secrets.salt]);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as Measured;
}

test("a thousand resources stay below 400 MB, and a second up asks the provider twice for each", async () => {
  await bench.program(`for (let i = 0; i < 1000; i++) new Thing("t" + i, { text: "x".repeat(1000), i });`);
  const created = await measuredUp();
  expect(created).toMatchObject({ result: "succeeded", summary: { create: 1001 } });
  expect(created.megabytes).toBeLessThan(400);
  await bench.clearCalls();
  const again = await measuredUp();
  expect(again).toMatchObject({ result: "succeeded", summary: { same: 1001 } });
  expect(again.megabytes).toBeLessThan(400);
  expect(await bench.calls("check", "diff", "create", "read", "update", "delete")).toHaveLength(2000);
}, 300_000);
