/**
 * LANDFORM_TESTS says which part of the suite runs. `npm test` runs the quick part: it leaves out each test and file that is tagged
 * "thorough". "rest" runs the files that the quick part did not run whole. "soak" repeats random and killed runs as often as before a
 * release. Without it everything runs, also where one file is named. The closing line counts each test that was left out as skipped.
 */
import { delimiter, dirname } from "node:path";
import { describe, test } from "vitest";
import { findPulumi } from "../../scripts/get-pulumi.ts";

const PARTS = ["quick", "rest", "soak", "all"] as const;

/** The part that was asked for. */
export const asked = PARTS.find((part) => part === process.env["LANDFORM_TESTS"]) ?? "all";

/** More than the quick part is asked for. */
export const whole = asked !== "quick";

/** The same on Pulumi's engine as on the embedded one, where nothing of Pulumi's is likely to matter: before a release only. */
export const leftToSoak = (engine: "embedded" | "pulumi"): boolean => engine === "pulumi" && asked !== "soak";

/** Pulumi's own engine, where there is one; the quick part leaves it out but for a sample. */
export const realEngine = whole ? findPulumi() : undefined;

/** The same tests on the embedded engine and on Pulumi's own; `path` is the PATH on which that is found, before `rest`. */
export function onBothEngines(tests: (engine: "embedded" | "pulumi", path: (rest: string) => string) => void): void {
  const timeout = 240_000;
  describe("on the embedded engine", { timeout }, () => tests("embedded", (rest) => rest));
  describe.skipIf(realEngine === undefined)("on Pulumi's engine", { timeout }, () =>
    tests("pulumi", (rest) => [dirname(realEngine ?? ""), rest].join(delimiter)),
  );
}

/** How often what is random or killed is repeated. */
export function rounds(times: { quick: number; all: number; soak: number }): number {
  return asked === "soak" ? times.soak : whole ? times.all : times.quick;
}

/**
 * A table of which the quick part runs `quick` rows, spread evenly from the first to the last; none, where that is 0. `all`: how
 * many of a costly table everything runs that is not the run before a release; by default the whole of it.
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

/** One test a row, as `test.each`; the rows that the quick part leaves out are skipped by name. */
export function sampledTable<Row>(
  rows: readonly Row[],
  quick: number,
  title: (row: Row) => string,
  run: (row: Row) => Promise<void> | void,
  timeout?: number,
): void {
  const { run: now, leave } = sampled(rows, quick);
  const chosen = new Set(now);
  for (const row of rows) {
    if (chosen.has(row)) test(title(row), () => run(row), timeout);
  }
  for (const row of leave) test.skip(title(row));
}
