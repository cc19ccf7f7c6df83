// @module-tag thorough
/**
 * kill -9 of a whole run at each boundary of each call, for up, update, replace and destroy. Every second run goes on on another machine. The next
 * run converges: nothing twice, nothing lost, nothing left to do, and at most one orphaned subscription, which the report names. Every call is met
 * before a release, and a share of them with the rest. Of a large plan Pulumi saves the state once, at the end of the run: a kill leaves it as it
 * was before, in a folder, a bucket or a database. On the servers, where a kill takes twice as long, a quarter of the reads is enough.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { realEngine, rounds } from "../suite/parts.ts";
import type { Account } from "./oracle.ts";
import {
  BOUNDARIES,
  killed,
  OPERATIONS,
  routeOf,
  undisturbed,
  type Boundary,
  type Outcome,
  type Undisturbed,
} from "./whole/kill.ts";
import { postgresFolder, s3Server, type Server, startPostgres, startS3 } from "../suite/servers.ts";
import { Machine, type EngineOfRun, type Kept } from "./whole/machine.ts";
import { makeStrangers } from "./whole/strangers.ts";

const NONE = Infinity;
/** So many of alike calls run, at the beginning and at the end. */
const ENDS = 3;
/** Every so-many-th read runs if a server keeps the state. A run that is killed at a read has left what the write before it left. */
const READS = 4;

interface Killed extends EngineOfRun {
  readonly title: string;
  /** Every so-many-th boundary of all calls of an operation runs. */
  readonly step: number;
  /** The server that keeps the state, where no folder does. */
  readonly start?: () => Promise<Server>;
}

const savedOnce = (place: string, all: number, start?: Killed["start"]): Killed => ({
  title: `Pulumi that saves once in ${place}`,
  kind: "pulumi",
  form: "large program",
  path: realEngine,
  step: rounds({ quick: NONE, all, soak: 1 }),
  ...(start && { start }),
});

const onPulumi = { form: "program", path: realEngine, step: rounds({ quick: NONE, all: NONE, soak: 13 }) } as const;
const ENGINES: readonly Killed[] = [
  {
    title: "the embedded engine",
    kind: "embedded",
    form: "landform.yaml",
    step: rounds({ quick: NONE, all: 67, soak: 1 }),
  },
  { title: "Pulumi's engine", kind: "pulumi", ...onPulumi },
  { title: "Pulumi alone", kind: "plain pulumi up", ...onPulumi },
  savedOnce("a folder", NONE),
  ...(s3Server === undefined ? [] : [savedOnce("a bucket", NONE, startS3)]),
  ...(postgresFolder === undefined ? [] : [savedOnce("PostgreSQL", NONE, startPostgres)]),
];

describe.each(ENGINES)("a run that is killed on $title", ({ step, start, ...engine }) => {
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

  (isLeftOut ? test.skip : test).each(OPERATIONS)("in $name", { timeout: 4 * 3_600_000 }, async (operation) => {
    machine.restore(operation.name === "up" ? nothing : standing);
    await machine.unpack();
    const reference = await undisturbed(machine, operation);
    const boundaries = server === undefined ? BOUNDARIES : BOUNDARIES.slice(0, -1);
    const places = placesOf(reference, {
      boundaries,
      inTurn: engine.form === "large program",
      reads: server === undefined ? 1 : READS,
    });
    const first = Math.min(Math.floor(step / 2), Math.floor(places.length / 2));
    const own: Outcome[] = [];
    for (const [index, place] of places.entries())
      if ((index - first) % step === 0)
        own.push(await killed(machine, reference, { ...place, moves: index % 2 === 1, strangers }));
    expect(own.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(own.filter(({ call }) => call !== undefined).length).toBeGreaterThan(own.length / 2);
  });
});

interface Place {
  /** The number of the call, from 0. */
  readonly number: number;
  readonly boundary: Boundary;
}

interface Chosen {
  readonly boundaries: readonly Boundary[];
  /** Each call has one of the boundaries. */
  readonly inTurn: boolean;
  /** Every so-many-th read is one of the places. */
  readonly reads: number;
}

/** Returns the places where the run can be killed. A read leaves nothing behind, so one boundary of it is enough. */
function placesOf({ calls }: Undisturbed, { boundaries, inTurn, reads }: Chosen): Place[] {
  const isRead = ({ method }: Undisturbed["calls"][number]): boolean => method === "GET";
  const left = leftOut(calls);
  const allReads = calls.flatMap((call, number) => (isRead(call) && !left.has(number) ? [number] : []));
  for (const [index, number] of allReads.entries()) if (index % reads !== 0) left.add(number);
  return calls.flatMap((call, number) => {
    if (left.has(number)) return [];
    const all = boundaries.slice(0, isRead(call) ? 1 : undefined);
    return (inTurn ? [all[number % all.length] ?? BOUNDARIES[0]] : all).map((boundary) => ({ number, boundary }));
  });
}

/** The large program has 28 products that differ in their number alone: of the calls that they make alike, the first and the last run. */
function leftOut(calls: Undisturbed["calls"]): Set<number> {
  const ofProducts = calls.flatMap((call, number) => (/^\/products\b/.test(call.path) ? [{ call, number }] : []));
  const alike = Map.groupBy(ofProducts, ({ call: { method, path } }) => `${method} ${routeOf(path)}`);
  return new Set([...alike.values()].flatMap((all) => all.slice(ENDS, -ENDS).map(({ number }) => number)));
}
