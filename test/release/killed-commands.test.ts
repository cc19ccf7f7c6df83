// @module-tag thorough
/**
 * kill -9 of a whole command, with everything that it has started, around each changing call: a first release, a later one, and its undo. The next
 * plan has the half that visitors get, the next run brings all of it, and then nothing is left to do. The full run takes every call and writes
 * KILLS.md from all findings (evidence.ts).
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { evenly, isOver } from "../faults/evidence.ts";
import { contents } from "../faults/oracle.ts";
import { BOUNDARIES, strike, type Boundary } from "../faults/whole/kill.ts";
import { Machine, type EngineOfRun, type Kept } from "../faults/whole/machine.ts";
import { asked, realEngine, rounds } from "../suite/parts.ts";
import { killsOf, writeKills, type Kill } from "./results.ts";

const PAGES = ["offer", "thanks", "terms"] as const;

const page = (name: string, title: string, more = ""): string => `  ${name}:
    template: tpl-hero
    content: { hero.title: ${title} ${name}${more} }
    variables: { brand: Acme }
    publish: { site: main, slug: ${name} }
`;

const manifest = (title: string, { terms, price }: { terms: boolean; price: number }): string => `landform: 1
name: killed
sites: { main: { name: killed.example } }
pages:
${page("offer", title, ", hero.cta.url: { ref: pages.thanks.url }")}${page("thanks", title)}${terms ? page("terms", title) : ""}
products: { mug: { price: ${price} } }
releases: { launch: { pages: [offer, thanks] } }
funnels: { way: { steps: [{ page: offer, pageType: sales }, { page: thanks, pageType: thankyou }] } }
`;

const FIRST = manifest("First", { terms: true, price: 5 });
const SECOND = manifest("Second", { terms: false, price: 7 });

interface Phase {
  readonly name: string;
  readonly args: readonly string[];
  /** The command that goes on, and its preview. */
  readonly next: readonly string[];
  readonly look: readonly string[];
  readonly source: string;
  /** The source of the final state. */
  readonly settled: string;
  /** The state before. */
  readonly from: "nothing" | "first" | "second";
}

const UP = {
  args: ["up", "--yes", "--force"],
  next: ["up", "--yes", "--force"],
  look: ["preview", "--detailed-exitcode"],
};
/** Its next run is an up with the earlier code. */
const UNDO = { ...UP, args: ["undo", "--yes", "--force"] };
const PHASES: readonly Phase[] = [
  { name: "a first release", ...UP, source: FIRST, settled: FIRST, from: "nothing" },
  { name: "a later release", ...UP, source: SECOND, settled: SECOND, from: "first" },
  { name: "an undo", ...UNDO, source: SECOND, settled: FIRST, from: "second" },
];

interface Reference {
  readonly start: Kept;
  readonly expected: Record<string, string[]>;
  /** The texts that visitors get before and after, by page. */
  readonly shows: readonly [before: Shown, after: Shown];
  readonly cells: readonly { readonly number: number; readonly boundary: Boundary }[];
}

type Shown = Readonly<Record<string, string>>;

async function shownOn({ emulator }: Machine): Promise<Shown> {
  const titles = PAGES.map(async (name): Promise<[string, string]> => {
    const response = await fetch(`${emulator.url}/_sites/killed-example/${name}`);
    const title = /(First|Second) (offer|thanks|terms)</.exec(response.status === 200 ? await response.text() : "");
    return [name, title?.[1] ?? ""];
  });
  return Object.fromEntries(await Promise.all(titles));
}

/** The order of calls differs from run to run, so the number of the writing call counts. */
function isWrite({ method, path }: Asked): boolean {
  return method !== "GET" && !path.startsWith("/pages/validate");
}

async function undisturbed(machine: Machine, { name, args, source }: Phase): Promise<Reference> {
  const start = machine.keep(name);
  machine.write("landform.yaml", source);
  const before = await shownOn(machine);
  const { code, said } = await machine.run(args);
  if (code !== 0) throw new Error(`${name}, undisturbed: ${said}`);
  const writes = machine.between.asked.filter(isWrite);
  return {
    start,
    expected: contents(machine.emulator.records()),
    shows: [before, await shownOn(machine)],
    cells: writes.flatMap((_, number) => BOUNDARIES.map((boundary) => ({ number, boundary }))),
  };
}

