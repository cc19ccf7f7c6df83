/** Reports for programs, written where the options say. */
import { writeFileSync } from "node:fs";
import { checkFile } from "./files.ts";
import type { ReportOptions } from "../options.ts";
import type { Report } from "../report/model.ts";
import { printJson } from "./print.ts";
import { jsonReport, jsonText } from "../render/json.ts";
import { renderHtml } from "../render/html/report.ts";
import { renderJUnit } from "../render/junit.ts";
import { renderMarkdown } from "../render/markdown.ts";

/** Before anything is run: folders are made, and a place that can't be written is named. */
export function checkReportFiles({ json, markdown, html, junit }: ReportOptions): void {
  const files = { "--json": json, "--markdown": markdown, "--html": html, "--junit": junit };
  for (const [option, file] of Object.entries(files)) if (typeof file === "string") checkFile(file, option);
}

export function writeReports(report: Report, { json, markdown, html, junit, full }: ReportOptions): void {
  if (json === true) printJson(jsonReport(report));
  else if (json !== undefined) writeFileSync(json, `${jsonText(jsonReport(report))}\n`);
  if (markdown !== undefined) writeFileSync(markdown, renderMarkdown(report, { full: full === true }));
  if (html !== undefined) writeFileSync(html, renderHtml(report));
  if (junit !== undefined) writeFileSync(junit, renderJUnit(report));
}
