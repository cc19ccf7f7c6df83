/** What a runner reads after the step: outputs for later steps, and the page of the job. */
import { appendFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import type { Report } from "../report/model.ts";

export function tellOutputs(file: string, report: Report): void {
  appendFileSync(file, outputsOf(report).map(outputLine).join(""));
}

export function tellSummary(file: string, markdown: string): void {
  appendFileSync(file, `${markdown}\n`);
}

/** By name; each is one line or a list of lines. */
export function outputsOf(report: Report): [name: string, value: string][] {
  const { counts, urls, result, drift, held = [] } = report;
  const changed = counts.create + counts.adopt + counts.update + counts.replace + counts.delete + counts.left;
  return [
    ["result", result],
    ["changes", String(changed)],
    ...(["create", "adopt", "update", "replace", "delete"] as const).map((op): [string, string] => [
      op,
      String(counts[op]),
    ]),
    ["drift", String((drift ?? []).length)],
    ["held", String(held.length)],
    ["urls", urls.join("\n")],
  ];
}

/** Between delimiters that no value can hold, as GitHub reads them. */
function outputLine([name, value]: [string, string]): string {
  const end = `end-${randomUUID()}`;
  return `${name}<<${end}\n${value}\n${end}\n`;
}
