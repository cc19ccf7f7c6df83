/** The table that a full run of the kills leaves in KILLS.md. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../results.ts";
import { BOUNDARIES, OPERATIONS, type Outcome } from "./kill.ts";

export function writeKills(outcomes: ReadonlyMap<string, readonly Outcome[]>): void {
  writeFileSync(join(import.meta.dirname, "../KILLS.md"), `${[INTRODUCTION, ...parts(outcomes)].join("\n\n")}\n`);
}

const INTRODUCTION = `# Killed runs

Written by \`npm run test:faults:full\`. The whole run (command, program, provider's host, engine) is killed with SIGKILL at a boundary of
one of its calls: before it is sent, after the service has committed it, after its answer, and when the state is first written after that.
Then the same command runs again, every other time on another machine that has the project and the state with what stands beside it, and
nothing else. A kill holds where the account is then what it is without one (nothing twice, nothing lost, no marker left, nothing of the
namesakes touched that others have), the key was told nowhere, and a further run plans nothing. Of subscriptions one orphan may be left, which is told.
Of reads one boundary is met.`;

function parts(outcomes: ReadonlyMap<string, readonly Outcome[]>): string[] {
  return [...outcomes].flatMap(([engine, all]) => {
    const met = all.filter(({ call }) => call !== undefined);
    const held = met.filter(({ wrong }) => wrong.length === 0);
    return [
      `## On ${engine}`,
      `**${met.length} kills, ${held.length} held.** A run ended before the call came ${all.length - met.length} times.`,
      table(
        ["Operation", ...BOUNDARIES, "Orphaned hooks, told"],
        OPERATIONS.map(({ name }) => line(name, met)),
      ),
      "By call:",
      table(["Call", "Kills", "Held"], byCall(met)),
    ];
  });
}

function line(name: string, met: readonly Outcome[]): string[] {
  const own = met.filter(({ operation }) => operation === name);
  const counts = BOUNDARIES.map((boundary) => {
    const cells = own.filter((one) => one.boundary === boundary);
    return `${cells.filter(({ wrong }) => wrong.length === 0).length} of ${cells.length}`;
  });
  return [name, ...counts, String(own.reduce((sum, { orphans }) => sum + orphans, 0))];
}

function byCall(met: readonly Outcome[]): string[][] {
  const groups = [...Map.groupBy(met, ({ call = "" }) => call)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([call, cells]) => [
    `\`${call}\``,
    String(cells.length),
    String(cells.filter(({ wrong }) => wrong.length === 0).length),
  ]);
}
