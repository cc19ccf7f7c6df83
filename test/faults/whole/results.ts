/** The table of kills in KILLS.md: each operation on each engine is a part, which may be run by itself. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../results.ts";
import { BOUNDARIES, OPERATIONS, type Outcome } from "./kill.ts";

const folder = join(import.meta.dirname, "../../../.cache/kills");

/** What came of one operation on one engine. */
export interface Part {
  readonly engine: string;
  readonly operation: string;
  /** Of the boundaries of its calls every so-many-th was met. */
  readonly step: number;
  readonly outcomes: readonly Outcome[];
}

/** Keeps the part, and writes the table anew from all parts that there are. */
export function writeKills(part: Part, engines: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(part.engine, part.operation), JSON.stringify(part));
  const parts = engines.flatMap((engine) => OPERATIONS.flatMap(({ name }) => partOf(engine, name) ?? []));
  writeFileSync(join(import.meta.dirname, "../KILLS.md"), `${[INTRODUCTION, ...sections(parts)].join("\n\n")}\n`);
}

function partOf(engine: string, operation: string): Part | undefined {
  const file = fileOf(engine, operation);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Part) : undefined;
}

function fileOf(engine: string, operation: string): string {
  return join(folder, `${engine.replaceAll(/\W+/g, "-")}.${operation}.json`);
}

const INTRODUCTION = `# Killed runs

Written by \`npm run test:faults:full\`. The whole run (command, program, provider's host, engine) is killed with SIGKILL at a boundary of
one of its calls: before it is sent, after the service has committed it, after its answer, and when the state is first written after that.
Then the same command runs again, every other time on another machine that has the project and the state with what stands beside it, and
nothing else. A kill holds where the account is then what it is without one (nothing twice, nothing lost, no marker left, nothing of the
namesakes touched that others have), the key was told nowhere, and a further run plans nothing. Of subscriptions one orphan may be left, which is told.
Of reads one boundary is met.`;

function sections(parts: readonly Part[]): string[] {
  return [...Map.groupBy(parts, ({ engine }) => engine)].flatMap(([engine, own]) => {
    const all = own.flatMap(({ outcomes }) => outcomes);
    const met = all.filter(({ call }) => call !== undefined);
    const held = met.filter(({ wrong }) => wrong.length === 0);
    return [
      `## On ${engine}`,
      `**${met.length} kills, ${held.length} held.** A run ended before the call came ${all.length - met.length} times.`,
      table(["Operation", "Met", ...BOUNDARIES, "Orphaned hooks, told"], own.map(line)),
      "By call:",
      table(["Call", "Kills", "Held"], byCall(met)),
    ];
  });
}

function line({ operation, step, outcomes }: Part): string[] {
  const own = outcomes.filter(({ call }) => call !== undefined);
  const counts = BOUNDARIES.map((boundary) => {
    const cells = own.filter((one) => one.boundary === boundary);
    return `${cells.filter(({ wrong }) => wrong.length === 0).length} of ${cells.length}`;
  });
  const orphans = own.reduce((sum, one) => sum + one.orphans, 0);
  return [operation, step === 1 ? "all" : `one in ${step}`, ...counts, String(orphans)];
}

function byCall(met: readonly Outcome[]): string[][] {
  const groups = [...Map.groupBy(met, ({ call = "" }) => call)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([call, cells]) => [
    `\`${call}\``,
    String(cells.length),
    String(cells.filter(({ wrong }) => wrong.length === 0).length),
  ]);
}
