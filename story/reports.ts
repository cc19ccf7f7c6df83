/** Reports for programs, written where the options say. */
import { CommandError, exitCodes } from "../stack/exit/codes.ts";
import { checkFile, explained, writePrivate } from "../stack/project/files.ts";
import type { ReportOptions } from "../stack/options.ts";
import type { Report } from "../stack/report/model.ts";
import { printJson } from "./print.ts";
import { jsonReport } from "../stack/report/json.ts";
import { jsonText, withoutCommands } from "../stack/report/printable.ts";
import { printHtml } from "./html/print.ts";
import { printJUnit } from "./junit.ts";
import { printMarkdown } from "./markdown.ts";
import { storyOf } from "./story.ts";

/** Before anything is run: folders are made, and a place that can't be written is named. */
export function checkReportFiles({ json, markdown, html, junit }: ReportOptions): void {
  const files = { "--json": json, "--markdown": markdown, "--html": html, "--junit": junit };
  for (const [option, file] of Object.entries(files)) if (typeof file === "string") checkFile(file, option);
}

/** Each for itself: one that can't be written takes no other along, nor what the command did. */
export function writeReports(report: Report, { json, markdown, html, junit, full }: ReportOptions): void {
  if (json === true) printJson(jsonReport(report));
  // A job may print these files to its log.
  const due: readonly [string | boolean | undefined, () => string][] = [
    [json, () => `${jsonText(jsonReport(report))}\n`],
    [markdown, () => printMarkdown(storyOf(report), { full: full === true })],
    [html, () => withoutCommands(printHtml(storyOf(report)))],
    [junit, () => withoutCommands(printJUnit(storyOf(report)))],
  ];
  const faults = due.flatMap(([file, render]) => (typeof file === "string" ? (faultIn(file, render()) ?? []) : []));
  if (faults.length > 0)
    throw new CommandError(
      exitCodes.failed,
      `${faults.join("\n")}\nWhat the command did is done; only this is missing.`,
    );
}

function faultIn(file: string, text: string): string | undefined {
  try {
    writePrivate(file, text);
    return undefined;
  } catch (error) {
    const reason = explained(error, `the report ${file} can't be written`);
    if (reason instanceof CommandError) return reason.message;
    throw error;
  }
}
