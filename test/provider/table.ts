/** Tables over a kind's inputs and fields: the calls of a change, and how a run finds and repairs drift. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { Json, PropertyMap } from "../../engine/index.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { calls, ResourceTest, type Outcome, type World } from "./harness.ts";

/** A write: its call, with the id of the resource as ID, and its body. */
export type Write = [call: string, body?: unknown];

export type Declared = Record<string, Json | undefined>;

/** A value, or what makes it when the objects of the test are there. */
type Lazy<Value> = Value | (() => Value);

const valueOf = <Value>(lazy: Lazy<Value>): Value => (typeof lazy === "function" ? (lazy as () => Value)() : lazy);

export interface Change {
  readonly input: string;
  /** The first declaration, on top of the base. Undefined removes an input of the base. */
  readonly from?: Lazy<Declared>;
  /** The second declaration, on top of the base. */
  readonly to: Lazy<Declared>;
  /** Default: "updated". */
  readonly outcome?: Outcome | { readonly refused: RegExp };
  /** Exactly these writes, in this order. For a replacement, only the calls. */
  readonly sends?: Lazy<Write[]>;
  /** The effect of removing the input. Default: the effect in its rule. */
  readonly removal?: { readonly outcome: Outcome; readonly sends: Lazy<Write[]> } | "required";
}

export type Setting = Readonly<{ kind: Kind; world: () => World; base: () => PropertyMap }>;

let count = 0;

/** Returns a logical name that no other resource of the file has. */
export const unique = (word: string): string => `${word}-${++count}`;

/** Makes one test per change, and one that checks that the table has every input of the kind. */
export function changeTable({ kind, world, base }: Setting, changes: readonly Change[]): void {
  describe(`every input of ${kind}`, () => {
    test("is in the table", () => {
      const inputs = Object.keys(registry[kind].schema.shape);
      expect(new Set([...changes.map(({ input }) => input), "adoptId"])).toEqual(new Set(inputs));
    });

    const rows = changes.map((change, index) => ({ ...change, title: `${change.input} (${index})` }));
    test.each(rows)("$title", async ({ input, from = {}, to, outcome = "updated", sends = [], removal }) => {
      const resource = new ResourceTest(world(), kind, unique(kind));
      await resource.apply(merged(base(), valueOf(from)));
      calls(world());
      const before = resource.id;
      const wanted = merged(base(), valueOf(to));
      if (typeof outcome === "object") {
        await expect(resource.up(wanted)).rejects.toThrow(outcome.refused);
        expect(writes(world())).toEqual([]);
        return;
      }
      expect(await resource.apply(wanted)).toBe(outcome);
      if (outcome === "replaced") expect(resource.id).not.toBe(before);
      expectWrites(world(), before, valueOf(sends), outcome === "replaced");
      await refreshPlansNothing(resource, wanted);
      if (removal === "required" || wanted[input] === undefined) return;
      const without = Object.fromEntries(Object.entries(wanted).filter(([key]) => key !== input));
      calls(world());
      const then = resource.id;
      const { cleared } = registry[kind].rule(input);
      const isCleared = cleared !== undefined && !isDeepStrictEqual(cleared, wanted[input]);
      // Without a name, the logical name counts, which is another value.
      const isName = input === "name" && registry[kind].named;
      expect(await resource.apply(without)).toBe(removal?.outcome ?? (isCleared || isName ? "updated" : "same"));
      // removal.test.ts has the calls that clear an input.
      if (!isName && !isCleared)
        expectWrites(world(), then, valueOf(removal?.sends ?? []), removal?.outcome === "replaced");
      await refreshPlansNothing(resource, without);
    });
  });
}

function merged(base: PropertyMap, more: Declared): PropertyMap {
  const entries = Object.entries({ ...base, ...more });
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

export async function refreshPlansNothing(resource: ResourceTest, declared: PropertyMap): Promise<void> {
  expect(await resource.refresh()).toBe(true);
  expect(await resource.diff(declared)).toMatchObject({ changes: "none", replaceKeys: [] });
  expect(resource.state?.inputs).toEqual(await resource.check(declared));
}

function expectWrites(world: World, id: string, expected: readonly Write[], callsOnly: boolean): void {
  const made = writes(world, id);
  if (callsOnly) expect(made.map(([call]) => call)).toEqual(expected.map(([call]) => call));
  else expect(made).toEqual(expected);
}

/** Returns the writes since the last look, without searches and the check before publishing. */
export function writes(world: World, id = ""): Write[] {
  const list = world.emulator.requests
    .filter(({ method, path }) => method !== "GET" && path !== "/pages/validate-before-publish")
    .map(({ method, path, body }): Write => {
      const call = `${method} ${path}`;
      return body === undefined || body === null ? [call] : [call, body];
    });
  world.emulator.requests.length = 0;
  return id === "" ? list : (JSON.parse(JSON.stringify(list).replaceAll(id, "ID")) as Write[]);
}
