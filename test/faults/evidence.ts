/**
 * The findings of long runs, one line each, appended to a file: an interrupted run loses nothing, and the next run of the same code goes on from
 * there. `LANDFORM_MINUTES` ends a run after that time.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const folder = join(root, ".cache/evidence");

/** The code that runs: its commit, with a mark if its files have changed since. */
export const CODE = codeHere();

function codeHere(): string {
  const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const commit = git("rev-parse", "--short=7", "HEAD");
  return git(
    "status",
    "--porcelain",
    "--",
    "provider",
    "engine",
    "stack",
    "ci",
    "story",
    "cli",
    "manifest",
    "emulator",
    "schema",
  ) === ""
    ? commit
    : `${commit}, changed`;
}

interface Line<Found> {
  /** The subject of the finding. A later line about it counts. */
  readonly of: string;
  readonly code: string;
  readonly found: Found;
}

export class Evidence<Found> {
  readonly #file: string;
  readonly #lines = new Map<string, Line<Found>>();
  #last: Line<Found> | undefined;

  /** `name`: a file in .cache/evidence. */
  constructor(name: string) {
    this.#file = join(folder, `${name}.jsonl`);
    if (!existsSync(this.#file)) return;
    const kept = readFileSync(this.#file);
    const whole = kept.lastIndexOf("\n") + 1;
    // A run that was killed while it wrote leaves a broken line.
    if (whole < kept.length) truncateSync(this.#file, whole);
    for (const text of kept.toString("utf8", 0, whole).split("\n").slice(0, -1)) {
      const line = JSON.parse(text) as Line<Found>;
      this.#keep(line);
    }
  }

  /** Tells if this was tried on the present code. */
  has(of: string): boolean {
    return this.#lines.get(of)?.code === CODE;
  }

  add(of: string, found: Found): void {
    const line = { of, code: CODE, found };
    mkdirSync(dirname(this.#file), { recursive: true });
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    this.#keep(line);
  }

  #keep(line: Line<Found>): void {
    this.#lines.set(line.of, line);
    this.#last = line;
  }

  get found(): Found[] {
    return [...this.#lines.values()].map(({ found }) => found);
  }

  /** Returns the findings of the code that was tried last. */
  get latest(): { code: string; found: Found[] } {
    const lines = [...this.#lines.values()];
    const code = this.#last?.code ?? CODE;
    return { code, found: lines.filter((line) => line.code === code).map(({ found }) => found) };
  }

  /** Returns the code versions of the findings. */
  get codes(): string[] {
    return [...new Set([...this.#lines.values()].map(({ code }) => code))];
  }
}

const minutes = Number(process.env["LANDFORM_MINUTES"] ?? Infinity);
// A test's clock may put Date.now forward, so this uses hrtime.
const beganAt = process.hrtime()[0];

/** Tells if the time of this run is over. */
export function isOver(): boolean {
  return process.hrtime([beganAt, 0])[0] > minutes * 60;
}

/** Orders cells so that any number of first ones is an even share of all. */
export function evenly<Cell>(cells: readonly Cell[]): Cell[] {
  const steps = Array.from({ length: Math.ceil(Math.log2(Math.max(cells.length, 2))) }, (_, power) => 2 ** power);
  const turns = steps.reverse().map((step) => cells.filter((_, at) => at % (step * 2) === step));
  return [...cells.slice(0, 1), ...turns.flat()];
}
