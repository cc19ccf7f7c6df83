// @module-tag thorough
/**
 * kill -9 of a whole run at each boundary of each call, for up, update, replace and destroy. Every second run goes on on another machine. The next
 * run converges: nothing twice, nothing lost, nothing left to do, and at most one orphaned subscription, which the report names. The full run takes
 * every call and writes KILLS.md from all findings (evidence.ts). One operation (`-t "embedded engine.*in up$"`) renews its part. A large plan is
 * saved once, at the end of the run: a kill then leaves the state as it was before, wherever it is kept.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked, realEngine, rounds } from "../suite/parts.ts";
import { evenly, isOver } from "./evidence.ts";
import type { Account } from "./oracle.ts";
import {
  BOUNDARIES,
  killed,
  OPERATIONS,
  undisturbed,
  type Boundary,
  type Operation,
  type Outcome,
  type Undisturbed,
} from "./whole/kill.ts";
import { Machine, type EngineOfRun, type Kept } from "./whole/machine.ts";
import { killsOf, writeKills } from "./whole/results.ts";
import { makeStrangers } from "./whole/strangers.ts";
import { postgresFolder, s3Server, type Server, startPostgres, startS3 } from "../suite/servers.ts";

const NONE = Infinity;

interface Killed extends EngineOfRun {
  readonly title: string;
  /** Every so-many-th boundary of all calls of an operation runs. */
  readonly step: number;
  /** So many first calls run at every boundary: a state without a record is the hardest to go on from. */
  readonly early: number;
  /** The state is saved once, and kept by this server or in a folder. */
  readonly start?: (() => Promise<Server>) | undefined;
  /** Only this operation is killed, except before a release. */
  readonly only?: Operation["name"];
}

const savedOnce = (
  place: string,
  only: Operation["name"] | undefined,
  start?: () => Promise<Server>,
): Killed & { readonly form: "large program" } => ({
  title: `Pulumi that saves once in ${place}`,
  kind: "pulumi",
  form: "large program",
  path: realEngine,
  step: rounds({ quick: NONE, all: only === undefined ? NONE : 9_973, soak: 41 }),
  early: 0,
  ...(only !== undefined && { only }),
  start,
});

const ENGINES: readonly Killed[] = [
  {
    title: "the embedded engine",
    kind: "embedded",
    form: "landform.yaml",
    step: rounds({ quick: NONE, all: 67, soak: 1 }),
    early: 0,
  },
  {
    title: "the embedded engine, of a program",
    kind: "embedded",
    form: "program",
    step: rounds({ quick: NONE, all: 199, soak: 3 }),
    early: 0,
  },
  {
    title: "Pulumi's engine",
    kind: "pulumi",
    form: "program",
    path: realEngine,
    step: rounds({ quick: NONE, all: NONE, soak: 13 }),
    early: 8,
  },
  {
    title: "Pulumi alone",
    kind: "plain pulumi up",
    form: "program",
    path: realEngine,
    step: rounds({ quick: NONE, all: NONE, soak: 13 }),
    early: 8,
  },
  savedOnce("a folder", "destroy"),
  ...(s3Server === undefined ? [] : [savedOnce("a bucket", "update", startS3)]),
  ...(postgresFolder === undefined ? [] : [savedOnce("PostgreSQL", undefined, startPostgres)]),
];

describe.each(ENGINES)("a run that is killed on $title", ({ title, step, early, only, start, ...engine }) => {
  const isLeftOut = step === NONE || (engine.kind !== "embedded" && engine.path === undefined);
  let machine: Machine;
  let strangers: Account;
  let nothing: Kept;
  let standing: Kept;
  let server: Server | undefined;

  beforeAll(async () => {
    if (isLeftOut) return;
    server = await start?.();
    machine = await Machine.open({ ...engine, server });
    strangers = await makeStrangers(machine.emulator);
    nothing = machine.keep("nothing");
    const { code, said } = await machine.run(["up", "--yes"]);
    if (code !== 0) throw new Error(said);
    await machine.pack();
    standing = machine.keep("standing");
    // On a busy machine, this takes minutes.
  }, 3_600_000);
  afterAll(async () => {
    if (isLeftOut) return;
    await machine.close();
    await server?.close();
  }, 600_000);

  (isLeftOut ? test.skip : test).for(OPERATIONS)(
    "in $name",
    { timeout: 4 * 3_600_000 },
    async (operation, { skip }) => {
      skip(asked !== "soak" && only !== undefined && operation.name !== only, "left to the run before a release");
      machine.restore(operation.name === "up" ? nothing : standing);
      await machine.unpack();
      const reference = await undisturbed(machine, operation);
      const places = placesOf(reference, server === undefined ? BOUNDARIES : BOUNDARIES.slice(0, -1));
      const first = Math.min(Math.floor(step / 2), Math.floor(places.length / 2));
      const due = places.filter(({ number, index }) => number < early || (index - first) % step === 0);
      const evidence = asked === "soak" ? killsOf(title, operation.name) : undefined;
      const left = evenly(due).filter((place) => evidence?.has(nameOf(place)) !== true);
      const own: Outcome[] = [];
      for (const place of left) {
        if (isOver()) break;
        const outcome = await killed(machine, reference, { ...place, moves: place.index % 2 === 1, strangers });
        own.push(outcome);
        evidence?.add(nameOf(place), { ...outcome, places: places.length });
      }
      if (evidence !== undefined) writeKills(ENGINES.map((one) => one.title));
      expect(own.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
      if (own.length < left.length || left.length === 0) skip(`${left.length - own.length} of ${due.length} are left`);
      expect(own.filter(({ call }) => call !== undefined).length).toBeGreaterThan(own.length / 2);
    },
  );
});

interface Place {
  /** The number of the call, from 0. */
  readonly number: number;
  readonly boundary: Boundary;
  readonly index: number;
}

/** Returns the places where the run can be killed. A read leaves nothing behind, so one boundary of it is enough. */
function placesOf({ calls }: Undisturbed, boundaries: readonly Boundary[]): Place[] {
  return calls
    .flatMap(({ method }, number) =>
      boundaries.slice(0, method === "GET" ? 1 : undefined).map((boundary) => ({ number, boundary })),
    )
    .map((place, index) => ({ ...place, index }));
}

const nameOf = ({ number, boundary }: Place): string => `call ${number + 1}, ${boundary}`;
