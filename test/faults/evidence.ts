/**
 * What long runs find, one line each in a file that they append to: a run that is interrupted loses nothing, and the next one of
 * the same code goes on where it broke off. `LANDFORM_MINUTES` ends a run after that time, to be gone on with.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const folder = join(root, ".cache/evidence");

/** The code that is run: its commit, with a mark where files of it have changed since. */
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
  /** What was tried: a later line about it is the one that counts. */
  readonly of: string;
  readonly code: string;
  readonly found: Found;
}

export class Evidence<Found> {
  readonly #file: string;
  readonly #lines = new Map<string, Line<Found>>();
  #last: Line<Found> | undefined;

  /** `name`: of a file in .cache/evidence. */
  constructor(name: string) {
    this.#file = join(folder, `${name}.jsonl`);
    if (!existsSync(this.#file)) return;
    const kept = readFileSync(this.#file);
    const whole = kept.lastIndexOf("\n") + 1;
    // Of a run that was killed while it wrote.
    if (whole < kept.length) truncateSync(this.#file, whole);
    for (const text of kept.toString("utf8", 0, whole).split("\n").slice(0, -1)) {
      const line = JSON.parse(text) as Line<Found>;
      this.#keep(line);
    }
  }

  /** This was tried on the code that is run. */
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

  /** What was found on the code that was tried last. */
  get latest(): { code: string; found: Found[] } {
    const lines = [...this.#lines.values()];
    const code = this.#last?.code ?? CODE;
    return { code, found: lines.filter((line) => line.code === code).map(({ found }) => found) };
  }

  /** On which code it was found. */
  get codes(): string[] {
    return [...new Set([...this.#lines.values()].map(({ code }) => code))];
  }
}

const minutes = Number(process.env["LANDFORM_MINUTES"] ?? Infinity);
// Not by Date.now, which a test's clock may put forward.
const beganAt = process.hrtime()[0];

/** The time that this run was given is over. */
export function isOver(): boolean {
  return process.hrtime([beganAt, 0])[0] > minutes * 60;
}

/** In such an order that the first so many are an even share of all, however many they are. */
export function evenly<Cell>(cells: readonly Cell[]): Cell[] {
  const steps = Array.from({ length: Math.ceil(Math.log2(Math.max(cells.length, 2))) }, (_, power) => 2 ** power);
  const turns = steps.reverse().map((step) => cells.filter((_, at) => at % (step * 2) === step));
  return [...cells.slice(0, 1), ...turns.flat()];
}
