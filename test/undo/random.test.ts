// @module-tag thorough
/**
 * Random programs, changed at random, with edits by hand before each run: the undo leaves account and state as they were. An undo that breaks off at
 * any call and runs again has the same result.
 */
import { describe, expect, test, vi } from "vitest";
import { rounds } from "../suite/parts.ts";
import { accountOf, declaredState } from "./account.ts";
import { type Declared, UndoDesk } from "./desk.ts";
import { forEachTest } from "../suite/opened.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { editInApp, inTheApp, publishInApp } from "../suite/app.ts";
import type { Entry } from "../walk/program.ts";

const world = forEachTest(() => UndoDesk.open());

class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  }

  /** Returns so many numbers from 0, without some of them. */
  someOf(count: number): number[] {
    return Array.from({ length: count }, (_, index) => index).filter(() => this.chance(0.7));
  }
}

const KEYS = ["hero.title", "hero.text", "hero.note", "hero.cta.text"];
const TEXTS = ["One", "Zwei ß", "Трí 🎈", "line\nline", "{{brand}} first", ""];

function page(dice: Dice, index: number): Entry {
  const content = Object.fromEntries(
    KEYS.filter(() => dice.chance(0.5)).map((key): [string, Json] => [key, dice.of(TEXTS)]),
  );
  const publish = { site: "main", slug: `p${index}${dice.of(["", "-b"])}` };
  return {
    ...{ name: `${dice.of(["Page", "Seite"])}${index}`, template: "tpl-hero", content },
    ...{ variables: { brand: dice.of(["Acme", "Zenith"]) }, publish },
  };
}

function product(dice: Dice, index: number): Entry {
  const made: Entry = { name: `m${index}`, price: dice.below(3) + 1 };
  if (dice.chance(0.5)) made.description = dice.of(TEXTS.slice(0, 3));
  if (dice.chance(0.5)) made["ctaText"] = dice.of(["Buy", "Kaufen"]);
  return made;
}

function program(dice: Dice): Declared {
  const pages = Object.fromEntries(dice.someOf(3).map((index) => [`p${index}`, page(dice, index)]));
  const products = Object.fromEntries(dice.someOf(2).map((index) => [`m${index}`, product(dice, index)]));
  const steps = Object.keys(pages)
    .filter(() => dice.chance(0.7))
    .map((name) => ({ page: name, pageType: dice.of(["presell", "sales"]) }));
  const funnels: Declared["funnels"] = dice.chance(0.8) ? { f: { steps } } : {};
  return { sites: { main: { name: "random.example" } }, pages, products, funnels };
}

/** Edits undeclared values as a person does in the app. The edit is published before the next run. */
async function editByHand(dice: Dice): Promise<void> {
  for (const { type, id, outputs, inputs } of world.states) {
    if (!dice.chance(0.4)) continue;
    if (type.endsWith(":Product"))
      await inTheApp<unknown>(world, "PATCH", "/products", { product_id: id, sku: `S-${dice.below(9)}` });
    if (!type.endsWith(":Page")) continue;
    const declared = Object.keys((inputs["content"] ?? {}) as JsonMap);
    const free = KEYS.filter((key) => !declared.includes(key));
    if (free.length === 0) continue;
    await editInApp(world, id, { [dice.of(free)]: `By hand ${dice.below(9)}` });
    const { siteId, slug } = outputs as { siteId: string; slug: string };
    await publishInApp(world, id, { siteId, slug });
  }
}

const seeds = Array.from({ length: rounds({ quick: 2, all: 5, soak: 20 }) }, (_, index) => 4000 + index);

describe("a random run is undone", () => {
  test.each(seeds)("seed %i", async (seed) => {
    const dice = new Dice(seed);
    await world.up(program(dice));
    await editByHand(dice);
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
