/**
 * LANDFORM_TESTS chooses the part of the suite. `npm test` runs the quick part, which leaves out each test and file with the tag "thorough". "rest"
 * runs what it left out, and once more what has the tag "repeated". "soak" repeats random and killed runs as often as before a release. Without it
 * everything runs, also a single named file. The closing line counts each left-out test as skipped.
 */
import { delimiter, dirname } from "node:path";
import { beforeEach, describe, test, type TestFunction } from "vitest";
import { findPulumi } from "../../scripts/get-pulumi.ts";

const PARTS = ["quick", "rest", "soak", "all"] as const;

export const asked = PARTS.find((part) => part === process.env["LANDFORM_TESTS"]) ?? "all";

/** True if more than the quick part runs. */
export const whole = asked !== "quick";

/** True for tests that show the same on both engines, if Pulumi is not likely to matter. They run on Pulumi's engine only before a release. */
export const leftToSoak = (engine: "embedded" | "pulumi"): boolean => engine === "pulumi" && asked !== "soak";

/** Pulumi's own engine, if there is one. The quick part runs only a sample on it. */
export const realEngine = whole ? findPulumi() : undefined;

/**
 * Runs the same stories on the embedded engine and on Pulumi's own. `path` returns the PATH with that engine before `rest`. On Pulumi's engine the
 * first `onPulumi` of them run with the rest, and all of them before a release.
 */
export function onBothEngines(
  tests: (engine: "embedded" | "pulumi", path: (rest: string) => string) => void,
  { onPulumi = 1 } = {},
): void {
  const timeout = 240_000;
  describe("on the embedded engine", { timeout }, () => tests("embedded", (rest) => rest));
  describe.skipIf(realEngine === undefined)("on Pulumi's engine", { timeout, tags: ["thorough"] }, () => {
    let begun = 0;
    beforeEach(({ skip }) => skip(asked !== "soak" && ++begun > onPulumi, "left to the run before a release"));
    tests("pulumi", (rest) => [dirname(realEngine ?? ""), rest].join(delimiter));
  });
}

/** The same, where the first story of another file shows Pulumi's part: on its engine, all of these run before a release. */
export function onBothAtRelease(tests: Parameters<typeof onBothEngines>[0]): void {
  onBothEngines(tests, { onPulumi: 0 });
}

/** A test that the quick part leaves out. */
export function thorough(name: string, run: TestFunction, timeout?: number): void {
  test(name, { tags: ["thorough"], timeout }, run);
}

/** Returns the number of repetitions of random or killed runs. */
export const rounds = (times: { quick: number; all: number; soak: number }): number =>
  asked === "soak" ? times.soak : whole ? times.all : times.quick;

/**
 * A table of which the quick part runs `quick` rows, spread evenly from the first to the last; 0 means none. `all`: the number of rows of a costly
 * table in all other runs but the one before a release. Default: the whole table.
 */
export function sampled<Row>(
  rows: readonly Row[],
  quick: number,
  all = Infinity,
): { run: readonly Row[]; leave: readonly Row[] } {
  const count = rounds({ quick, all, soak: Infinity });
  if (rows.length <= count) return { run: rows, leave: [] };
  if (count === 0) return { run: [], leave: rows };
  const step = (rows.length - 1) / Math.max(count - 1, 1);
  const taken = new Set(Array.from({ length: count }, (_, index) => Math.round(index * step)));
  return { run: rows.filter((_, index) => taken.has(index)), leave: rows.filter((_, index) => !taken.has(index)) };
}

/** Makes one test per row, as `test.each` does. The rows that the quick part leaves out are thorough. */
export function sampledTable<Row>(
  rows: readonly Row[],
  quick: number,
  title: (row: Row) => string,
  run: (row: Row) => Promise<void> | void,
  timeout?: number,
): void {
  const first = new Set(sampled(rows, quick).run);
  for (const row of rows) test(title(row), { tags: first.has(row) ? [] : ["thorough"], timeout }, () => run(row));
}
