/** How a command on a stack ends: its reports, and its exit code. */
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import type { Report } from "../report/model.ts";
import type { StackSession } from "./session.ts";

/** What a run that did not succeed exits with. */
export function failureCode({ failures }: Report, { sent }: { sent: boolean }): ExitCode {
  if (failures.some(({ cause }) => cause === "stale")) return exitCodes.refused;
  const wrong = failures.length > 0 && failures.every(({ cause }) => cause === "program");
  return wrong && !sent ? exitCodes.invalid : exitCodes.failed;
}

/** Writes the reports that were asked for, and ends with the code. */
export function finish(session: StackSession, report: Report, code: ExitCode): ExitCode {
  session.write(report);
  return code;
}
