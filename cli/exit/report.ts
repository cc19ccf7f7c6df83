/** The reports of a command that an error ended: a CI that asked for one gets one. */
import { stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import { exitCodes, type ExitCode } from "./codes.ts";
import type { ReportOptions } from "../options.ts";
import { explained } from "../output/files.ts";
import { printError } from "../output/print.ts";
import type { FailureCause, Report, Verb } from "../report/model.ts";
import { writeReports } from "../output/reports.ts";

interface End {
  message: string;
  exitCode: ExitCode;
  /** What the command had found out by then. */
  report?: Report | undefined;
}

export function reportEnd(program: Command, args: readonly string[], { message, exitCode, report }: End): void {
  const command = program.commands.find((one) => one.name() === args[0]);
  if (command === undefined || !command.options.some(({ long }) => long === "--json")) return;
  if (PRINTS_VALUES.has(command.name())) return;
  const { stack = "", ...options } = command.opts<ReportOptions & { stack?: string }>();
  const failure = { cause: CAUSES[exitCode] ?? ("operation" as const), message: stripVTControlCharacters(message) };
  const ended = report ?? blank(stack);
  const json = options.json ?? jsonIn(args);
  const whole: Report = {
    ...ended,
    command: command.name() as Verb,
    result: "failed",
    failures: [...ended.failures, failure],
  };
  try {
    writeReports(whole, { ...options, ...(json === undefined ? {} : { json }) });
  } catch (error) {
    // That may be the very error that is reported here.
    const reason = explained(error, "its file");
    printError(`There is no report of this: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

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

function blank(stack: string): Omit<Report, "command" | "result"> {
  const counts = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, same: 0 };
  return {
    version: 1,
    project: "",
    stack,
    engine: { name: "none", version: "" },
    counts: { ...counts, failed: 0, unfinished: 0, unreached: 0 },
    changes: [],
    outputs: {},
    urls: [],
    pending: [],
    warnings: [],
    notes: [],
    failures: [],
    durationMs: 0,
  };
}
