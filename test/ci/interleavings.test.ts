/**
 * Random interleavings of plans, merges, hand edits and applies, each played with the real commands. A plan holds if nothing that it read or changes
 * has moved. Every true conflict is refused by name, and nothing is sent.
 */
import { afterAll, beforeAll, test } from "vitest";
import { rounds } from "../suite/parts.ts";
import { WalkDesk } from "../walk/desk.ts";
import { CodeHost } from "./code-host.ts";
import { Team } from "./team.ts";
import type { Code, Edit } from "./team-oracle.ts";

const COUNT = rounds({ quick: 1, all: 8, soak: 1_000 });
/** Every run plays the same interleavings. LANDFORM_SEED tries others, LANDFORM_INTERLEAVING one, and LANDFORM_MINUTES ends them after some time. */
const { LANDFORM_SEED, LANDFORM_INTERLEAVING, LANDFORM_MINUTES } = process.env;
const SEED = Number(LANDFORM_SEED ?? "1");
const STEPS = 9;

const PATHS = ['content["hero.title"]', 'content["hero.text"]', 'content["hero.cta.text"]'] as const;
const PAGES = ["Page one", "Page public-two", "Page three"];
const PRODUCTS = ["Product mug", "Product cup"];

let host: CodeHost;
beforeAll(async () => {
  host = await CodeHost.open();
});
afterAll(() => host.close());

test(
  `${COUNT} interleavings: what was reviewed is applied, and nothing else`,
  { tags: ["thorough"], timeout: COUNT * 120_000 },
  async () => {
    const until = Date.now() + Number(LANDFORM_MINUTES ?? Infinity) * 60_000;
    const failed: string[] = [];
    const first = Number(LANDFORM_INTERLEAVING ?? 0);
    const last = LANDFORM_INTERLEAVING === undefined ? COUNT : first + 1;
    let played = first;
    for (; played < last && Date.now() < until; played += 1) {
      try {
        await interleaving(new Chance(SEED * 1_000_003 + played), played % 2 === 1);
      } catch (error) {
        failed.push(
          `LANDFORM_SEED=${SEED} LANDFORM_INTERLEAVING=${played}:\n${error instanceof Error ? error.message : String(error)}`,
        );
        if (failed.length >= 5) break;
      }
      if (LANDFORM_MINUTES !== undefined) process.stderr.write(`${played + 1} of ${last}, ${failed.length} failed\n`);
    }
    if (failed.length > 0) throw new Error(failed.join("\n\n"));
  },
);

test("with a look at what exists, what is taken away takes no edit along that nobody has reviewed", () =>
  interleaving(new Chance(102 * 1_000_003 + 17), true));

async function interleaving(chance: Chance, refreshes: boolean): Promise<void> {
  const desk = await WalkDesk.open();
  host.pulls.length = 0;
  host.comments.clear();
  // A price that becomes ten times of what it was holds a plan.
  let value = 100;
  const fresh = (): string => `v${(value += 1)}`;
  const fieldsOf = (resource: string) =>
    resource.startsWith("Page") ? Object.fromEntries(PATHS.map((path) => [path, fresh()])) : { price: (value += 1) };
  const code: Code = Object.fromEntries(
    [...PAGES.slice(0, 2), ...PRODUCTS.slice(0, 1)].map((one) => [one, fieldsOf(one)]),
  );
  const edit = (main: Code): Edit => {
    const resource = chance.of([...PAGES, ...PRODUCTS]);
    if (main[resource] === undefined) return { resource, fields: fieldsOf(resource) };
    if (chance.isIn(6)) return { resource };
    const path = resource.startsWith("Page") ? chance.of(PATHS) : "price";
    return { resource, fields: { [path]: path === "price" ? (value += 1) : fresh() } };
  };
  const edits = (main: Code): Edit[] => Array.from({ length: 1 + chance.below(3) }, () => edit(main));
  try {
    const team = await Team.begin(desk, host, refreshes, code);
    await team.open(edits(team.main));
    for (let step = 0; step < STEPS; step += 1) {
      const open = team.requests.filter(({ merged }) => merged === undefined);
      const merged = team.requests.filter((one) => one.merged !== undefined);
      const [one, done] = [chance.perhaps(open), chance.perhaps(merged)];
      const turn = chance.below(10);
      if (turn < 2 && team.requests.length < 4) await team.open(edits(team.main));
      else if (turn < 3 && one) await team.push(one, edits(team.main));
      else if (turn < 5 && one) team.merge(one);
      else if (turn < 7) {
        const resource = chance.of([...PAGES, ...PRODUCTS]);
        const path = chance.isIn(6) ? undefined : resource.startsWith("Page") ? chance.of(PATHS) : "price";
        await team.byHand(resource, path, path === "price" ? (value += 1) : fresh());
      } else if (done) await team.apply(done);
      else if (one) team.merge(one);
    }
    for (const one of team.requests.filter(({ merged }) => merged !== undefined).slice(-1)) await team.apply(one);
    await team.end();
  } finally {
    await desk.close();
  }
}

/** Numbers that look random, and are equal for equal seeds. */
class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
  isIn(times: number): boolean {
    return this.below(times) === 0;
  }
  perhaps<T>(all: readonly T[]): T | undefined {
    return all[this.below(Math.max(all.length, 1))];
  }
  /** Picks one of them. */
  of<T>(all: readonly T[]): T {
    return all[this.below(Math.max(all.length, 1))] as T;
  }
}
