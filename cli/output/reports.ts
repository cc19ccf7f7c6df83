/** Reports for programs, written where the options say. */
import { writeFileSync } from "node:fs";
import type { ReportOptions } from "../options.ts";
import type { Report } from "../report/model.ts";
import { printJson } from "./print.ts";
import { jsonReport, jsonText } from "../render/json.ts";
import { renderJUnit } from "../render/junit.ts";
import { renderMarkdown } from "../render/markdown.ts";

export function writeReports(report: Report, { json, markdown, junit }: ReportOptions): void {
  if (json === true) printJson(jsonReport(report));
  else if (json !== undefined) writeFileSync(json, `${jsonText(jsonReport(report))}\n`);
  if (markdown !== undefined) writeFileSync(markdown, renderMarkdown(report));
  if (junit !== undefined) writeFileSync(junit, renderJUnit(report));
}
