/** The table in MATRIX.md from full runs of the matrix: all findings, a line per sort of edit and service. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Evidence } from "../faults/evidence.ts";
import { table } from "../faults/results.ts";
import type { Played } from "./desk.ts";

interface Found extends Played {
  readonly engine: "embedded" | "pulumi";
  readonly service: string;
}

type Row = Played["cells"][number] & Pick<Found, "engine" | "service">;

export const evidence = new Evidence<Found>("stowaways");

/** Returns the faults, a line per cell. */
export function linesOf({ cells, wrong }: Played): string[] {
  const lines = cells.flatMap(({ wrong: faults, ...cell }) =>
    faults.map((fault) => `${Object.values(cell).join(", ")}: ${fault}`),
  );
  return [...lines, ...wrong];
}

export function writeMatrix(): void {
  writeFileSync(join(import.meta.dirname, "MATRIX.md"), matrixOf(evidence.found, evidence.codes));
}

function matrixOf(found: readonly Found[], codes: readonly string[]): string {
  const rows = found.flatMap(({ engine, service, cells }): Row[] =>
    cells.map((cell) => ({ ...cell, engine, service })),
  );
  const failed = found.flatMap((one) => linesOf(one).map((line) => [one.engine, one.service, textOf(line)]));
  return `${[
    "# Edits of others in a draft",
    "Written by `npm run test:soak`. A page has its cell: somebody edits its draft (a key, a declared key, a builder node; or a tag and metadata, which visitors don't see), before the plan, between plan and apply, or between the last look and the publication; the page says `hold` or `include`; this stack has published it, or takes it over now, or did so before. A cell holds where visitors get what the word says and nothing half, and plan and report name what waits, goes along or slipped in. Then somebody publishes what they had begun: the next run brings all of ours, and one more plans nothing.",
    `**${rows.length} cells, ${rows.filter(({ wrong }) => wrong.length === 0).length} held**, on the code of ${codes.join(" and ")}.`,
    "## By engine and service",
    table(
      ["Engine", "The service", "Cells", "Held"],
      grouped(rows, ({ engine, service }) => [engine, service]),
    ),
    "## By edit and word",
    table(
      ["Edit", "When", "Word", "Cells", "Held"],
      grouped(rows, ({ edit, moment, word }) => [edit, moment, `\`${word}\``]),
    ),
    "## By page",
    table(
      ["The page was", "Cells", "Held"],
      grouped(rows, ({ known }) => [known]),
    ),
    "## What did not hold",
    failed.length === 0 ? "Nothing." : table(["Engine", "The service", "What was wrong"], failed),
  ].join("\n\n")}\n`;
}

function textOf(line: string): string {
  return line.replaceAll(/[|\s]+/g, " ").slice(0, 300);
}

function grouped(rows: readonly Row[], by: (row: Row) => readonly string[]): string[][] {
  return [...Map.groupBy(rows, (row) => by(row).join("\t"))].map(([key, group]) => [
    ...key.split("\t"),
    String(group.length),
    String(group.filter(({ wrong }) => wrong.length === 0).length),
  ]);
}
