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

export const renderPlan = (report: Report, on: Canvas = canvas): string => planLines(storyOf(report), on).join("\n");

export const renderOutcome = (report: Report, on: Canvas = canvas): string =>
  outcomeLines(storyOf(report), on).join("\n");

export const renderMarkdown = (report: Report, options?: MarkdownOptions): string =>
  printMarkdown(storyOf(report), options);

export const renderHtml = (report: Report): string => printHtml(storyOf(report));

export const renderJUnit = (report: Report): string => printJUnit(storyOf(report));

export const forms: Readonly<Record<string, (report: Report) => string>> = {
  txt: (report) => renderPlan(report),
  md: (report) => renderMarkdown(report),
  json: (report) => jsonText(jsonReport(report)),
  xml: (report) => renderJUnit(report),
  html: (report) => renderHtml(report),
};
