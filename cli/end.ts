/** Ends a command with an error: the message, the reports, and the exit code. */
import { landform } from "../provider/values/command-line.ts";
import { type Command, CommanderError } from "commander";
import { adviceText } from "../stack/advice/next-command.ts";
import { type ExitCode, exitCodes, explained as explainedFile } from "../stack/exit/codes.ts";
import { type End, failedReport, explain, type Explanation } from "../stack/exit/report.ts";
import type { ReportOptions } from "../stack/options.ts";
import { jsonReport } from "../stack/report/json.ts";
import { type Advice, type OtherCommand, placed, type Verb } from "../stack/report/model.ts";
import { printable } from "../stack/report/printable.ts";
import { messageText } from "../stack/report/text.ts";
import { allowText } from "../stack/report/reasons.ts";
import type { Ended } from "../stack/review/plan.ts";
import { isTold, isWhyTold, printError, printJson, styles, tellsWhy } from "../story/print.ts";
import { writeReports } from "../story/reports.ts";
import { calledIn, nameWithin, optionsOf } from "./groups.ts";

export function endWith(error: unknown, program: Command, args: readonly string[]): ExitCode {
  const command = calledIn(program, args);
  const told: Explanation =
    error instanceof CommanderError
      ? { message: error.message.replace(/^error: /, ""), exitCode: exitCodes.invalid }
      : explain(error, { ...command?.optsWithGlobals(), verbose: args.includes("--verbose") });
  // Commander has already told its own errors.
  if (!(error instanceof CommanderError)) tellError(messageText(printable(told.message)), told.advice);
  if (command !== undefined) reportEnd(command, args, told);
  return told.exitCode;
}

function reportEnd(command: Command, args: readonly string[], end: End): void {
  const name = nameWithin(command);
  // The JSON of `output` is the program's own. A reader would take a report in its place for outputs.
  if (name === "output" || !optionsOf(command).some(({ long }) => long === "--json")) return;
  const { stack = "", down, ...options } = command.optsWithGlobals<ReportOptions & { stack?: string; down?: true }>();
  const json = options.json ?? jsonIn(args);
  const verb = down === true ? "destroy" : VERBS.get(name);
  try {
    if (verb !== undefined)
      writeReports(failedReport(verb, stack, end), { ...options, ...(json === undefined ? {} : { json }) });
    else if (json !== undefined) printJson(jsonReport(failedReport(name as OtherCommand, stack, end)));
  } catch (error) {
    // The file may be the very error that is reported here.
    const reason = explainedFile(error, "the file that was named for it");
    printError(`No report was written: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

const VERBS: ReadonlyMap<string, Verb> = new Map([
  ...(["preview", "up", "refresh", "drift", "destroy", "undo"] as const).map((verb) => [verb, verb] as const),
  ["ci plan", "preview"],
  ["ci apply", "up"],
  ["ci drift", "drift"],
  ["ci preview", "up"],
  ["env up", "up"],
]);

/** Reads --json by itself, because the parser stops at an option that it can't read. */
function jsonIn(args: readonly string[]): string | true | undefined {
  const at = args.findIndex((arg) => arg === "--json" || arg.startsWith("--json="));
  if (at === -1) return undefined;
  const [, joined] = /^--json=(.*)$/s.exec(args[at] ?? "") ?? [];
  const next = joined ?? args[at + 1];
  return next === undefined || next.startsWith("-") ? true : next;
}

export function tellUntold({ report: { failures }, exit }: Pick<Ended, "report" | "exit">): void {
  if (!isFailure(exit)) return;
  for (const one of failures) {
    const text = messageText(one.message);
    const said = [placed({ text, source: one.source }), allowText(one) ?? []].flat().join("\n  ");
    if (!isTold(text)) tellError(said, one.advice);
  }
}

/** Reports a command that ended without a reason. */
export function breakSilence(exit: number, command: string): void {
  if (isFailure(exit) && !isWhyTold())
    tellError(`${landform(command)} ended with ${exit} and told nothing of why: a fault of Landform, please report it`);
}

function isFailure(exit: number): boolean {
  return exit !== exitCodes.done && exit !== exitCodes.changes;
}

export function tellError(message: string, advice: readonly Advice[] = []): void {
  tellsWhy();
  printError(`${styles(process.stderr).bad("error:")} ${message}`);
  for (const one of advice) printError(`  ${printable(adviceText(one))}`);
}
