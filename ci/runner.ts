/** What a runner reads after the step: outputs for later steps, and the page of the job. */
import { appendFileSync } from "node:fs";
import { printError } from "../story/print.ts";
import { randomUUID } from "node:crypto";
import type { Report } from "../stack/report/model.ts";

/** By name; each is one line or a list of lines. */
export type StepOutput = readonly [name: string, value: string];

export function tellOutputs(file: string, outputs: readonly StepOutput[]): void {
  append("the step's outputs", file, outputs.map(outputLine).join(""));
}

export function tellSummary(file: string, markdown: string): void {
  append("the job's summary", file, `${markdown}\n`);
}

/** A command to the runner, which reads both streams. Nothing else of ours begins like one: what is printed can't. */
export function tellRunner(command: string): void {
  process.stderr.write(`${command}\n`);
}

/** The run is what counts: what can't be told is told here. */
function append(what: string, file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    printError(`note: ${what} could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function outputsOf(report: Report): StepOutput[] {
  const { counts, leftovers, urls, result, drift, held = [] } = report;
  const made = counts.create + counts.adopt + counts.update + counts.replace;
  const changed = made + counts.delete + counts.left + (leftovers?.count ?? 0);
  return [
    ["result", result],
    ["changes", String(changed)],
    ...(["create", "adopt", "update", "replace", "delete"] as const).map((op): StepOutput => [op, String(counts[op])]),
    ["drift", String((drift ?? []).length)],
    ["held", String(held.length)],
    ["urls", urls.join("\n")],
  ];
}

/** Between delimiters that no value can hold, as GitHub reads them. */
function outputLine([name, value]: StepOutput): string {
  const end = `end-${randomUUID()}`;
  return `${name}<<${end}\n${value}\n${end}\n`;
}
