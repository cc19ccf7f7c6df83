/** The report of a command that an error ended: a CI that asked for one gets one. */
import { stripVTControlCharacters } from "node:util";
import type { Ended } from "../plan/plan.ts";
import { blankReport } from "../report/blank.ts";
import type { FailureCause, Report, Verb } from "../report/model.ts";
import { exitCodes, type ExitCode } from "./codes.ts";
import { explain } from "./explain.ts";

export interface End {
  message: string;
  exitCode: ExitCode;
  /** What the command had found out by then. */
  report?: Report | undefined;
}

/** What was found out by then, with what ended it. */
export function failedReport<Command extends string>(
  command: Command,
  stack: string,
  { message, exitCode, report }: End,
): Omit<Report, "command"> & { command: Command } {
  const failure = { cause: CAUSES[exitCode] ?? ("operation" as const), message: stripVTControlCharacters(message) };
  const ended = report ?? blankReport(stack);
  return { ...ended, command, result: "failed", failures: [...ended.failures, failure] };
}

/** With what ended it, where that is not in the report. */
export function reportOf(
  { report, error }: Pick<Ended, "report" | "error">,
  command: Verb,
  { stack, verbose }: { readonly stack: string; readonly verbose?: true },
): Report {
  if (error === undefined) return report;
  return failedReport(command, stack, { ...explain(error, { verbose: verbose === true }), report });
}

const CAUSES: Partial<Record<ExitCode, FailureCause>> = {
  [exitCodes.invalid]: "program",
  [exitCodes.refused]: "refused",
};
