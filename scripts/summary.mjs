// The closing line of a test run, from vitest's JSON report.
import { readFileSync } from "node:fs";

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
  readFileSync(process.argv[2], "utf8"),
);
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`);
