/** The table of kills in KILLS.md: each operation on each engine may be run by itself, and in parts. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  /** Of so many calls at the beginning all were. */
  readonly early: number;
  /** It was run in so many parts. */
  readonly parts: number;
  readonly outcomes: readonly Outcome[];
}

/** Keeps the part, and writes the table anew from all that there are. */
export function writeKills(part: Part, number: number, engines: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const file of filesOf(part.engine, part.operation)) if (read(file).parts !== part.parts) rmSync(file);
  writeFileSync(join(folder, `${nameOf(part.engine, part.operation)}.${number}.json`), JSON.stringify(part));
  const operations = engines.flatMap((engine) => OPERATIONS.flatMap(({ name }) => joined(engine, name) ?? []));
  writeFileSync(join(import.meta.dirname, "../KILLS.md"), `${[INTRODUCTION, ...sections(operations)].join("\n\n")}\n`);
}

interface Operation extends Part {
  /** How many of its parts there are. */
  readonly done: number;
}

function joined(engine: string, operation: string): Operation | undefined {
  const parts = filesOf(engine, operation).map(read);
  const [first] = parts;
  return first && { ...first, done: parts.length, outcomes: parts.flatMap(({ outcomes }) => outcomes) };
}

function filesOf(engine: string, operation: string): string[] {
  return globSync(join(folder, `${nameOf(engine, operation)}.*.json`)).sort();
}

function nameOf(engine: string, operation: string): string {
  return `${engine.replaceAll(/\W+/g, "-")}.${operation}`;
}

function read(file: string): Part {
  return JSON.parse(readFileSync(file, "utf8")) as Part;
}

const INTRODUCTION = `# Killed runs

Written by \`npm run test:faults:full\`. The whole run (command, program, provider's host, engine) is killed with SIGKILL at a boundary of
one of its calls: before it is sent, after the service has committed it, after its answer, and when the state is first written after that.
Then the same command runs again, every other time on another machine that has the project and the state with what stands beside it, and
nothing else. A kill holds where the account is then what it is without one (nothing twice, nothing lost, no marker left, nothing of the
namesakes touched that others have), the key was told nowhere, and a further run plans nothing. Of subscriptions one orphan may be left, which is told.
Of reads one boundary is met.`;

function sections(parts: readonly Operation[]): string[] {
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

function line({ operation, step, early, done, parts, outcomes }: Operation): string[] {
  const own = outcomes.filter(({ call }) => call !== undefined);
  const counts = BOUNDARIES.map((boundary) => {
    const cells = own.filter((one) => one.boundary === boundary);
    return `${cells.filter(({ wrong }) => wrong.length === 0).length} of ${cells.length}`;
  });
  const orphans = own.reduce((sum, one) => sum + one.orphans, 0);
  const rest = `one in ${step}`;
  const met = step === 1 ? "all" : early === 0 ? rest : `all of the first ${early} calls, then ${rest}`;
  return [operation, done === parts ? met : `${done} of ${parts} parts of ${met}`, ...counts, String(orphans)];
}

function byCall(met: readonly Outcome[]): string[][] {
  const groups = [...Map.groupBy(met, ({ call = "" }) => call)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([call, cells]) => [
    `\`${call}\``,
    String(cells.length),
    String(cells.filter(({ wrong }) => wrong.length === 0).length),
  ]);
}
