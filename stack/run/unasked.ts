/** A plan that no account could be asked about is no answer to whoever asked for a plan. An apply finds out by itself. */
import type { Failure, Report } from "../report/model.ts";
import type { StackSession } from "./session.ts";

export function withUnasked({ unasked }: StackSession, report: Report): Report {
  if (unasked.length === 0) return report;
  const failures = unasked.map((message): Failure => ({ cause: "operation", message: `${message}\n${NEXT}` }));
  const warnings = report.warnings.filter((warning) => !unasked.includes(warning));
  return { ...report, result: "failed", warnings, failures: [...report.failures, ...failures] };
}

const NEXT = "So the plan is not checked, and none is kept. Run the command again once the service can be reached.";
