/** The number of deletions and replacements that one run may make without a word. */
import { describe, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { refusal } from "../../stack/checks/safety.ts";
import type { SafetyOptions } from "../../stack/options.ts";
import { parseLimit } from "../../stack/options.ts";

type Plan = Partial<Report["counts"]> & { readonly perhaps?: number };

function report({ perhaps = 0, ...counts }: Plan): Report {
  const none = { same: 0, mayFollow: 0, update: 0, create: 0, adopt: 0, delete: 0, left: 0, held: 0, replace: 0 };
  const changes = Array.from({ length: perhaps }, () => ({ reason: { code: "perhaps replaced" } }));
  const others = [{ reason: { code: "replaced" } }, {}];
  return { result: "succeeded", counts: { ...none, ...counts }, changes: [...changes, ...others] } as unknown as Report;
}

const limit = (amount: number, percent = false): SafetyOptions => ({ maxDeletes: { amount, percent } });
const allows = (plan: Plan, choice: SafetyOptions = {}): boolean => refusal(report(plan), choice) === undefined;

describe("without a word of the user", () => {
  test.each<[string, Plan, boolean]>([
    ["three of ten", { same: 7, delete: 3 }, true],
    ["four of ten", { same: 6, delete: 4 }, false],
    ["four of ten, by deletion and replacement", { same: 6, delete: 2, replace: 2 }, false],
    ["four of ten, some of which the API only leaves behind", { same: 6, delete: 2, left: 2 }, false],
    ["four of ten, one of which may be replaced", { same: 6, update: 1, delete: 3, perhaps: 1 }, false],
    ["all of nine", { delete: 9 }, true],
    ["all of ten", { delete: 10 }, false],
    ["all of ten, by replacement", { replace: 10 }, false],
    ["nothing of a hundred", { same: 50, update: 50, create: 90 }, true],
    ["what is created is not there yet", { same: 6, delete: 4, create: 90 }, false],
    ["what is updated is there", { same: 3, update: 4, delete: 3 }, true],
    ["what may follow from another one is there", { same: 3, mayFollow: 4, delete: 3 }, true],
    ["four of ten, most of which may follow from another one", { same: 2, mayFollow: 4, delete: 4 }, false],
    ["nothing of nothing", {}, true],
  ])("%s", (_, plan, allowed) => expect(allows(plan)).toBe(allowed));
});

test("a limit of one's own counts for small stacks, too, as a number and as a share", () => {
  const two = { same: 2, delete: 2 };
  expect(allows(two, limit(2))).toBe(true);
  expect(allows(two, limit(1))).toBe(false);
  expect(allows(two, limit(50, true))).toBe(true);
  expect(allows(two, limit(49, true))).toBe(false);
  expect(allows({ same: 100, delete: 1 }, limit(0, true))).toBe(false);
  expect(allows({ delete: 50, same: 50 }, { ...limit(0), force: true })).toBe(true);
});

test("the refusal has the numbers, and what would allow it", () => {
  expect(refusal(report({ same: 6, delete: 3, left: 1, replace: 2 }), {})).toEqual({
    text: "this plan deletes 3 and leaves behind 1 and replaces 2: 6 of 12 resources (50 %), and the limit is 30 %",
    allowed: "--max-deletes 6 (or --force)",
  });
  expect(refusal(report({ same: 6, delete: 1, replace: 2, perhaps: 3 }), limit(1))).toEqual({
    text: "this plan deletes 1 and replaces 2 (perhaps 5): 6 of 9 resources (67 %), and the limit is 1",
    allowed: "--max-deletes 6 (or --force)",
  });
  expect(refusal(report({ same: 8, delete: 4 }), limit(33, true))?.text).toBe(
    "this plan deletes 4 of 12 resources (33.4 %), and the limit is 33 %",
  );
  expect(refusal(report({ perhaps: 1 }), limit(0))?.text).toContain(" of 0 resources (100 %)");
});

test.each<[string, ReturnType<typeof parseLimit>]>([
  ["5", { amount: 5, percent: false }],
  ["0", { amount: 0, percent: false }],
  [" 40% ", { amount: 40, percent: true }],
  ["100%", { amount: 100, percent: true }],
  ["", undefined],
  ["%", undefined],
  ["5 %", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["5%%", undefined],
  ["a5", undefined],
  ["5a", undefined],
])("%j as a limit", (text, limit) => expect(parseLimit(text)).toEqual(limit));
