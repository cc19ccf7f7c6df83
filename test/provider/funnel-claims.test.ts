/** A retired funnel that several stacks want at once: at most one gets it, whatever the order of their calls. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FunnelStep } from "../../provider/api/inputs.ts";
import type { Funnel } from "../../provider/api/records.ts";
import { claim, RETIRED, type Claiming } from "../../provider/kinds/funnels/claim.ts";
import { rounds, thorough } from "../suite/parts.ts";
import { nextRun, PROJECT, ResourceTest, applied, worldOfAll } from "./harness.ts";
import { unique } from "./table.ts";

/** Time that passes only when everybody waits. */
class Clock {
  now = 0;
  readonly #sleepers: { at: number; wake: () => void }[] = [];

  pass(ticks: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ at: this.now + ticks, wake }));
  }

  async run(work: Promise<unknown>): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      const [next] = this.#sleepers.sort((a, b) => a.at - b.at).splice(0, 1);
      if (next === undefined) break;
      this.now = next.at;
      next.wake();
    }
    await work;
  }
}

const WAIT = 10;
const step = (url: string): FunnelStep => ({ url, pageType: "sales" });
const live = (funnel: Funnel): unknown => funnel.pages;

/** Each call reaches the service after some time, and its answer comes after some more: less than WAIT in all. */
function callsOn(funnel: Funnel, clock: Clock, delays: readonly [number, number][], wait = WAIT): Claiming {
  let calls = 0;
  const call = async <T>(effect: () => T): Promise<T> => {
    const [there, back] = delays[calls++ % delays.length] ?? [1, 1];
    await clock.pass(there);
    const answer = structuredClone(effect());
    await clock.pass(back);
    return answer;
  };
  return {
    read: () => call(() => funnel),
    write: (fields) => call(() => Object.assign(funnel, fields)),
    wait: () => clock.pass(wait),
  };
}

const retired = (): Funnel => ({ id: "funnel_1", name: `Old ${RETIRED}`, pages: [] }) as unknown as Funnel;
const delay = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
const claimant = fc.record({
  begins: fc.integer({ min: 0, max: 60 }),
  delays: fc.array(delay, { minLength: 1, maxLength: 8 }),
  steps: fc.constantFrom<FunnelStep[]>([], [step("a")], [step("b")]),
});

/** Counts the winners. Rejects if there were two, or if the funnel has another's name or steps. */
async function claimsOf(wait: number, numRuns: number): Promise<number> {
  let won = 0;
  const property = fc.asyncProperty(fc.array(claimant, { minLength: 1, maxLength: 4 }), async (claimants) => {
    const clock = new Clock();
    const funnel = retired();
    const runs = claimants.map(async ({ begins, delays, steps }, index) => {
      await clock.pass(begins);
      return claim(callsOn(funnel, clock, delays, wait), `Funnel ${index}`, steps);
    });
    await clock.run(Promise.all(runs));
    const winners = (await Promise.all(runs)).flatMap((has, index) => (has ? [index] : []));
    expect(winners.length).toBeLessThanOrEqual(1);
    won += winners.length;
    const [winner] = winners;
    if (winner === undefined) return;
    expect([funnel.name, live(funnel)]).toEqual([`Funnel ${winner}`, claimants[winner]?.steps]);
  });
  await fc.assert(property, { numRuns });
  return won;
}

test("of any number of claimants, one at most ends with the funnel, and with its own name and steps there", async () =>
  expect(await claimsOf(WAIT, rounds({ quick: 1_000, all: 5_000, soak: 100_000 }))).toBeGreaterThan(0));

test("one claimant alone has it, also where another one died on the way", async () => {
  const clock = new Clock();
  const funnel = { ...retired(), name: `Old [claim 0123456789ab] ${RETIRED}` };
  const work = claim(callsOn(funnel, clock, [[1, 1]]), "New", [step("a")]);
  await clock.run(work);
  expect([await work, funnel.name]).toEqual([expect.objectContaining({ name: "New" }), "New"]);
});

describe("two processes, with a service that is slow now and then", () => {
  const world = worldOfAll();

  thorough("have two funnels", async () => {
    const project = await applied(world, "project", unique("project"), PROJECT);
    for (let round = 0; round < rounds({ quick: 2, all: 6, soak: 40 }); round++) {
      const old = await applied(world, "funnel", unique("old"), { projectId: project.id, steps: [] });
      await old.delete();
      for (const method of ["PATCH", "GET"])
        world.emulator.faults.add({ method, path: "/funnels", phase: "slow", delayMs: 20 + 37 * round, times: 1 });
      const next = ["one", "two"].map((name) => new ResourceTest(world, "funnel", unique(name)));
      const inputs = { projectId: project.id, steps: [{ url: "https://pay.example", pageType: "sales" }] };
      await Promise.all(next.map((funnel) => funnel.upNext(inputs, { LANDFORM_PATIENCE_MS: "400" })));
      expect(new Set(next.map(({ id }) => id)).size).toBe(2);
      await nextRun(world, async (client) => {
        for (const funnel of next) expect(await funnel.handTo(client).apply(inputs)).toBe("same");
      });
    }
  });
});
