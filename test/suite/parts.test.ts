/** Each test runs with the quick part or with the rest, and the closing line counts it once. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closingLine, type Fate } from "./closing-line.ts";
import { isRepeated, isThorough, leavesOut, testFiles } from "./files.ts";

const root = join(import.meta.dirname, "../..");

test("a file that leaves something out of the quick part is run with the rest", () => {
  const thorough = testFiles.filter(isThorough);
  expect(thorough.length).toBeGreaterThan(25);
  expect(thorough.filter((file) => !leavesOut(file))).toEqual([]);
  expect(testFiles.filter(isRepeated).length).toBeGreaterThan(10);
});

test("a file that needs Pulumi's engine, which the quick part has not, is run with the rest", () => {
  const needing = testFiles.filter((file) => /\brealEngine\b/.test(readFileSync(join(root, file), "utf8")));
  expect(needing.length).toBeGreaterThan(10);
  expect(needing.filter((file) => !leavesOut(file))).toEqual([]);
});

test("the closing line counts every test once, also over two runs", () => {
  const first: Record<string, Fate> = { a: "passed", b: "skipped", c: "skipped", d: "passed" };
  const second: Record<string, Fate> = { b: "passed", d: "failed" };
  expect(closingLine(new Map(Object.entries(first)))).toBe("2 passed, 0 failed, 2 skipped");
  const folder = mkdtempSync(join(tmpdir(), "landform-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = [first, second].map((fates, index) => {
    const file = join(folder, `${index}`);
    writeFileSync(file, JSON.stringify({ fates, reasons: {}, notRun: [] }));
    return file;
  });
  const told = execFileSync(process.execPath, [join(root, "scripts/summary.mjs"), ...files], { encoding: "utf8" });
  expect(told).toBe("2 passed, 1 failed, 1 skipped\n");
});
