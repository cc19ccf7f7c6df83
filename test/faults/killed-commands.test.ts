/**
 * kill -9 of a whole run at each boundary of each call that it makes, for up, update, replace and destroy; every other run is
 * carried on with on another machine. The next run converges: nothing twice, nothing lost, nothing left to do; of
 * subscriptions at most one orphan, and that is told. The full run takes every call and writes KILLS.md; one operation (`-t
 * "embedded engine.*in up$"`) renews its part of it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked, realEngine, rounds } from "../suite/parts.ts";
import type { Account } from "./oracle.ts";
import {
  BOUNDARIES,
  inThisPart,
  killed,
  OPERATIONS,
  PART,
  PARTS,
  undisturbed,
  type Outcome,
  type Undisturbed,
} from "./whole/kill.ts";
import { Machine, type EngineOfRun, type Kept } from "./whole/machine.ts";
import { writeKills } from "./whole/results.ts";
import { makeStrangers } from "./whole/strangers.ts";

const NONE = Infinity;

interface Killed extends EngineOfRun {
  readonly title: string;
  /** Of all boundaries of all calls of an operation every so-many-th is met; a full run may be told to take fewer, too. */
  readonly step: number;
  /** Of so many calls at the beginning every boundary is met: a state without a record is the poorest to go on from. */
  readonly early: number;
}

const ENGINES: readonly Killed[] = [
  {
    title: "the embedded engine",
    kind: "embedded",
    form: "landform.yaml",
    step: rounds({ quick: NONE, all: 67, full: wish(1) }),
    early: 0,
  },
  {
    title: "the embedded engine, of a program",
    kind: "embedded",
    form: "program",
    step: rounds({ quick: NONE, all: 199, full: wish(3) }),
    early: 0,
  },
  {
    title: "Pulumi's engine",
    kind: "pulumi",
    form: "program",
    path: realEngine,
    step: rounds({ quick: NONE, all: NONE, full: wish(13) }),
    early: 8,
  },
  {
    title: "Pulumi alone",
    kind: "plain pulumi up",
    form: "program",
    path: realEngine,
    step: rounds({ quick: NONE, all: NONE, full: wish(13) }),
    early: 8,
  },
];

function wish(usual: number): number {
  return usual * Number(process.env["LANDFORM_KILL_STEP"] ?? 1);
}

describe.each(ENGINES)("a run that is killed on $title", ({ title, step, early, ...engine }) => {
  const isLeftOut = step === NONE || (engine.kind !== "embedded" && engine.path === undefined);
  let machine: Machine;
  let strangers: Account;
  let nothing: Kept;
  let standing: Kept;

  beforeAll(async () => {
    if (isLeftOut) return;
    machine = await Machine.open(engine);
    strangers = await makeStrangers(machine.emulator);
    nothing = machine.keep("nothing");
    const { code, said } = await machine.run(["up", "--yes"]);
    if (code !== 0) throw new Error(said);
    standing = machine.keep("standing");
  });
  afterAll(() => (isLeftOut ? undefined : machine.close()));

  test.skipIf(isLeftOut).each(OPERATIONS)("in $name", { timeout: 4 * 3_600_000 }, async (operation) => {
    machine.restore(operation.name === "up" ? nothing : standing);
    const reference = await undisturbed(machine, operation);
    const own: Outcome[] = [];
    const cells = cellsOf(reference);
    const first = Math.min(Math.floor(step / 2), Math.floor(cells.length / 2));
    const due = [...cells.entries()].filter(([index, { number }]) => number < early || (index - first) % step === 0);
    for (const [index, { number, boundary }] of inThisPart(due)) {
      const outcome = await killed(machine, reference, { number, boundary, moves: index % 2 === 1, strangers });
      own.push(outcome);
      if (process.env["LANDFORM_VERBOSE"]) process.stdout.write(`${JSON.stringify(outcome)}\n`);
    }
    const titles = ENGINES.map((one) => one.title);
    if (asked === "full")
      writeKills({ engine: title, operation: operation.name, step, early, parts: PARTS, outcomes: own }, PART, titles);
    expect(own.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(own.filter(({ call }) => call !== undefined).length).toBeGreaterThan(own.length / 2);
  });
});

/** A read leaves nothing behind: one boundary of it is as good as another. */
function cellsOf({ calls }: Undisturbed) {
  return calls.flatMap(({ method }, number) =>
    BOUNDARIES.slice(0, method === "GET" ? 1 : undefined).map((boundary) => ({ number, boundary })),
  );
}
