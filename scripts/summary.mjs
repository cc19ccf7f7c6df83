// The closing line over several test runs, from what test/suite/closing-line.ts kept of each, after the reason of each failure.
// A test that ran in more than one of them failed if it failed in any, and was skipped if it was skipped in all. A report named
// `NAME-again` is of the files of `NAME` that were run a second time.
import { fileOf, isWholeFile, reportsOf, withSecond } from "./test-reports.mjs";

const RANK = ["skipped", "passed", "failed"];
const AGAIN = "-again";
const files = process.argv.slice(2);
const reports = files
  .filter((file) => !file.endsWith(AGAIN))
  .map((file) => withSecond(...reportsOf([file, file + AGAIN].filter((one) => files.includes(one)))));
const fates = new Map();
for (const { fates: these, reasons, unsteady } of reports) {
  for (const [test, fate] of Object.entries(these)) {
    const before = fates.get(test) ?? "skipped";
    fates.set(test, RANK[Math.max(RANK.indexOf(before), RANK.indexOf(fate))]);
  }
  for (const [test, reason] of Object.entries(unsteady)) {
    console.log(`unsteady (failed first, passed by itself): ${test}\n  ${reason}`);
  }
  for (const [test, reason] of Object.entries(reasons)) console.log(`failed: ${test}\n  ${reason}`);
}
// A file that the quick part left out whole has one line there; where it was run, its tests have their own.
const ran = new Set([...fates.keys()].filter((id) => !isWholeFile(id)).map(fileOf));
for (const id of [...fates.keys()].filter(isWholeFile)) if (ran.has(fileOf(id))) fates.delete(id);
const count = (fate) => [...fates.values()].filter((one) => one === fate).length;
console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
