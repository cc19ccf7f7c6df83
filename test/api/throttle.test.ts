import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { afterRefusal, afterSuccess, Gate, openThrottle, type Permit, schedule } from "../../provider/api/gate.ts";

const ceilings = fc.integer({ min: 1, max: 64 });

describe("the throttle", () => {
  test("stays between one call and its ceiling", () => {
    fc.assert(
      fc.property(ceilings, fc.array(fc.boolean(), { maxLength: 300 }), (ceiling, successes) => {
        let throttle = openThrottle(ceiling);
        for (const success of successes) {
          throttle = success ? afterSuccess(throttle) : afterRefusal(throttle, throttle.generation);
          expect(throttle.limit).toBeGreaterThanOrEqual(1);
          expect(throttle.limit).toBeLessThanOrEqual(ceiling);
        }
      }),
    );
  });

  test("finds its way back to the ceiling, one call at a time", () => {
    fc.assert(
      fc.property(ceilings, fc.integer({ min: 1, max: 6 }), (ceiling, refusals) => {
        let throttle = openThrottle(ceiling);
        for (let index = 0; index < refusals; index++) throttle = afterRefusal(throttle, throttle.generation);
        for (let index = 0; index < ceiling * ceiling; index++) {
          const { limit } = throttle;
          throttle = afterSuccess(throttle);
          expect(throttle.limit - limit).toBeLessThanOrEqual(1);
        }
        expect(throttle.limit).toBe(ceiling);
      }),
    );
  });
});

test("starts are spaced evenly", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 100 }),
      (perSecond, pauses) => {
        let now = 0;
        let nextStart = 0;
        let last = -Infinity;
        for (const pause of pauses) {
          now += pause;
          const slot = schedule(nextStart, now, perSecond);
          expect(slot.startAt).toBeGreaterThanOrEqual(now);
          expect(slot.startAt - last).toBeGreaterThanOrEqual(1000 / perSecond - 1e-6);
          // No call waits longer than that.
          expect(slot.startAt).toBeLessThanOrEqual(Math.max(now, last + 1000 / perSecond) + 1e-6);
          ({ nextStart, startAt: last } = slot);
        }
      },
    ),
  );
});

describe("the gate", () => {
  test("lets in as many as the throttle allows, repeated attempts first", async () => {
    const gate = new Gate(2, undefined);
    const order: string[] = [];
    const enter = async (queue: "fresh" | "repeated", name: string): Promise<Permit> => {
      const permit = await gate.enter(queue);
      order.push(name);
      return permit;
    };
    const [first, second] = [await enter("fresh", "first"), await enter("fresh", "second")];
    const third = enter("fresh", "third");
    const repeated = enter("repeated", "repeated");
    await Promise.resolve();
    expect(order).toEqual(["first", "second"]);
    gate.leave(first, "succeeded");
    gate.leave(second, "succeeded");
    await Promise.all([third, repeated]);
    expect(order).toEqual(["first", "second", "repeated", "third"]);
  });
});
