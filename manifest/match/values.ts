/**
 * Compares an entry's declared values with the account: whether they agree, and who has changed what since the last run.
 * Forms ({ env: }, { config: }, { ref: }) count as the values that they stand for. It only reads.
 */
import { isMap, type Json, type JsonMap, same } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { Deferred, deferredIn, type Tree } from "../declare/model.ts";
import { manifestName } from "../language/fields.ts";
import type { Path } from "../source/reader.ts";
import { addressOf, isPlainMap, plain, Reference, type Value } from "./model.ts";
import { type OutsideValues, renderedText } from "./spelling.ts";

export interface AroundEntry {
  readonly outside: OutsideValues;
  /** The values that the last run applied to the same object; undefined if nobody knows. */
  readonly applied: Applied | undefined;
  /** Returns the id of the object that an entry stands for; undefined for a new one. */
  readonly idOf: (address: string) => string | undefined;
}

export class EntryValues {
  readonly #around: AroundEntry;

  constructor(around: AroundEntry) {
    this.#around = around;
  }

  /** Returns values from elsewhere that the account no longer shows. The person who set them has to decide. */
  edited(declared: Tree | undefined, live: Value, path: Path): string[] {
    if (declared instanceof Deferred) {
      const known = this.#known(declared, path);
      if (known === undefined || known.some((value) => same(value, plain(live)))) return [];
      return [`${[manifestName(String(path[0])), ...path.slice(1)].join(".")} (${originText(declared)})`];
    }
    if (Array.isArray(declared) && Array.isArray(live))
      return declared.flatMap((item, index) => this.edited(item, live[index] ?? null, [...path, index]));
    if (!isMap(declared) || !isPlainMap(live)) return [];
    return Object.entries(declared as Record<string, Tree>).flatMap(([key, item]) =>
      key in live ? this.edited(item, live[key] ?? null, [...path, key]) : [],
    );
  }

  /**
   * Returns the values that it may have in the account. For a value of another resource, these are the values of the last run. Undefined if nobody
   * knows.
   */
  #known(declared: Deferred, path: Path): readonly unknown[] | undefined {
    const { applied, outside } = this.#around;
    if (declared.origin.from !== "resource") {
      const given = outside.valueOf(declared);
      return given && [given.value];
    }
    // The id of a resource stands for an entry, and list items may be in another order.
    if (declared.origin.property.join() === "id" || path.some((step) => typeof step === "number")) return undefined;
    const seen = applied ? [applied.inputs, applied.outputs].map((map) => valueAt(map, path)) : [];
    return seen[0] === undefined ? undefined : seen.filter((value) => value !== undefined);
  }

  agrees(declared: Tree | undefined, live: Value): boolean {
    if (declared instanceof Deferred) {
      const { origin } = declared;
      if (origin.from !== "resource" || origin.property.join() !== "id") return true;
      // If the id is not in this export, nobody can tell which entry it belongs to.
      return live instanceof Reference ? origin.target === addressOf(live) : typeof live === "string";
    }
    // An id and its entry mean the same. The code keeps the spelling that it has.
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

  unchanged(before: readonly Tree[], live: readonly Value[]): (number | undefined)[] {
    return earlierOf(before, live, (a, b) => this.agrees(a, b));
  }

  /** Returns who has changed the value since the last run; undefined if that is not known. */
  changeOf(path: readonly string[], declared: Tree | undefined, live: Value) {
    const { applied } = this.#around;
    const [code, account] = [declared === undefined ? undefined : this.#codeWithIds(declared), this.#liveWithIds(live)];
    if (applied === undefined || account === undefined) return undefined;
    return { by: changedBy(applied, path, code, account), code, account };
  }

  /** Puts in the ids that the last run knew. The address stands for a new object. */
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

/** Tells if a value has no references in it. */
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
  readonly inputs: JsonMap;
  readonly outputs: JsonMap;
}

/** Finds the last run's values by the type and logical name in Pulumi. Undefined if the state has none. */
export type LastApplied = (type: string, name: string) => Applied | undefined;

type ChangedBy = "account" | "code" | "both";

function changedBy(
  { inputs, outputs }: Applied,
  path: readonly string[],
  declared: Tree | undefined,
  live: Json,
): ChangedBy {
  // A value that only the running program knows can't be compared.
  if ([...deferredIn(declared)].length > 0) return "account";
  const before = valueAt(inputs, path) as Json | undefined;
  if (same(declared, before)) return "account";
  const seen = [
    before,
    valueAt(outputs, path),
    path[0] === "content" ? renderedText(before, inputs["variables"]) : undefined,
  ];
  const known = seen.filter((one) => one !== undefined);
  // The value is new in the code: nobody had declared it, and no answer has shown it.
  return known.length === 0 || known.some((one) => same(one, live)) ? "code" : "both";
}

/** Returns the index that each item had before, if it was there: at its own place, or else at the first that is left. */
export function earlierOf<Before, Now>(
  before: readonly Before[],
  now: readonly Now[],
  isSame: (a: Before, b: Now) => boolean = same,
): (number | undefined)[] {
  const isAt = (index: number, item: Now): boolean => index < before.length && isSame(before[index] as Before, item);
  const stays = now.map((item, index) => isAt(index, item));
  const left = new Set([...before.keys()].filter((index) => stays[index] !== true));
  return now.map((item, index) => {
    const from = stays[index] ? index : [...left].find((one) => isAt(one, item));
    left.delete(from ?? -1);
    return from;
  });
}
