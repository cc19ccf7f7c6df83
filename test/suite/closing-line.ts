/**
 * Ends a run with one line, `N passed, N failed, N skipped`. Where LANDFORM_TEST_REPORT says, it keeps each test's fate, and tells
 * which files took longest.
 */
import { writeFileSync } from "node:fs";
import { whole } from "./parts.ts";
import { isKept } from "./quick.ts";
import type { Reporter, TestModule, TestSuite } from "vitest/node";

export type Fate = "passed" | "failed" | "skipped";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const fates = new Map<string, Fate>();
    for (const module of modules) collect(module, fates);
    unhandled.forEach((_, index) => fates.set(`unhandled error ${index + 1}`, "failed"));
    const report = process.env["LANDFORM_TEST_REPORT"];
    if (report !== undefined) writeFileSync(report, JSON.stringify(Object.fromEntries(fates)));
    const slowest = report === undefined ? "" : slowestFiles(modules);
    // After whatever the other reporters still print.
    process.once("exit", () => process.stdout.write(`${slowest}${closingLine(fates)}\n`));
  }
}

const FILES_TOLD = 40;

function slowestFiles(modules: readonly TestModule[]): string {
  const times = modules.map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }));
  const slowest = times.sort((a, b) => b.ms - a.ms).slice(0, FILES_TOLD);
  return slowest.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`).join("");
}

/** A file or group that failed by itself, in a hook or while it was loaded, is a failure beside its tests. */
function collect(module: TestModule, fates: Map<string, Fate>): void {
  const place = module.relativeModuleId;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    const id = unused(`${place} > ${test.fullName}`, fates);
    fates.set(id, state === "pending" ? (isLeftOut(place, test.name) ? "skipped" : "failed") : state);
  }
  const failing = [module, ...module.children.allSuites()].filter(
    (one: TestModule | TestSuite) => one.errors().length > 0,
  );
  failing.forEach((_, index) => fates.set(`${place} > outside of its tests ${index + 1}`, "failed"));
}

/** What the runner skipped was announced before: no result of it ever comes. */
function isLeftOut(file: string, test: string): boolean {
  return !whole && !isKept(file.replaceAll("\\", "/"), test);
}

/** Rows of a table may bear one name. */
function unused(id: string, fates: ReadonlyMap<string, Fate>): string {
  for (let count = 2; ; count++) {
    if (!fates.has(id)) return id;
    id = `${id.replace(/ \(\d+\)$/, "")} (${count})`;
  }
}

export function closingLine(fates: ReadonlyMap<string, Fate>): string {
  const count = (fate: Fate): number => [...fates.values()].filter((one) => one === fate).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}
