/** schema/report.schema.json describes the reports. The tests of commands check their reports against it. */
import { expect, test } from "vitest";
import { jsonReport } from "../../stack/report/json.ts";
import { eightPlans } from "./eight-plans.ts";
import { problemsOf } from "./schema.ts";

test.each(Object.entries(eightPlans))("%s", (_, report) => expect(problemsOf(jsonReport(report))).toEqual([]));

test("a wrong report has problems", () => {
  const [report] = Object.values(eightPlans).map(jsonReport);
  expect(problemsOf({ ...report, counts: {} })).toContainEqual(expect.stringContaining("/counts must have required"));
  expect(problemsOf({ ...report, command: "deploy" })).toHaveLength(1);
  expect(problemsOf({ ...report, changes: [{ op: "update" }] }).length).toBeGreaterThan(1);
  expect(problemsOf({ ...report, surprise: 1 })).toHaveLength(1);
});
