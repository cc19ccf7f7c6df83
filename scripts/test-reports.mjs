// What test/suite/closing-line.ts keeps of a run: fates, reasons of failures, files that did not run.
import { readFileSync } from "node:fs";

export function reportsOf(files) {
  return files.map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** A worker that died before its file is an error without a test, and of no account once its file has run. */
export function ranAtLast(reports) {
  const ran = new Set(reports.flatMap(({ fates }) => Object.keys(fates).map(fileOf)));
  return reports.map((report) => {
    if (report.notRun.length === 0 || !report.notRun.every((file) => ran.has(file))) return report;
    const keep = ([id]) => !isOfTheRunner(report, id);
    const only = (of) => Object.fromEntries(Object.entries(of).filter(keep));
    return { ...report, fates: only(report.fates), reasons: only(report.reasons) };
  });
}

/** Whether the failure is the test runner's own: one of its workers didn't start or went away. */
export function isOfTheRunner({ reasons }, id) {
  return id.startsWith("unhandled error") && (reasons[id] ?? "").startsWith("[vitest-pool]");
}

function fileOf(id) {
  return id.slice(0, Math.max(0, id.indexOf(" > ")));
}
