/** Reports for programs, written where the options say. */
import { writeFileSync } from "node:fs";
import type { ReportOptions } from "../options.ts";
import type { Report } from "../report/model.ts";
import { renderJUnit } from "../render/junit.ts";
import { renderMarkdown } from "../render/markdown.ts";

export function writeReports(report: Report, { json, markdown, junit }: ReportOptions): void {
  const text = `${JSON.stringify(report, undefined, 2)}\n`;
  if (json === true) process.stdout.write(text);
  else if (json !== undefined) writeFileSync(json, text);
  if (markdown !== undefined) writeFileSync(markdown, renderMarkdown(report));
  if (junit !== undefined) writeFileSync(junit, renderJUnit(report));
}
