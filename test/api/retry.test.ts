import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Attempt,
  decide,
  fullBudget,
  parseRetryAfter,
  refund,
  spend,
  type Trouble,
} from "../../provider/api/failure.ts";

const effects = fc.constantFrom("read", "idempotent", "create");
const random = fc.double({ min: 0, max: 0.999999, noNaN: true });
const attempts = fc.record({
  number: fc.integer({ min: 1, max: 20 }),
  effect: effects,
  remainingMs: fc.integer({ min: -1_000, max: 120_000 }),
});
const statuses = fc.record({
  kind: fc.constant("status" as const),
  status: fc.integer({ min: 400, max: 599 }),
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
});
const troubles: fc.Arbitrary<Trouble> = fc.oneof(
  fc.constantFrom<Trouble>({ kind: "unsent" }, { kind: "lost" }, { kind: "final" }),
  statuses,
);
const budgets = fc.record({ tokens: fc.integer({ min: 0, max: 100 }) });

const first = (effect: Attempt["effect"]): Attempt => ({ number: 1, effect, remainingMs: 60_000 });

describe("decide", () => {
  test("a create that may have reached the service is never repeated", () => {
    fc.assert(
      fc.property(attempts, troubles, budgets, random, (attempt, trouble, budget, chance) => {
        const decision = decide({ ...attempt, effect: "create" }, trouble, budget, () => chance);
        const certainlyNotDone = trouble.kind === "unsent" || (trouble.kind === "status" && trouble.status === 429);
        expect(decision.action === "give-up" || certainlyNotDone).toBe(true);
      }),
    );
  });

  test("a wait ends before the deadline and not before Retry-After", () => {
    fc.assert(
      fc.property(attempts, troubles, budgets, random, (attempt, trouble, budget, chance) => {
        const decision = decide(attempt, trouble, budget, () => chance);
        if (decision.action === "give-up") return;
        expect(decision.delayMs).toBeLessThan(attempt.remainingMs);
        const asked = trouble.kind === "status" ? (trouble.retryAfterMs ?? 0) : 0;
        expect(decision.delayMs).toBeGreaterThanOrEqual(asked);
      }),
    );
  });

  test.each(["read", "idempotent"] as const)("%s is repeated after a lost answer, 429 and 5xx", (effect) => {
    for (const trouble of [
      { kind: "lost" },
      { kind: "unsent" },
      { kind: "status", status: 429 },
      { kind: "status", status: 500 },
      { kind: "status", status: 503 },
    ] satisfies Trouble[]) {
      expect(decide(first(effect), trouble, fullBudget, () => 0.5).action).toBe("wait");
    }
  });

  test("the jitter is full: from nothing to a bound that doubles, up to 5 s", () => {
    const bounds = [1, 2, 3, 4, 5].map((number) =>
      decide({ ...first("read"), number }, { kind: "lost" }, fullBudget, () => 1),
    );
    expect(bounds.map((decision) => decision.action === "wait" && decision.delayMs)).toEqual([
      200, 400, 800, 1600, 3200,
    ]);
    expect(decide(first("read"), { kind: "lost" }, fullBudget, () => 0)).toMatchObject({ delayMs: 0 });
  });

  test.each<[Trouble, number]>([
    [{ kind: "lost" }, 6],
    [{ kind: "status", status: 503 }, 6],
    [{ kind: "status", status: 429 }, 12],
  ])("%j ends with attempt %i, and not before", (trouble, last) => {
    const at = (number: number) => decide({ ...first("read"), number }, trouble, fullBudget, () => 0.5).action;
    expect([at(last - 1), at(last)]).toEqual(["wait", "give-up"]);
  });

  test("a repetition costs one of the budget, down to the last one; that of a 429 nothing", () => {
    const of = (trouble: Trouble, tokens: number) => decide(first("read"), trouble, { tokens }, () => 0.5);
    expect(of({ kind: "lost" }, 1)).toEqual({ action: "wait", delayMs: 100, cost: 1 });
    expect(of({ kind: "lost" }, 0.5)).toEqual({ action: "give-up" });
    expect(of({ kind: "status", status: 429 }, 0)).toEqual({ action: "wait", delayMs: 100, cost: 0 });
  });
});

describe("the budget", () => {
  test("gets half of a repetition back for each success, up to what it was", () => {
    expect([10, 99.8].map((tokens) => refund({ tokens }))).toEqual([{ tokens: 10.5 }, { tokens: 100 }]);
    expect(refund(fullBudget)).toBe(fullBudget);
  });

  test("stays between what was spent and full, whatever happens", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 500 }), (successes) => {
        let budget = fullBudget;
        for (const success of successes) {
          if (success) budget = refund(budget);
          else if (decide(first("read"), { kind: "lost" }, budget, () => 0.1).action === "wait")
            budget = spend(budget, 1);
        }
        expect(budget.tokens).toBeGreaterThanOrEqual(0);
        expect(budget.tokens).toBeLessThanOrEqual(fullBudget.tokens);
      }),
    );
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");

  test.each([
    ["0", 0],
    ["3", 3_000],
    [" 3600 ", 3_600_000],
    ["Sat, 21 Nov 2026 12:00:05 GMT", 5_000],
    ["Sat, 21 Nov 2026 11:59:00 GMT", 0],
    [undefined, undefined],
    ["", undefined],
    ["-3", undefined],
    ["soon", undefined],
    ["2026", 2_026_000],
    ["1.5", 1_500],
    ["1.25", 1_250],
    ["2026-11-21", undefined],
    ["2026-11-21T12:00:05Z", undefined],
  ])("%j is %j ms", (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });

  test("never throws, never negative", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const ms = parseRetryAfter(header, now);
        expect(ms === undefined || ms >= 0).toBe(true);
      }),
    );
  });
});
