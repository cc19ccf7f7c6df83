/** Runs a command on a stack at a terminal: messages go there, and the wanted reports are written at its end. */
import { oneLine } from "../provider/values/wording.ts";
import { type Advised } from "../stack/advice/next-command.ts";
import { leftOutText, stayingText } from "../stack/env/show.ts";
import type { EnvironmentUp } from "../stack/env/types.ts";
import { CommandError, type ExitCode, UsageError } from "../stack/exit/codes.ts";
import { reportOf, explain } from "../stack/exit/report.ts";
import type { OperationOptions, ReportOptions } from "../stack/options.ts";
import type { Ended } from "../stack/review/plan.ts";
import type { Report, Verb } from "../stack/report/model.ts";
import type { Ending } from "../stack/report/verdict.ts";
import { printable, printableValue } from "../stack/report/printable.ts";
import { messageText } from "../stack/report/text.ts";
import type { Opening } from "../stack/run/opened.ts";
import { StackSession } from "../stack/run/session.ts";
import { checkReportFiles, writeReports } from "../story/reports.ts";
import { tellsWhy } from "../story/print.ts";
import { storyOf } from "../story/story.ts";
import { picturesIn } from "../story/pictures.ts";
import { outcomeLines, planLines, sectionLines } from "../story/terminal.ts";
import { tellError, tellUntold } from "./end.ts";
import { Output } from "./output/terminal.ts";

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
  const whole = async (session: StackSession): Promise<Ended> => {
    const ended = await work({ session, output });
    return { ...ended, report: session.said(ended.report) };
  };
  return finish(await StackSession.with(options, whole, { ...opening, teller: output }), command, options);
}

export function finish(
  ended: Ended,
  command: Verb,
  options: ReportOptions & { readonly stack: string; readonly verbose?: true },
): ExitCode {
  if (ended.error !== undefined) {
    const { message, advice } = explain(ended.error, options);
    tellError(messageText(printable(message)), advice);
  }
  tellUntold(ended);
  writeReports(reportOf(ended, command, options), options);
  return ended.exit;
}

export async function reporting(
  { session, report }: { readonly session: StackSession; readonly report: Report },
  work: () => Promise<Ended>,
): Promise<Ended> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    session.redactor.error(error);
    return { report, exit: error.exitCode, error };
  }
}

export function showPlan(desk: Desk, report: Report): void {
  show(desk, report, planLines);
}

export function showOutcome(desk: Desk, report: Report): void {
  show(desk, report, outcomeLines);
}

function show({ output, session }: Desk, report: Report, linesOf: typeof planLines): void {
  const story = storyOf(session.said(report));
  if (BAD.has(story.ending)) tellsWhy();
  for (const line of linesOf(story, output.canvas)) output.line(line);
}

const BAD: ReadonlySet<Ending> = new Set(["failed", "refused", "stopped", "warn"]);

export async function confirmed(
  { output, session }: Desk,
  { yes }: { readonly yes?: true },
  question: string,
): Promise<boolean> {
  if (yes !== true) refuseUnattended(output, "nothing was sent");
  output.line();
  if (yes === true || (await agreed({ output, session }, question))) return true;
  tellsWhy();
  output.line("Nothing was sent.");
  return false;
}

/** Tells if a person says yes. An interruption is a no. */
export async function agreed(
  { output, session }: { output: Output; session?: { readonly interruption: { readonly cancel: AbortSignal } } },
  question: string,
): Promise<boolean> {
  const answer = await output
    .askApproval(`${output.canvas.styles.strong(question)} [y/N] `, session?.interruption.cancel)
    .catch(() => "");
  output.line();
  return isYes(answer);
}

export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim());
}

export function refuseUnattended({ interactive }: Output, nothing: string): void {
  if (interactive) return;
  throw new UsageError(
    `this is not a terminal, so Landform can't ask, and ${nothing}. Add --yes to go ahead without a question`,
  );
}

export function showPictures({ line, canvas }: Output, { pictures }: Report): void {
  if (pictures === undefined) return;
  for (const one of sectionLines(picturesIn(printableValue(pictures)), canvas)) line(one);
}

export function showEnvironment(
  { line, canvas }: Output,
  advised: Advised,
  { environment, pages, leftOut, staying = 0 }: EnvironmentUp,
): void {
  if (environment === undefined) return;
  const { styles } = canvas;
  line();
  line(
    styles.strong(`${environment.name}${environment.base === undefined ? "" : `, a preview of ${environment.base}`}`),
  );
  for (const { type, name, url, editUrl } of pages)
    line(`  ${type} ${oneLine(name)}  ${url ?? `${editUrl ?? ""} (draft)`}`);
  if (staying > 0) line(`  ${styles.faint(stayingText(staying))}`);
  for (const one of leftOut) line(`  ${styles.faint(`left out: ${leftOutText(one)}`)}`);
  line(
    styles.faint(
      `  expires ${environment.expiresAt.slice(0, 10)}; ${advised("env down", environment.name)} takes it away`,
    ),
  );
}
