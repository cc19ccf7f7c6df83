/** A report in each of its printed forms. */
import type { Report } from "../../stack/report/model.ts";
import { jsonReport } from "../../stack/report/json.ts";
import { jsonText } from "../../stack/report/printable.ts";
import { printHtml } from "../../story/html/print.ts";
import { printJUnit } from "../../story/reports.ts";
import { printMarkdown, type MarkdownOptions } from "../../story/markdown.ts";
import { storyOf } from "../../story/story.ts";
import { plainStyles } from "../../story/print.ts";
import { outcomeLines, planLines, type Canvas } from "../../story/terminal.ts";

export const canvas: Canvas = { styles: plainStyles, width: 100 };

export function renderPlan(report: Report, on: Canvas = canvas): string {
  return planLines(storyOf(report), on).join("\n");
}

export function renderOutcome(report: Report, on: Canvas = canvas): string {
  return outcomeLines(storyOf(report), on).join("\n");
}

export function renderMarkdown(report: Report, options?: MarkdownOptions): string {
  return printMarkdown(storyOf(report), options);
}

export function renderHtml(report: Report): string {
  return printHtml(storyOf(report));
}

export function renderJUnit(report: Report): string {
  return printJUnit(storyOf(report));
}

export const forms: Readonly<Record<string, (report: Report) => string>> = {
  txt: (report) => renderPlan(report),
  md: (report) => renderMarkdown(report),
  json: (report) => jsonText(jsonReport(report)),
  xml: (report) => renderJUnit(report),
  html: (report) => renderHtml(report),
};
