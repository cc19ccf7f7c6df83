// What test/suite/closing-line.ts keeps of a run: fates, reasons of failures, files that did not run.
import { readFileSync } from "node:fs";

export function reportsOf(files) {
  return files.map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/**
 * A report with what its files did when they were run again: they count as they ended then. What had failed before and passed then
 * is unsteady, and is told. A worker that died before its file is an error without a test, and of no account once its file has run.
 */
export function withSecond(first, again) {
  if (again === undefined) return { ...first, unsteady: {} };
  const ran = new Set(Object.keys(again.fates).map(fileOf));
  const settled = first.notRun.every((file) => ran.has(file));
  const keep = ([id]) => !ran.has(fileOf(id)) && !(settled && isOfTheRunner(first, id));
  const only = (of) => Object.fromEntries(Object.entries(of).filter(keep));
  return {
    fates: { ...only(first.fates), ...again.fates },
    reasons: { ...only(first.reasons), ...again.reasons },
    notRun: settled ? again.notRun : first.notRun,
    unsteady: Object.fromEntries(Object.entries(first.reasons).filter(([id]) => again.fates[id] === "passed")),
  };
}

/** The files of which something failed. */
export function failedFiles({ fates }) {
  const failed = Object.keys(fates).filter((id) => fates[id] === "failed" && fileOf(id) !== "");
  return [...new Set(failed.map(fileOf))];
}

/** Whether the failure is the test runner's own: one of its workers didn't start or went away. */
export function isOfTheRunner({ reasons }, id) {
  return id.startsWith("unhandled error") && (reasons[id] ?? "").startsWith("[vitest-pool]");
}

/** What stands for all tests of a file that the quick part leaves out (test/suite/runner.ts). */
export function isWholeFile(id) {
  return id.endsWith(" > the whole file");
}

export function fileOf(id) {
  return id.slice(0, Math.max(0, id.indexOf(" > ")));
}
