/** The table of kills in KILLS.md, from all findings. Each operation on each engine may run by itself. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Evidence } from "../evidence.ts";
import { table } from "../results.ts";
import { BOUNDARIES, OPERATIONS, type Outcome } from "./kill.ts";

interface Kill extends Outcome {
  /** The number of places where the operation could be killed. */
  readonly places: number;
}

export const killsOf = (engine: string, operation: string): Evidence<Kill> =>
  new Evidence(`kills/${engine.replaceAll(/\W+/g, "-")}.${operation}`);

const file = join(import.meta.dirname, "../KILLS.md");

/** Untried lines stay as an earlier run wrote them. */
export function writeKills(engines: readonly string[]): void {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const all = engines.flatMap((engine) => sectionsOf(engine, before));
  writeFileSync(file, `${[INTRODUCTION, ...all].join("\n\n")}\n`);
}

interface Found {
  readonly code: string;
  readonly kills: readonly Kill[];
}

function foundIn(engine: string, operation: string): Found | undefined {
  const { code, found } = killsOf(engine, operation).latest;
  return found.length === 0 ? undefined : { code, kills: found };
}

const INTRODUCTION = `# Killed runs

Written by \`npm run test:soak\`. The whole run (command, program, provider's host, engine) is killed with SIGKILL at a boundary of
one of its calls: before it is sent, after the service has committed it, after its answer, and when the state is first written after that.
Then the same command runs again, every other time on another machine that has the project and the state with what stands beside it, and
nothing else. A kill holds where the account is then what it is without one (nothing twice, nothing lost, no marker left, nothing of the
namesakes touched that others have), the key was told nowhere, and a further run plans nothing. Of subscriptions one orphan may be left, which is told.
Of reads one boundary is met. Where plain Pulumi was killed while it wrote its state, an empty \`.json.attrs\` beside that is deleted first, as docs/troubleshooting.md says.`;

function sectionsOf(engine: string, before: string): string[] {
  const found = OPERATIONS.map(({ name }) => ({ name, now: foundIn(engine, name) }));
  const rows = found.flatMap(({ name, now }) => {
    const row = now ? line(name, now) : rowBefore(engine, name, before);
    return row ? [row] : [];
  });
  if (rows.length === 0) return [];
  const [held, kills] = [1, 2].map((part) => sumOf(rows, part));
  const met = found.flatMap(({ now }) => now?.kills ?? []).filter(({ call }) => call !== undefined);
  return [
    `## On ${engine}`,
    `**${kills} kills, ${held} held.**`,
    table(["Operation", "Met", ...BOUNDARIES, "Orphaned hooks, told", "Code"], rows),
    ...(met.length === 0 ? [] : ["By call, of the latest runs:", table(["Call", "Kills", "Held"], byCall(met))]),
  ];
}

function rowBefore(engine: string, operation: string, before: string): string[] | undefined {
  const [, section = ""] = before.split(`\n## On ${engine}\n`);
  const [own = ""] = section.split("\n## ");
  const row = own.split("\n").find((text) => text.startsWith(`| ${operation} |`));
  return row
    ?.split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Adds up the counts `3 of 4` by boundary. */
function sumOf(rows: readonly (readonly string[])[], part: number): number {
  const counts = rows.flatMap((row) => row.slice(2, 2 + BOUNDARIES.length));
  return counts.reduce((sum, count) => sum + Number(/^(\d+) of (\d+)$/.exec(count)?.[part] ?? 0), 0);
}

function line(operation: string, { code, kills }: Found): string[] {
  const own = kills.filter(({ call }) => call !== undefined);
  const counts = BOUNDARIES.map((boundary) => {
    const cells = own.filter((one) => one.boundary === boundary);
    return `${cells.filter(({ wrong }) => wrong.length === 0).length} of ${cells.length}`;
  });
  const orphans = own.reduce((sum, one) => sum + one.orphans, 0);
  // Parallel work takes turns, so the number and order of calls differ a little between runs.
  const places = kills.at(-1)?.places ?? 0;
  const met = kills.length >= places ? "all" : `${kills.length} of ${places}`;
  return [operation, met, ...counts, String(orphans), code];
}

function byCall(met: readonly Kill[]): string[][] {
  const groups = [...Map.groupBy(met, ({ call = "" }) => call)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([call, cells]) => [
    `\`${call}\``,
    String(cells.length),
    String(cells.filter(({ wrong }) => wrong.length === 0).length),
  ]);
}
