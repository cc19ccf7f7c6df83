/** The reports of a command that an error ended: a CI that asked for one gets one. */
import { stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import { exitCodes, type ExitCode } from "./codes.ts";
import { explain } from "./explain.ts";
import type { Ended } from "../plan/plan.ts";
import type { ReportOptions } from "../options.ts";
import { explained } from "../project/named-files.ts";
import { printError, printJson } from "../../story/print.ts";
import type { FailureCause, OtherCommand, Report, Verb } from "../report/model.ts";
import { writeReports } from "../../story/reports.ts";
import { jsonReport } from "../../story/json.ts";
import { blankReport } from "../report/blank.ts";

interface End {
  message: string;
  exitCode: ExitCode;
  /** What the command had found out by then. */
  report?: Report | undefined;
}

export function reportEnd(program: Command, args: readonly string[], end: End): void {
  const command = calledIn(program, args);
  if (command === undefined || !command.options.some(({ long }) => long === "--json")) return;
  if (PRINTS_VALUES.has(command.name())) return;
  const { stack = "", ...options } = command.opts<ReportOptions & { stack?: string }>();
  const json = options.json ?? jsonIn(args);
  const verb = VERBS.get(command.name());
  try {
    if (verb !== undefined)
      writeReports(failedReport(verb, stack, end), { ...options, ...(json === undefined ? {} : { json }) });
    else if (json !== undefined) printJson(jsonReport(failedReport(titleOf(command) as OtherCommand, stack, end)));
  } catch (error) {
    // That may be the very error that is reported here.
    const reason = explained(error, "the file that was named for it");
    printError(`No report was written: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
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

/** The command that the arguments name. */
export function calledIn({ commands }: Command, [name, ...rest]: readonly string[]): Command | undefined {
  const command = commands.find((one) => one.name() === name);
  return command === undefined || command.commands.length === 0 ? command : calledIn(command, rest);
}

/** With the group that it is in. */
function titleOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
}

/** Of commands that run something, and of those that do so in a CI or for an environment. */
const VERBS: ReadonlyMap<string, Verb> = new Map([
  ...(["preview", "up", "refresh", "drift", "destroy", "undo"] as const).map((verb) => [verb, verb] as const),
  ["plan", "preview"],
  ["apply", "up"],
  ["replace", "up"],
]);

/** Their JSON is the program's own: a report in its place would be taken for it. */
const PRINTS_VALUES = new Set(["output"]);

const CAUSES: Partial<Record<ExitCode, FailureCause>> = {
  [exitCodes.invalid]: "program",
  [exitCodes.refused]: "refused",
};

/** Behind an option that can't be read, the parser has read nothing more. */
function jsonIn(args: readonly string[]): string | true | undefined {
  const at = args.findIndex((arg) => arg === "--json" || arg.startsWith("--json="));
  if (at === -1) return undefined;
  const [, joined] = /^--json=(.*)$/s.exec(args[at] ?? "") ?? [];
  const next = joined ?? args[at + 1];
  return next === undefined || next.startsWith("-") ? true : next;
}
