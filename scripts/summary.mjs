// The closing line over several test runs, from what test/suite/closing-line.ts kept of each, after the reason of each failure.
// A test that ran in more than one of them failed if it failed in any, and was skipped if it was skipped in all.
import { reportsOf, ranAtLast } from "./test-reports.mjs";

const RANK = ["skipped", "passed", "failed"];
const reports = ranAtLast(reportsOf(process.argv.slice(2)));
const fates = new Map();
for (const { fates: these, reasons } of reports) {
  for (const [test, fate] of Object.entries(these)) {
    const before = fates.get(test) ?? "skipped";
    fates.set(test, RANK[Math.max(RANK.indexOf(before), RANK.indexOf(fate))]);
  }
  for (const [test, reason] of Object.entries(reasons)) console.log(`failed: ${test}\n  ${reason}`);
}
const count = (fate) => [...fates.values()].filter((one) => one === fate).length;
console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
