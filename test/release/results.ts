/** The table of killed releases and undos in KILLS.md: all findings, a line per operation and engine. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Evidence } from "../faults/evidence.ts";
import { table } from "../faults/results.ts";
import { BOUNDARIES, type Boundary } from "../faults/whole/kill.ts";

export interface Kill {
  /** Undefined if the run had ended before. */
  readonly call: string | undefined;
  readonly boundary: Boundary;
  readonly wrong: readonly string[];
  /** The number of places where the operation could be killed. */
  readonly places: number;
}

export const killsOf = (engine: string, operation: string): Evidence<Kill> =>
  new Evidence(`release-kills/${`${engine}.${operation}`.replaceAll(/[^\w.]+/g, "-")}`);

export function writeKills(engines: readonly string[], operations: readonly string[]): void {
  const found = engines.flatMap((engine) =>
    operations.flatMap((operation) => {
      const { code, found: all } = killsOf(engine, operation).latest;
      return all.length === 0 ? [] : [{ engine, operation, code, met: all.length, kills: struckOf(all) }];
    }),
  );
  const kills = found.flatMap((one) => one.kills);
  const failed = found.flatMap((one) => one.kills.flatMap(({ wrong }) => wrong.map((line) => [one.operation, line])));
  const rows = found.map(({ engine, operation, code, met, kills: own }) => [
    ...[engine, operation, `${met} of ${Math.max(...own.map(({ places }) => places))}`],
    ...BOUNDARIES.map((boundary) => heldOf(own.filter((one) => one.boundary === boundary))),
    code,
  ]);
  const text = [
    INTRODUCTION,
    `**${kills.length} kills, ${kills.filter(({ wrong }) => wrong.length === 0).length} held.**`,
    table(["Engine", "Operation", "Met", ...BOUNDARIES, "Code"], rows),
    "## By call",
    table(["Call", "Held"], byCall(kills)),
    "## What did not hold",
    failed.length === 0 ? "Nothing." : table(["Operation", "What was wrong"], failed.map(asCells)),
  ].join("\n\n");
  writeFileSync(join(import.meta.dirname, "KILLS.md"), `${text}\n`);
}

const INTRODUCTION = `# Killed releases and undos

Written by \`npm run test:soak\`. The whole command is killed with SIGKILL, with all that it has started, at each boundary of each of its calls
that changes something, every other time to be gone on with on another machine. A kill holds where the next plan names what visitors get half of, the
next run of the same command brings all of it, the account then is what it is without a kill, and a further run plans nothing.`;

function struckOf(kills: readonly Kill[]): Kill[] {
  return kills.filter(({ call }) => call !== undefined);
}

function heldOf(kills: readonly Kill[]): string {
  return `${kills.filter(({ wrong }) => wrong.length === 0).length} of ${kills.length}`;
}

function byCall(kills: readonly Kill[]): string[][] {
  const groups = [...Map.groupBy(kills, ({ call = "" }) => call)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([call, own]) => [`\`${call}\``, heldOf(own)]);
}

function asCells(cells: readonly string[]): string[] {
  return cells.map((cell) => cell.replaceAll(/[|\s]+/g, " ").slice(0, 300));
}
