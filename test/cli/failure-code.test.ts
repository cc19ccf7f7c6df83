/** The exit code of a failed run: a refusal says that nothing was sent. */
import { expect, test } from "vitest";
import type { Counts, Failure } from "../../stack/report/model.ts";
import { failureCode } from "../../stack/exit/report.ts";

const NONE: Counts = {
  ...{ create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, held: 0, same: 1 },
  ...{ mayFollow: 0, failed: 1, unfinished: 0, unreached: 1 },
};
const stale: Failure = { cause: "stale", message: "it is no longer what was reviewed" };
const program: Failure = { cause: "program", message: "it takes no such thing" };

test.each([
  [[stale], NONE, true, 3],
  [[stale], { ...NONE, create: 1 }, true, 1],
  [[stale], { ...NONE, left: 1 }, true, 1],
  [[stale], { ...NONE, create: 1 }, false, 3],
  [[program], NONE, false, 4],
  [[program], NONE, true, 1],
])("%# ends with its code", (failures, counts, sent, code) => {
  expect(failureCode({ failures, counts }, { sent })).toBe(code);
});