async function killed(
  machine: Machine,
  { args, next: carriesOn, look, source, settled }: Phase,
  { start, expected, shows: [before, after] }: Reference,
  { number, boundary, moves }: Reference["cells"][number] & { moves: boolean },
): Promise<{ call: string | undefined; wrong: string[] }> {
  machine.restore(start);
  machine.write("landform.yaml", source);
  const struck = await strike(machine, args, { number, boundary }, isWrite);
  if (moves) machine.move();
  await machine.free();
  const wrong: string[] = [];
  const must = (holds: boolean, fault: string): void => {
    if (!holds) wrong.push(`${struck.call ?? ""} ${boundary}: ${fault}`);
  };
  const half = await shownOn(machine);
  machine.write("landform.yaml", settled);
  const told = await machine.run(look);
  const isHalf = ![before, after].some((one) => JSON.stringify(one) === JSON.stringify(half));
  must(!isHalf || told.code === 2, `visitors get ${JSON.stringify(half)}, and the plan is silent: ${told.said}`);
  must(told.code === 0 || told.code === 2, `there is no plan: ${told.said}`);
  const hasEnded = struck.code === 0;
  const next = hasEnded ? struck : await machine.run(carriesOn);
  must(next.code === 0, `the next run failed: ${next.said}`);
  const last = await machine.run(["preview", "--detailed-exitcode"]);
  must(last.code === 0, `a further run would change something: ${last.said}`);
  must(JSON.stringify(await shownOn(machine)) === JSON.stringify(after), "visitors don't get all of it");
  const left = contents(machine.emulator.records());
  for (const [kind, records] of Object.entries(expected)) {
    const rest = [...(left[kind] ?? [])];
    for (const record of records) {
      const at = rest.indexOf(record);
      must(at >= 0, `${kind}: missing ${record}`);
      if (at >= 0) rest.splice(at, 1);
    }
    // Funnels and sites can't be deleted.
    for (const record of rest) must(record.includes("[retired by"), `${kind}: too much ${record}`);
  }
  return { call: struck.call, wrong };
}

const ENGINES: readonly (EngineOfRun & { title: string; cells: number })[] = [
  {
    title: "the embedded engine",
    kind: "embedded",
    form: "landform.yaml",
    cells: rounds({ quick: 0, all: 1, soak: Infinity }),
  },
  {
    title: "Pulumi's engine",
    kind: "pulumi",
    form: "landform.yaml",
    path: realEngine,
    cells: realEngine === undefined ? 0 : rounds({ quick: 0, all: 0, soak: Infinity }),
  },
];

const TITLES = ENGINES.map(({ title }) => title);
const PHASE_NAMES = PHASES.map(({ name }) => name);

describe.each(ENGINES)("killed on $title", ({ title, cells: share, ...engine }) => {
  let machine: Machine;
  const standing = new Map<Phase["from"], Kept>();

  beforeAll(async () => {
    if (share === 0) return;
    machine = await Machine.open(engine, { "landform.yaml": FIRST });
    standing.set("nothing", machine.keep("nothing"));
    for (const [from, source] of [
      ["first", FIRST],
      ["second", SECOND],
    ] as const) {
      machine.write("landform.yaml", source);
      const { code, said } = await machine.run(UP.args);
      if (code !== 0) throw new Error(said);
      standing.set(from, machine.keep(from));
    }
  }, 600_000);
  afterAll(() => (share === 0 ? undefined : machine.close()));

  (share === 0 ? test.skip : test).for(PHASES)("$name", { timeout: 3_600_000 }, async (phase, { skip }) => {
    const start = standing.get(phase.from);
    if (start === undefined) throw new Error(`nothing stands: ${phase.from}`);
    machine.restore(start);
    const reference = await undisturbed(machine, phase);
    expect(reference.shows[1]).not.toEqual(reference.shows[0]);
    const { cells } = reference;
    const step = Math.max(1, Math.floor(cells.length / share));
    const chosen = cells.filter((_, index) => index % step === Math.floor(step / 2));
    const evidence = asked === "soak" ? killsOf(title, phase.name) : undefined;
    const left = evenly(chosen.map((cell, index) => ({ ...cell, moves: (index + cell.number) % 2 === 1 }))).filter(
      (cell) => evidence?.has(nameOf(cell)) !== true,
    );
    const own: Kill[] = [];
    for (const cell of left) {
      if (isOver()) break;
      const outcome = await killed(machine, phase, reference, cell);
      own.push({ ...outcome, boundary: cell.boundary, places: cells.length });
      evidence?.add(nameOf(cell), { ...outcome, boundary: cell.boundary, places: cells.length });
      if (evidence !== undefined) writeKills(TITLES, PHASE_NAMES);
    }
    expect(own.flatMap(({ wrong }) => wrong)).toEqual([]);
    if (own.length < left.length || left.length === 0) skip(`${left.length - own.length} of ${chosen.length} are left`);
    expect(own.filter(({ call }) => call !== undefined).length).toBeGreaterThan(0);
  });
});

const nameOf = ({ number, boundary }: Reference["cells"][number]): string => `call ${number + 1}, ${boundary}`;
