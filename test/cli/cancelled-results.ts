/** The table of cancelled jobs in CANCELLED.md. Each engine and moment may run by itself. */
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../faults/results.ts";

export type EndedBy = "SIGINT" | "SIGTERM" | "SIGKILL";

/** A cancelled run. */
interface Moment {
  readonly engine: string;
  /** The moment, out of so many spread over the calls of a run. */
  readonly moment: number;
  readonly moments: number;
  /** True if the account no longer answers. */
  readonly hangs: boolean;
  readonly endedBy: EndedBy;
  readonly seconds: number;
  readonly held: boolean;
}

const repository = join(import.meta.dirname, "../..");
const folder = join(repository, ".cache/cancelled");

/** Keeps the result of a moment, and writes the table again from all results. */
export function keepMoment(moment: Moment): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${moment.engine}.${moment.moment}.json`);
  writeFileSync(file, JSON.stringify({ ...moment, commit: commit() }));
  writeMoments(moment.moments);
}

/** Writes the table of runs that were cancelled at so many moments. */
export function writeMoments(moments: number): void {
  const all = globSync(join(folder, "*.json")).map((one) => JSON.parse(readFileSync(one, "utf8")) as Kept);
  writeFileSync(join(import.meta.dirname, "CANCELLED.md"), resultsOf(all.filter((one) => one.moments === moments)));
}

interface Kept extends Moment {
  readonly commit: string;
}

function commit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: repository, encoding: "utf8" }).trim();
}

function resultsOf(all: readonly Kept[]): string {
  const groups = Map.groupBy(all, ({ engine, hangs }) => `${engine} ${hangs}`);
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => row(own));
  const headings = ["Engine", "The account", "Moments", "Held", "Ended by SIGINT", "by SIGTERM", "by SIGKILL"];
  return `${["# Cancelled jobs", INTRODUCTION, table([...headings, "Longest, s", "At commit"], rows)].join("\n\n")}\n`;
}

const INTRODUCTION = `Written by \`npm run test:soak\`. A run is told to end (SIGINT) at one of 30 moments between its calls, told again 7.5 s later
(SIGTERM), and all that it has started is ended 2.5 s after that (SIGKILL). At every other moment the account answers no more. A moment
holds where no lock is left then, the next run makes the account whole without a second of anything, and a further one plans nothing.`;

function row(own: readonly Kept[]): string[] {
  const by = (signal: EndedBy): number => own.filter(({ endedBy }) => endedBy === signal).length;
  const [first] = own;
  const half = (first?.moments ?? 0) / 2;
  const asked = first?.hangs === true ? Math.ceil(half) : Math.floor(half);
  const counts = [
    `${own.length} of ${asked}`,
    own.filter(({ held }) => held).length,
    by("SIGINT"),
    by("SIGTERM"),
    by("SIGKILL"),
  ];
  const longest = Math.max(...own.map(({ seconds }) => seconds)).toFixed(1);
  const account = first?.hangs === true ? "answers no more" : "answers";
  const commits = [...new Set(own.map((one) => one.commit))].join(", ");
  return [first?.engine ?? "", account, ...counts.map(String), longest, commits];
}
