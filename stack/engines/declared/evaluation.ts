/** Declared values as the SDK would send them, with the resources that they depend on. */
import { containsSecret, containsUnknown, type Json, makeSecret, reveal, UNKNOWN } from "../../../engine/index.ts";
import { Deferred, type Tree, type TreeMap } from "../../../manifest/declare/model.ts";
import type { Values } from "../../../manifest/run/outside-values.ts";
import { isPrintable } from "../../../provider/pulumi/registered.ts";
import type { Made } from "./made.ts";

/** No value: what it is taken from has none. */
export interface Evaluated {
  readonly value: Json | undefined;
  readonly urns: ReadonlySet<string>;
}

export function fixed(value: Json | undefined): Evaluated {
  return { value, urns: new Set() };
}

/** One value: unknown where a part is, secret where a part is. */
export function asOne(value: Json): Json {
  if (containsUnknown(value)) return UNKNOWN;
  return containsSecret(value) ? makeSecret(reveal(value)) : value;
}

export class Evaluation {
  readonly #values: Values;
  readonly #made: ReadonlyMap<string, Promise<Made>>;

  constructor(values: Values, made: ReadonlyMap<string, Promise<Made>>) {
    this.#values = values;
    this.#made = made;
  }

  /** The inputs of a resource. */
  async inputs(inputs: TreeMap): Promise<Record<string, Evaluated>> {
    const all = Object.entries(inputs).map(async ([name, tree]) => [name, whole(await this.of(tree))] as const);
    return Object.fromEntries(await Promise.all(all));
  }

  async of(tree: Tree): Promise<Evaluated> {
    if (tree instanceof Deferred) return this.#deferred(tree);
    if (typeof tree !== "object" || tree === null) return fixed(tree);
    const isList = Array.isArray(tree);
    const parts = await Promise.all(
      Object.entries(tree).map(async ([key, part]) => [key, await this.of(part)] as const),
    );
    const urns = new Set(parts.flatMap(([, part]) => [...part.urns]));
    const value = isList
      ? parts.map(([, part]) => part.value ?? null)
      : Object.fromEntries(parts.flatMap(([key, part]) => (part.value === undefined ? [] : [[key, part.value]])));
    return { value, urns };
  }

  async #deferred(deferred: Deferred): Promise<Evaluated> {
    const { origin } = deferred;
    if (origin.from === "resource") {
      const made = await this.#made.get(origin.target);
      return made === undefined ? fixed(undefined) : { value: made.value(origin.property), urns: new Set([made.urn]) };
    }
    const found = this.#values.get(deferred);
    return fixed(found?.secret ? makeSecret(found.value) : found?.value);
  }
}

/** The classes wrap what can't be printed into an output (provider/pulumi/resource.ts), which is one value. */
function whole(evaluated: Evaluated): Evaluated {
  const { value } = evaluated;
  return value === undefined || isPrintable(value) ? evaluated : { ...evaluated, value: asOne(value) };
}
