// @module-tag thorough
/**
 * Random programs, changed at random, with edits by hand before each run: the undo leaves account and state as they were. An undo that breaks off at
 * any call and runs again has the same result.
 */
import { describe, expect, test, vi } from "vitest";
import { rounds } from "../suite/parts.ts";
import { accountOf, declaredState } from "./account.ts";
import { Dice, editByHand, program } from "./random-program.ts";
import { UndoDesk } from "./desk.ts";
import { forEachTest } from "../suite/opened.ts";

const world = forEachTest(() => UndoDesk.open());

const seeds = Array.from({ length: rounds({ quick: 2, all: 5, soak: 20 }) }, (_, index) => 4000 + index);

describe("a random run is undone", () => {
  test.each(seeds)("seed %i", async (seed) => {
    const dice = new Dice(seed);
    await world.up(program(dice));
    await editByHand(dice, world);
    const before = { account: await accountOf(world), state: declaredState(world.states) };
    const run = await world.up(program(dice), 0, "--foreign-edits", "include");
    expect((await world.look(run)).conflicts).toEqual([]);
    await world.undo(run);
    expect(await accountOf(world)).toEqual(before.account);
    expect(declaredState(world.states)).toEqual(before.state);
    expect((await world.look(run)).changes).toEqual([]);
  });
});

const CALLS = rounds({ quick: 3, all: 8, soak: 40 });

test("an undo that is broken off at any call, and run again, comes to the same", async () => {
  const dice = new Dice(7);
  const [first, second] = [program(dice), program(dice)];
  let left = true;
  for (let at = 1; left && at <= CALLS; at++) {
    await world.up({});
    await world.up(first);
    const before = await accountOf(world);
    const run = await world.up(second);
    world.emulator.requests.length = 0;
    await world.look(run);
    const looks = world.emulator.requests.length;
    left = await brokenOffAt(looks + at, () => world.undo(run));
    expect((await world.look(run)).conflicts).toEqual([]);
    if (left) await world.undo(run);
    expect(await accountOf(world)).toEqual(before);
  }
}, 240_000);

/** Breaks off at a call: its answer is lost, and no later call comes through. Returns false if the work took fewer calls. */
async function brokenOffAt(at: number, work: () => Promise<unknown>): Promise<boolean> {
  const { faults } = world.emulator;
  faults.add({ phase: "after", times: 1, skip: at - 1 });
  faults.add({ phase: "before", times: Infinity, skip: at });
  vi.stubEnv("LANDFORM_TIMEOUT_MS", "1000");
  try {
    await work();
    return false;
  } catch {
    return true;
  } finally {
    faults.clear();
    vi.unstubAllEnvs();
  }
}
