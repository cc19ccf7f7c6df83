/** The table in RESULTS.md from a full run of the matrix. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Evidence } from "./evidence.ts";

export interface Cell {
  /** The service's variant. */
  readonly service: string;
  readonly scenario: string;
  readonly phase: number;
  readonly call: string;
  readonly fault: string;
  /** One line each; empty if the stack got over the fault. */
  readonly wrong: readonly string[];
}

export function writeResults(evidence: Evidence<Cell>): void {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), resultsOf(evidence));
}

function resultsOf({ found: cells, codes }: Evidence<Cell>): string {
  const failed = cells.filter(({ wrong }) => wrong.length > 0);
  const held = cells.length - failed.length;
  return `${[
    "# The matrix of faults",
    "Written by `npm run test:soak`. Each call that changes something met each class of fault once, at its place in the life of a resource, of the service as the emulator is by default and of three that are otherwise where the specification leaves it open; then the stack was run again without the fault. A cell holds where the account and the state are in the end what they are without a fault: nothing twice, nothing lost, nothing of another stack touched, no marker left, nothing planned by a second run, the key nowhere.",
    `**${cells.length} cells, ${held} held**, on the code of ${codes.join(" and ")}.`,
    "## By call",
    table(["Resource", "Step", "Call", "Cells", "Held"], byCall(cells)),
    "## By service",
    table(
      ["The service", "Cells", "Held"],
      grouped(cells, ({ service }) => service),
    ),
    "## By class of fault",
    table(
      ["Fault", "Cells", "Held"],
      grouped(cells, ({ fault }) => fault),
    ),
    "## What did not hold",
    failed.length === 0
      ? "Nothing."
      : table(
          ["The service", "Resource", "Call", "Fault", "What was wrong"],
          failed.map(({ service, scenario, call, fault, wrong: [first = ""] }) => [
            ...[service, scenario, `\`${call}\``, fault],
            first.replaceAll(/[|\s]+/g, " ").slice(0, 200),
          ]),
        ),
  ].join("\n\n")}\n`;
}

function byCall(cells: readonly Cell[]): string[][] {
  return grouped(cells, ({ scenario, phase, call }) => [scenario, `${phase + 1}`, `\`${call}\``].join("\t")).map(
    ([key = "", ...counts]) => [...key.split("\t"), ...counts],
  );
}

function grouped(cells: readonly Cell[], by: (cell: Cell) => string): string[][] {
  return [...Map.groupBy(cells, by)].map(([key, group]) => [
    key,
    String(group.length),
    String(group.filter(({ wrong }) => wrong.length === 0).length),
  ]);
}

export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
  return [line(headings), line(headings.map(() => "---")), ...rows.map(line)].join("\n");
}
