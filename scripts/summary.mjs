// The closing line over several test runs, from what test/suite/closing-line.ts kept of each. A test that ran in more than
// one of them failed if it failed in any, and was skipped if it was skipped in all.
import { readFileSync } from "node:fs";

const RANK = ["skipped", "passed", "failed"];
const fates = new Map();
for (const file of process.argv.slice(2)) {
  for (const [test, fate] of Object.entries(JSON.parse(readFileSync(file, "utf8")))) {
    const before = fates.get(test) ?? "skipped";
    fates.set(test, RANK[Math.max(RANK.indexOf(before), RANK.indexOf(fate))]);
  }
}
const count = (fate) => [...fates.values()].filter((one) => one === fate).length;
console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
