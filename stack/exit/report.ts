/** The report of a command that ended with an error. A CI that asked for a report gets one. */
import { stripVTControlCharacters } from "node:util";
import { adviceFor } from "../advice/next-command.ts";
import type { Advice, FailureCause, Report, Verb, Counts } from "../report/model.ts";
import { exitCodes, type ExitCode, type CommandError } from "./codes.ts";
import { explain } from "./explain.ts";

export interface End {
  message: string;
  exitCode: ExitCode;
  advice?: readonly Advice[];
  /** The findings of the command up to then. */
  report?: Report | undefined;
}

/** Adds the error to the findings up to then. */
export function failedReport<Command extends string>(
  command: Command,
  stack: string,
  { message, exitCode, advice = [], report }: End,
): Omit<Report, "command"> & { command: Command } {
  const ended = report ?? blankReport(stack);
  const failure = {
    ...{ cause: CAUSES[exitCode] ?? ("operation" as const), message: stripVTControlCharacters(message) },
    ...(advice.length > 0 && { advice }),
  };
  return { ...ended, command, result: "failed", failures: [...ended.failures, failure] };
}

/** Adds the error that ended the command, if the report doesn't have it. */
export function reportOf(
  { report, error }: { readonly report: Report; readonly error?: CommandError },
  command: Verb,
  options: { readonly stack: string; readonly verbose?: true },
): Report {
  const { stack, verbose } = options;
  if (error === undefined) return report;
  const { advice = [], ...told } = explain(error, { verbose: verbose === true });
  return failedReport(command, stack, { ...told, advice: advice.map(adviceFor(options, process.cwd())), report });
}

const CAUSES: Partial<Record<ExitCode, FailureCause>> = {
  [exitCodes.invalid]: "program",
  [exitCodes.refused]: "refused",
};

/** The exit code of a run that did not succeed. */
export function failureCode(
  { failures, counts }: Pick<Report, "failures" | "counts">,
  { sent }: { sent: boolean },
): ExitCode {
  const isStale = failures.some(({ cause }) => cause === "stale");
  // A refusal promises that nothing was sent.
  if (isStale && !(sent && hasDone(counts))) return exitCodes.refused;
  const wrong = failures.length > 0 && failures.every(({ cause }) => cause === "program");
  return wrong && !sent ? exitCodes.invalid : exitCodes.failed;
}

function hasDone({ create, adopt, update, replace, delete: deleted, left, unfinished }: Counts): boolean {
  return create + adopt + update + replace + deleted + left + unfinished > 0;
}

export function blankReport(stack: string, note?: string): Omit<Report, "command" | "result"> {
  const counts = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, held: 0, same: 0 };
  return {
    version: 1,
    project: "",
    stack,
    engine: { name: "none", version: "" },
    counts: { ...counts, mayFollow: 0, failed: 0, unfinished: 0, unreached: 0 },
    changes: [],
    outputs: {},
    urls: [],
    pending: [],
    findings: note === undefined ? [] : [{ check: "command", weight: "note", text: note }],
    failures: [],
    durationMs: 0,
  };
}
