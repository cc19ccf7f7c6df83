/**
 * What of the suite runs. `npm test` is the quick part; `npm run test:all` is everything; with LANDFORM_TESTS=rest only the
 * files that leave something out of the quick part run, whole; with LANDFORM_TESTS=full what is random or killed is repeated
 * as often as before a release. What is left out is declared and skipped, never filtered away: the closing line counts it.
 */
import { delimiter, dirname } from "node:path";
import { describe, test } from "vitest";
import { findPulumi } from "../../scripts/get-pulumi.ts";

/** What was asked for: nothing for the quick part. */
export const asked = process.env["LANDFORM_TESTS"];

/** Everything is asked for. */
export const whole = asked !== undefined;

/** The same on Pulumi's engine as on the embedded one, where nothing of Pulumi's is likely to matter: before a release only. */
export const leftToFull = (engine: "embedded" | "pulumi"): boolean => engine === "pulumi" && asked !== "full";

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
export function rounds(times: { quick: number; all: number; full: number }): number {
  return asked === "full" ? times.full : whole ? times.all : times.quick;
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
  const count = rounds({ quick, all, full: Infinity });
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
