/** The table of kills in KILLS.md, of what was found by now: each operation on each engine may be run by itself. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Evidence } from "../evidence.ts";
import { table } from "../results.ts";
import { BOUNDARIES, OPERATIONS, type Outcome } from "./kill.ts";

interface Kill extends Outcome {
  /** At how many places the operation could be killed then. */
  readonly places: number;
}

export const killsOf = (engine: string, operation: string): Evidence<Kill> =>
  new Evidence(`kills/${engine.replaceAll(/\W+/g, "-")}.${operation}`);

export function writeKills(engines: readonly string[]): void {
  const rows = engines.flatMap((engine) => OPERATIONS.flatMap(({ name }) => rowOf(engine, name) ?? []));
  writeFileSync(join(import.meta.dirname, "../KILLS.md"), `${[INTRODUCTION, ...sections(rows)].join("\n\n")}\n`);
}

interface Row {
  readonly engine: string;
  readonly operation: string;
  readonly codes: readonly string[];
  readonly kills: readonly Kill[];
}

function rowOf(engine: string, operation: string): Row | undefined {
  const { found, codes } = killsOf(engine, operation);
  const places = found.at(-1)?.places;
  // An operation that makes other calls than before has other places.
  const kills = found.filter((one) => one.places === places);
  return kills.length === 0 ? undefined : { engine, operation, codes, kills };
}

const INTRODUCTION = `# Killed runs

Written by \`npm run test:faults:full\`. The whole run (command, program, provider's host, engine) is killed with SIGKILL at a boundary of
one of its calls: before it is sent, after the service has committed it, after its answer, and when the state is first written after that.
Then the same command runs again, every other time on another machine that has the project and the state with what stands beside it, and
nothing else. A kill holds where the account is then what it is without one (nothing twice, nothing lost, no marker left, nothing of the
namesakes touched that others have), the key was told nowhere, and a further run plans nothing. Of subscriptions one orphan may be left, which is told.
Of reads one boundary is met.`;

function sections(rows: readonly Row[]): string[] {
  return [...Map.groupBy(rows, ({ engine }) => engine)].flatMap(([engine, own]) => {
    const all = own.flatMap(({ kills }) => kills);
    const met = all.filter(({ call }) => call !== undefined);
    const held = met.filter(({ wrong }) => wrong.length === 0);
    return [
      `## On ${engine}`,
      `**${met.length} kills, ${held.length} held.** A run ended before the call came ${all.length - met.length} times.`,
      table(["Operation", "Met", ...BOUNDARIES, "Orphaned hooks, told", "Code"], own.map(line)),
      "By call:",
      table(["Call", "Kills", "Held"], byCall(met)),
    ];
  });
}

function line({ operation, codes, kills }: Row): string[] {
  const own = kills.filter(({ call }) => call !== undefined);
  const counts = BOUNDARIES.map((boundary) => {
    const cells = own.filter((one) => one.boundary === boundary);
    return `${cells.filter(({ wrong }) => wrong.length === 0).length} of ${cells.length}`;
  });
  const orphans = own.reduce((sum, one) => sum + one.orphans, 0);
  const places = kills[0]?.places ?? 0;
  const met = kills.length === places ? `all ${places}` : `${kills.length} of ${places}`;
  return [operation, met, ...counts, String(orphans), codes.join(", ")];
}

function byCall(met: readonly Kill[]): string[][] {
  const groups = [...Map.groupBy(met, ({ call = "" }) => call)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([call, cells]) => [
    `\`${call}\``,
    String(cells.length),
    String(cells.filter(({ wrong }) => wrong.length === 0).length),
  ]);
}
