/**
 * What an entry declares beside what the account holds: whether both say the same, and who has changed what since the last run.
 * Values that stand for others ({ env: }, { config: }, { ref: }) are compared by what they stand for. Reads only.
 */
import { isDeepStrictEqual } from "node:util";
import { diffArrays } from "diff";
import { isMap, type Json, type JsonMap } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { Deferred, deferredIn, type Tree } from "../declare/model.ts";
import { manifestName } from "../language/fields.ts";
import type { Path } from "../source/reader.ts";
import { addressOf, isPlainMap, plain, Reference, type Value } from "./model.ts";
import { type OutsideValues, renderedText } from "./spelling.ts";

export interface AroundEntry {
  readonly outside: OutsideValues;
  /** What the last run applied to the same object; undefined where nobody knows. */
  readonly applied: Applied | undefined;
  /** Of the object that an entry stands for; undefined for one that is new. */
  readonly idOf: (address: string) => string | undefined;
}

export class EntryValues {
  readonly #around: AroundEntry;

  constructor(around: AroundEntry) {
    this.#around = around;
  }

  /** Values from elsewhere that the account no longer shows: whoever set them has to decide. */
  edited(declared: Tree | undefined, live: Value, path: Path): string[] {
    if (declared instanceof Deferred) {
      const known = this.#known(declared, path);
      if (known === undefined || known.some((value) => isDeepStrictEqual(value, plain(live)))) return [];
      return [`${[manifestName(String(path[0])), ...path.slice(1)].join(".")} (${originText(declared)})`];
    }
    if (Array.isArray(declared) && Array.isArray(live))
      return declared.flatMap((item, index) => this.edited(item, live[index] ?? null, [...path, index]));
    if (!isMap(declared) || !isPlainMap(live)) return [];
    return Object.entries(declared as Record<string, Tree>).flatMap(([key, item]) =>
      key in live ? this.edited(item, live[key] ?? null, [...path, key]) : [],
    );
  }

