// @module-tag repeated
/**
 * A run of a release that is killed at any changing call: before it is sent, after it is committed, or after the answer. The next run brings
 * everything to the declared values and publishes it all, and the one after it plans nothing.
 */
import { expect, test, vi } from "vitest";
import { rounds } from "../suite/parts.ts";
import { FIRST, Release, SECOND } from "./program.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const AT_ONCE = 4;

/** `refused`: the service also refuses the last publication of this run. */
const PHASES = [
  { name: "the first release", before: [], refused: false },
  { name: "a later release", before: [FIRST], refused: false },
  { name: "a release that is taken back", before: [FIRST], refused: true },
];
type Phase = (typeof PHASES)[number];

const KILLS = ["before it is sent", "after commit", "after the answer"] as const;

async function prepared({ before, refused }: Phase): Promise<Release> {
  const world = await Release.open();
  for (const text of before) await world.apply(text);
  world.emulator.requests.length = 0;
  if (refused)
    world.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 400, skip: 1 });
  return world;
}

async function callsOf(phase: Phase): Promise<number[]> {
  const world = await prepared(phase);
  try {
    await world.up(SECOND);
    return world.emulator.requests.flatMap(({ method }, index) => (method === "GET" ? [] : [index]));
  } finally {
    await world.close();
  }
}

async function killedAt(phase: Phase, call: number, kill: (typeof KILLS)[number]): Promise<void> {
  const world = await prepared(phase);
  const { emulator } = world;
  try {
    let recorded = world.stack;
    const { requests } = emulator;
    const push = requests.push.bind(requests);
    requests.push = (...added) => {
      const length = push(...added);
      if (length !== call + 1) return length;
      recorded = world.stack.copy();
      if (kill === "after commit") emulator.faults.add({ phase: "after" });
      emulator.faults.add({ phase: "before", skip: kill === "before it is sent" ? 0 : 1, times: Infinity });
      return length;
    };
    const { error } = await world.up(SECOND);
    // After the last call there is nothing left to kill.
    if (!error) return;
    struck++;
    requests.push = push;
    emulator.faults.clear();
    world.stack = recorded;
    // The run looks for a lost answer. A run that stops over it runs again.
    for (let round = 0; round < 3 && (await world.up(SECOND)).error; round++);
    const last = await world.up(SECOND);
    expect([last.error, last.steps]).toEqual([undefined, []]);
    expect(await world.shown(FIRST, SECOND)).toEqual(SECOND);
    expect(emulator.records()["pages"]).toHaveLength(2);
  } finally {
    await world.close();
  }
}

let struck = 0;

test.each(PHASES)("$name", { timeout: 600_000 }, async (phase) => {
  const calls = await callsOf(phase);
  expect(calls.length).toBeGreaterThan(2);
  const cells = calls.flatMap((call) => KILLS.map((kill) => ({ call, kill })));
  const step = Math.ceil(cells.length / rounds({ quick: 3, all: 12, soak: cells.length }));
  const chosen = cells.filter((_, index) => index % step === 0).values();
  const failures: string[] = [];
  struck = 0;
  const worker = async (): Promise<void> => {
    for (const { call, kill } of chosen)
      await killedAt(phase, call, kill).catch((error: unknown) => {
        failures.push(`call ${call}, ${kill}: ${(error as Error).message}`);
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(failures).toEqual([]);
  expect(struck).toBeGreaterThan(0);
});
