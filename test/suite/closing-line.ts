/**
 * Ends a run with one line, `N passed, N failed, N skipped`. LANDFORM_TEST_REPORT names a file for each test's result, with the reasons of failures
 * and the slowest files.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { isThorough, testFiles } from "./files.ts";
import type { Reporter, TestModule, TestSpecification, TestSuite } from "vitest/node";

/** It stands for the tests of a file that the quick part doesn't read. */
const WHOLE_FILE = "the whole file";

export type Fate = "passed" | "failed" | "skipped";

interface Report {
  readonly fates: Readonly<Record<string, Fate>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** Files whose worker died before it had read them: their tests are unknown. */
  readonly notRun: readonly string[];
}

export default class ClosingLine implements Reporter {
  #planned: readonly string[] = [];

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#planned = specifications.map(({ moduleId }) => relative(process.cwd(), moduleId));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const fates = new Map<string, Fate>();
    const reasons: Record<string, string> = {};
    for (const module of modules) collect(module, fates, reasons);
    if (process.env["LANDFORM_TESTS"] === "quick")
      for (const file of testFiles.filter(isThorough)) fates.set(`${file} > ${WHOLE_FILE}`, "skipped");
    unhandled.forEach((error, index) => {
      const id = `unhandled error ${index + 1}`;
      fates.set(id, "failed");
      reasons[id] = told(error);
    });
    const seen = new Set(modules.map((module) => module.relativeModuleId));
    const notRun = this.#planned.filter((file) => !seen.has(file));
    const report = process.env["LANDFORM_TEST_REPORT"];
    const kept: Report = { fates: Object.fromEntries(fates), reasons, notRun };
    if (report !== undefined) writeFileSync(report, JSON.stringify(kept));
    const slowest = report === undefined ? "" : slowestFiles(modules);
    // Prints after all other reporters.
    process.once("exit", () => process.stdout.write(`${slowest}${closingLine(fates)}\n`));
  }
}

const FILES_TOLD = 40;

function slowestFiles(modules: readonly TestModule[]): string {
  const times = modules.map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }));
  const slowest = times.sort((a, b) => b.ms - a.ms).slice(0, FILES_TOLD);
  return slowest.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`).join("");
}

/** If a file or group fails by itself, in a hook or while it loads, that is a failure beside its tests. */
function collect(module: TestModule, fates: Map<string, Fate>, reasons: Record<string, string>): void {
  const place = module.relativeModuleId;
  for (const test of module.children.allTests()) {
    const { state, errors = [] } = test.result();
    const id = unused(`${place} > ${test.fullName}`, fates);
    fates.set(id, state === "pending" ? "failed" : state);
    if (fates.get(id) === "failed") reasons[id] = errors.map(told).join("; ");
  }
  const failing = [module, ...module.children.allSuites()].filter(
    (one: TestModule | TestSuite) => one.errors().length > 0,
  );
  failing.forEach((one, index) => {
    const id = `${place} > outside of its tests ${index + 1}`;
    fates.set(id, "failed");
    reasons[id] = one.errors().map(told).join("; ");
  });
}

type Failure = Readonly<{ message: string; cause?: unknown }>;

const REASON_LENGTH = 400;

function told({ message, cause }: Failure): string {
  const because = cause instanceof Object && "message" in cause ? `: ${String(cause.message)}` : "";
  return `${message}${because}`.slice(0, REASON_LENGTH);
}

/** Makes a name unique, because rows of a table may have the same one. */
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
