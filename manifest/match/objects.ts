/**
 * Which objects of an account the entries of a manifest stand for: by adoptId; by the state of a stack, whatever somebody calls
 * them in the app; by a name that only one object has; last by the address where they are public.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { isMap, type JsonMap } from "../../provider/values/json.ts";
import { normalSlug } from "../../provider/kinds/page/path.ts";
import type { Identified } from "../../provider/definition/collection.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { Deferred, type Entry, type Tree } from "../declare/model.ts";
import type { Applied, LastApplied } from "./values.ts";

/** Keys by kind and id. */
export type KnownKeys = Map<Kind, Map<string, string>>;

/** What is known about an object, by kind and id. */
export type ByObject<What> = ReadonlyMap<Kind, ReadonlyMap<string, What>>;

/** What the account has of the kinds that were read. */
export interface ListedObjects {
  readonly objects: readonly { readonly kind: Kind; readonly row: Identified }[];
}

export interface Known {
  readonly keys: KnownKeys;
  /** Objects that an entry had in the last run, and whose place another one takes with the next: why they are left out. */
  readonly letGo: ByObject<string>;
}

interface Live {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly answer: JsonMap;
}

export function knownKeys(entries: readonly Entry[], records: ListedObjects, lastApplied?: LastApplied): KnownKeys {
  return new Matching(entries, liveObjects(records)).by(lastApplied);
}

/** The same, with what the code has let go of since the last run: references to that are references to its entry. */
export function knownSince(entries: readonly Entry[], records: ListedObjects, lastApplied: LastApplied = none): Known {
  const keys = knownKeys(entries, records, lastApplied);
  const letGo = new Map<Kind, Map<string, string>>();
  for (const entry of entries) {
    const { kind, key, address } = entry;
    const { adoptId } = entry.inputs;
    const before = formerObject(entry, lastApplied);
    const ofKind = keys.get(kind) ?? new Map<string, string>();
    if (before === undefined || typeof adoptId !== "string" || ofKind.has(before)) continue;
    keys.set(kind, ofKind.set(before, key));
    const why = `it is ${address} of the stack, whose adoptId names ${adoptId} now: the next up puts that one in its place`;
    letGo.set(kind, (letGo.get(kind) ?? new Map<string, string>()).set(before, why));
  }
  return { keys, letGo };
}

const none: LastApplied = () => undefined;

/** Undefined where the entry takes over nothing, or what it has. A quiz is taken over by either of its ids. */
function formerObject(entry: Entry, lastApplied: LastApplied): string | undefined {
  const { adoptId } = entry.inputs;
  if (typeof adoptId !== "string") return undefined;
  const [applied] = appliedTo(entry, lastApplied);
  if (applied === undefined) return undefined;
  const own = [applied.id, applied.inputs["adoptId"], ...Object.values(applied.outputs)];
  return own.includes(adoptId) ? undefined : applied.id;
}

function appliedTo({ key, definition: { type }, options: { aliases } }: Entry, lastApplied: LastApplied): Applied[] {
  const names = [key, ...aliases.filter((alias) => !alias.startsWith("urn:"))];
  return names.flatMap((name) => lastApplied(type, name) ?? []);
}

class Matching {
  readonly #entries: readonly Entry[];
  readonly #live: readonly Live[];
  readonly #known: KnownKeys = new Map();
  /** Ids by the address of the entry. */
  readonly #ids = new Map<string, string>();

  constructor(entries: readonly Entry[], live: readonly Live[]) {
    this.#entries = entries;
    this.#live = live;
  }

  by(lastApplied: LastApplied | undefined): KnownKeys {
    this.#each(({ inputs: { adoptId } }) => (typeof adoptId === "string" ? adoptId : undefined));
    if (lastApplied) this.#each((entry) => this.#applied(entry, lastApplied));
    this.#each((entry) => this.#named(entry));
    this.#each((entry) => this.#placed(entry));
    return this.#known;
  }

  /** Of entries that stand for nothing yet, and objects that nothing stands for. */
  #each(find: (entry: Entry) => string | undefined): void {
    for (const entry of this.#entries) {
      if (this.#ids.has(entry.address)) continue;
      const id = find(entry);
      const keys = this.#known.get(entry.kind) ?? new Map<string, string>();
      if (id === undefined || keys.has(id)) continue;
      this.#known.set(entry.kind, keys.set(id, entry.key));
      // A quiz may be adopted by its own id, which is not the one of its page.
      if (entry.definition.identify === undefined || this.#isThere(entry.kind, id)) this.#ids.set(entry.address, id);
    }
  }

  #isThere(kind: Kind, id: string): boolean {
    return this.#live.some((object) => object.kind === kind && object.id === id);
  }

  #applied(entry: Entry, lastApplied: LastApplied): string | undefined {
    return appliedTo(entry, lastApplied).find(({ id }) => this.#isThere(entry.kind, id))?.id;
  }

  #named({ kind, inputs: { name } }: Entry): string | undefined {
    if (typeof name !== "string") return undefined;
    return onlyOne(this.#live.filter((object) => object.kind === kind && object.name.trim() === name.trim()));
  }

  #placed({ kind, inputs: { publish } }: Entry): string | undefined {
    if (registry[kind].public !== "address" || !isTree(publish)) return undefined;
    const [siteId, slug = ""] = [this.#idOf(publish["siteId"]), publish["slug"]];
    if (siteId === undefined || typeof slug !== "string") return undefined;
    return onlyOne(
      this.#live.filter(
        ({ kind: other, answer: { status, siteId: on, slug: at } }) =>
          other === kind &&
          status === "published" &&
          on === siteId &&
          normalSlug(typeof at === "string" ? at : "") === normalSlug(slug),
      ),
    );
  }

  #idOf(tree: Tree | undefined): string | undefined {
    if (typeof tree === "string") return tree;
    if (!(tree instanceof Deferred) || tree.origin.from !== "resource") return undefined;
    return this.#ids.get(tree.origin.target);
  }
}

function onlyOne(found: readonly Live[]): string | undefined {
  const [only, other] = found;
  return other === undefined ? only?.id : undefined;
}

function isTree(tree: Tree | undefined): tree is { readonly [key: string]: Tree } {
  return isMap(tree) && !(tree instanceof Deferred);
}

function liveObjects({ objects }: ListedObjects): Live[] {
  return objects.flatMap(({ kind, row }) => {
    const definition: AnyDefinition = registry[kind];
    const { named, collection } = definition;
    if (!named) return [];
    return [{ kind, id: row.id, name: collection?.nameOf(row) ?? "", answer: definition.answerOf(row) }];
  });
}