  /** What it may be in the account: of another resource, what the last run made of it. Undefined where nobody can tell. */
  #known(declared: Deferred, path: Path): readonly unknown[] | undefined {
    const { applied, outside } = this.#around;
    if (declared.origin.from !== "resource") {
      const given = outside.valueOf(declared);
      return given && [given.value];
    }
    // An id stands for an entry, and the items of a list may be in another order.
    if (declared.origin.property.join() === "id" || path.some((step) => typeof step === "number")) return undefined;
    const seen = applied ? [applied.inputs, applied.outputs].map((map) => valueAt(map, path)) : [];
    return seen[0] === undefined ? undefined : seen.filter((value) => value !== undefined);
  }

  agrees(declared: Tree | undefined, live: Value): boolean {
    if (declared instanceof Deferred) {
      const { origin } = declared;
      if (origin.from !== "resource" || origin.property.join() !== "id") return true;
      // Of an id that is none of this export's nobody can tell which entry it is.
      return live instanceof Reference ? origin.target === addressOf(live) : typeof live === "string";
    }
    // An id says the same as the entry that has it, and stays as it is written.
    if (live instanceof Reference) return declared !== undefined && declared === this.#around.idOf(addressOf(live));
    if (Array.isArray(live)) {
      const same = Array.isArray(declared) && declared.length === live.length;
      return same && live.every((item, index) => this.agrees(declared[index], item));
    }
    if (isPlainMap(live)) {
      if (!isMap(declared)) return false;
      const keys = new Set([...Object.keys(live), ...Object.keys(declared)]);
      return [...keys].every((key) => this.agrees((declared as Record<string, Tree>)[key], live[key] ?? null));
    }
    return (declared ?? null) === live;
  }

  /** Items of two lists that say the same: those that stay in order, and of the others those that have moved. */
  unchanged(before: readonly Tree[], live: readonly Value[]): { from: number; to: number }[] {
    const changed = listChanges(before, live, (a, b) => this.agrees(a as Tree, b as Value));
    const gone = new Set(changed.flatMap((one) => (one.change === "insert" ? [] : [one.index])));
    const come = new Set(changed.flatMap((one) => (one.change === "remove" ? [] : [one.by])));
    const stay = [...before.keys()].filter((index) => !gone.has(index));
    const stayed = [...live.keys()].filter((index) => !come.has(index));
    const moved = [...come].flatMap((to) => {
      const from = [...gone].find((index) => this.agrees(before[index], live[to] ?? null));
      if (from === undefined) return [];
      gone.delete(from);
      return [{ from, to }];
    });
    return [...stay.map((from, index) => ({ from, to: stayed[index] ?? from })), ...moved];
  }

  /** Since the last run; with the ids that it knew. Undefined where that can't be told. */
  changeOf(path: readonly string[], declared: Tree | undefined, live: Value) {
    const { applied } = this.#around;
    const [code, account] = [declared === undefined ? undefined : this.#codeWithIds(declared), this.#liveWithIds(live)];
    if (applied === undefined || account === undefined) return undefined;
    return { by: changedBy(applied, path, code, account), code, account };
  }

  /** With the ids that the last run knew; the address stands for what is new. */
  #codeWithIds(tree: Tree): Tree {
    if (tree instanceof Deferred) {
      const { origin } = tree;
      if (origin.from !== "resource" || origin.property.join() !== "id") return tree;
      return this.#around.idOf(origin.target) ?? origin.target;
    }
    if (Array.isArray(tree)) return tree.map((item) => this.#codeWithIds(item));
    if (!isMap(tree)) return tree;
    const entries = Object.entries(tree as Record<string, Tree>);
    return Object.fromEntries(entries.map(([key, item]) => [key, this.#codeWithIds(item)]));
  }

  /** Undefined where that can't be told. */
  #liveWithIds(value: Value): Json | undefined {
    if (value instanceof Reference) return this.#around.idOf(addressOf(value));
    if (isJson(value)) return value;
    const items = Array.isArray(value) ? value : isPlainMap(value) ? Object.values(value) : [];
    const known = items.map((item) => this.#liveWithIds(item));
    if (known.length === 0 || known.includes(undefined)) return undefined;
    const all = known as Json[];
    if (Array.isArray(value)) return all;
    return Object.fromEntries(Object.keys(value as object).map((key, index) => [key, all[index] ?? null]));
  }
}

/** Without references in it. */
export function isJson(value: Value): value is Json {
  if (Array.isArray(value)) return value.every(isJson);
  if (isPlainMap(value)) return Object.values(value).every(isJson);
  return typeof value !== "object" || value === null;
}

function originText({ origin }: Deferred): string {
  return origin.from === "env"
    ? `{ env: ${origin.name} }`
    : origin.from === "config"
      ? `{ config: ${origin.key} }`
      : origin.from === "stack" || origin.from === "text"
        ? "a text that is filled in"
        : origin.from === "resource"
          ? `{ ref: ${[origin.target, ...origin.property].join(".")} }`
          : origin.from;
}

export interface Applied {
  readonly id: string;
  /** As declared. */
  readonly inputs: JsonMap;
  /** As the service answered. */
  readonly outputs: JsonMap;
}

/** By the type and the logical name that Pulumi knows a resource by. Undefined where the state has none. */
export type LastApplied = (type: string, name: string) => Applied | undefined;

/** Whose change a difference is. */
type ChangedBy = "account" | "code" | "both";

function changedBy(
  { inputs, outputs }: Applied,
  path: readonly string[],
  declared: Tree | undefined,
  live: Json,
): ChangedBy {
  // What is known only when the program runs is held against nothing.
  if ([...deferredIn(declared)].length > 0) return "account";
  const before = valueAt(inputs, path) as Json | undefined;
  if (isDeepStrictEqual(declared, before)) return "account";
  const seen = [before, valueAt(outputs, path), path[0] === "content" ? renderedOf(before, inputs) : undefined];
  const known = seen.filter((one) => one !== undefined);
  // What nobody had declared, and no answer has shown, the code alone has begun to say.
  return known.length === 0 || known.some((one) => isDeepStrictEqual(one, live)) ? "code" : "both";
}

function renderedOf(before: Json | undefined, { variables }: JsonMap): Json | undefined {
  return isMap(variables) ? renderedText(before, variables) : undefined;
}

type ListChange =
  | { readonly change: "replace"; readonly index: number; readonly by: number }
  | { readonly change: "remove"; readonly index: number }
  /** Behind the item of that index; -1: at the beginning. */
  | { readonly change: "insert"; readonly after: number; readonly by: number };

/** An item that goes from one place and comes, the same, at another. */
interface Move {
  readonly change: "move";
  readonly index: number;
  readonly after: number;
}

export function listChanges(
  before: readonly unknown[],
  now: readonly unknown[],
  isSame: (a: unknown, b: unknown) => boolean = isDeepStrictEqual,
): ListChange[] {
  const changes: ListChange[] = [];
  const parts = diffArrays([...before], [...now], { comparator: isSame });
  let [index, by] = [0, 0];
  let leaving: number[] = [];
  const leave = (): void => {
    changes.push(...leaving.map((gone): ListChange => ({ change: "remove", index: gone })));
    leaving = [];
  };
  for (const { added, removed, count } of parts) {
    if (removed) {
      leave();
      leaving = Array.from({ length: count }, () => index++);
    } else if (added) {
      for (let n = 0; n < count; n++, by++) {
        const replaced = leaving.shift();
        if (replaced === undefined) changes.push({ change: "insert", after: index - 1, by });
        else changes.push({ change: "replace", index: replaced, by });
      }
      leave();
    } else {
      leave();
      index += count;
      by += count;
    }
  }
  leave();
  return changes;
}

/** The same changes; what only changes its place is one of them. Those at one place stay in order. */
export function withMoves(
  changes: readonly ListChange[],
  before: readonly unknown[],
  now: readonly unknown[],
): (ListChange | Move)[] {
  const leaving = new Set(changes.flatMap((one) => (one.change === "insert" ? [] : [one.index])));
  const moved = new Set<number>();
  const told = changes.flatMap((one): (ListChange | Move)[] => {
    if (one.change === "remove") return [one];
    const index = [...leaving].find((gone) => isDeepStrictEqual(before[gone], now[one.by]));
    if (index === undefined) return [one];
    leaving.delete(index);
    moved.add(index);
    if (one.change === "insert") return [{ change: "move", index, after: one.after }];
    return [
      { change: "remove", index: one.index },
      { change: "move", index, after: one.index },
    ];
  });
  return behindWhatStays(told.flatMap((one) => withoutMoved(one, moved)));
}

/** What goes may be cut out together with its neighbours: nothing can come in the middle of that. */
function behindWhatStays(changes: readonly (ListChange | Move)[]): (ListChange | Move)[] {
  const gone = new Set(changes.flatMap((one) => (one.change === "remove" ? [one.index] : [])));
  return changes.map((one) => {
    if (one.change !== "insert" && one.change !== "move") return one;
    let { after } = one;
    while (gone.has(after)) after--;
    return { ...one, after };
  });
}

/** What has moved away makes room for what would have replaced it. */
function withoutMoved(one: ListChange | Move, moved: ReadonlySet<number>): (ListChange | Move)[] {
  if (one.change === "insert" || one.change === "move" || !moved.has(one.index)) return [one];
  return one.change === "remove" ? [] : [{ change: "insert", after: one.index, by: one.by }];
}
