/** A command on a stack, at a terminal: what is told goes there, and the reports that were asked for are written at its end. */
import { CommandError, type ExitCode } from "../stack/exit/codes.ts";
import { explain } from "../stack/exit/explain.ts";
import { reportOf } from "../stack/exit/report.ts";
import type { OperationOptions } from "../stack/options.ts";
import type { Ended } from "../stack/plan/plan.ts";
import type { Report, Verb } from "../stack/report/model.ts";
import type { Opening } from "../stack/run/opened.ts";
import { StackSession } from "../stack/run/session.ts";
import { printable } from "../stack/report/printable.ts";
import { checkReportFiles, writeReports } from "../story/reports.ts";
import { messageText } from "../stack/report/text.ts";
import { Output } from "./output/terminal.ts";
import { tellError, tellUntold } from "./untold.ts";

export interface Desk {
  readonly session: StackSession;
  readonly output: Output;
}

export async function onStack(
  options: OperationOptions,
  command: Verb,
  work: (desk: Desk) => Promise<Ended>,
  opening: Opening = {},
): Promise<ExitCode> {
  checkReportFiles(options);
  const output = new Output(options);
  const ended = await StackSession.with(options, async (session) => said(session, await work({ session, output })), {
    ...opening,
    teller: output,
  });
  return finish(ended, command, options);
}

/** With messages that advise commands which mean this run. */
export function said(session: StackSession, ended: Ended): Ended {
  return { ...ended, report: session.said(ended.report) };
}

/** Tells what has ended the command, and writes the reports that were asked for. */
export function finish(ended: Ended, command: Verb, options: OperationOptions): ExitCode {
  if (ended.error !== undefined) tellError(errorText(ended.error, options));
  tellUntold(ended.report, ended.exit);
  writeReports(reportOf(ended, command, options), options);
  return ended.exit;
}

function errorText(error: CommandError, { verbose }: OperationOptions): string {
  return messageText(printable(explain(error, { verbose: verbose === true }).message));
}

/** What ends the work by a message is told beside the report. */
export async function reporting(
  { session, report }: { readonly session: StackSession; readonly report: Report },
  work: () => Promise<Ended>,
): Promise<Ended> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    session.redactor.error(error);
    error.message = session.advised(error.message);
    return { report, exit: error.exitCode, error };
  }
}
