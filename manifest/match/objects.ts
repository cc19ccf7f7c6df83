/**
 * Finds the objects that the entries of a manifest stand for, in this order: by adoptId; by the state of a stack, whatever its name in the app; by a
 * name that only one object has; by the public address.
 */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import type { Identified } from "../../provider/definition/collection.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { Deferred, type Entry, targetOf, type Tree } from "../declare/model.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { candidateOf, depthOf, homesAt, matchUp, mayBe, type Candidate, type Declared } from "./evidence.ts";
import type { Applied, LastApplied } from "./values.ts";

type KnownKeys = Map<Kind, Map<string, string>>;

export type ByObject<What> = ReadonlyMap<Kind, ReadonlyMap<string, What>>;

interface ListedObjects {
  readonly objects: readonly { readonly kind: Kind; readonly row: Identified }[];
}

interface Known {
  readonly keys: KnownKeys;
  /** Objects of the last run that lose their entry to another object, and the reason why the export leaves them out. */
  readonly letGo: ByObject<string>;
}

interface Live {
  readonly kind: Kind;
  readonly id: string;
  readonly label: string;
  readonly answer: JsonMap;
}

export function knownKeys(entries: readonly Entry[], records: ListedObjects, lastApplied?: LastApplied): KnownKeys {
  return new Keys(entries, liveObjects(records)).by(lastApplied);
}

/** Adds objects that the code has let go since the last run: references to them lead to their entries. */
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
    const why = `it is ${address} of the stack, and its adoptId is ${adoptId} now: the next up replaces it by that one`;
    letGo.set(kind, (letGo.get(kind) ?? new Map<string, string>()).set(before, why));
  }
  return { keys, letGo };
}

const none: LastApplied = () => undefined;

/** Returns undefined if the entry adopts nothing, or the object that it has. A quiz can be adopted by either of its ids. */
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

class Keys {
  readonly #entries: readonly Entry[];
  readonly #live: readonly Live[];
  readonly #known: KnownKeys = new Map();
  readonly #ids = new Map<string, string>();

  constructor(entries: readonly Entry[], live: readonly Live[]) {
    this.#entries = entries;
    this.#live = live;
  }

  by(lastApplied: LastApplied | undefined): KnownKeys {
    this.#each(({ inputs: { adoptId } }) => (typeof adoptId === "string" ? adoptId : undefined));
    if (lastApplied)
      this.#each((entry) => appliedTo(entry, lastApplied).find(({ id }) => this.#isThere(entry.kind, id))?.id);
    const left = this.#entries.filter(({ address }) => !this.#ids.has(address));
    for (const [, stage] of [...Map.groupBy(left, ({ definition }) => depthOf(definition))].sort(([a], [b]) => a - b))
      this.#byEvidence(stage);
    return this.#known;
  }

  /** Looks at entries that have no object yet, and at objects that have no entry. */
  #each(find: (entry: Entry) => string | undefined): void {
    for (const entry of this.#entries) {
      if (this.#ids.has(entry.address)) continue;
      const id = find(entry);
      const keys = this.#known.get(entry.kind) ?? new Map<string, string>();
      if (id === undefined || keys.has(id)) continue;
      this.#known.set(entry.kind, keys.set(id, entry.key));
      // A quiz can be adopted by its own id, which differs from the id of its page.
      if (entry.definition.life.identify === undefined || this.#isThere(entry.kind, id))
        this.#ids.set(entry.address, id);
    }
  }

  /** An object that has moved to another project or site still matches, if it is the only one like the entry. */
  #byEvidence(entries: readonly Entry[]): void {
    const { matches, unclear } = matchUp(entries.map((entry) => this.#wanted(entry)));
    const moved = unclear.flatMap(({ candidates }) => (candidates.length === 1 ? candidates : []));
    const takers = Map.groupBy(moved, ({ candidate, declared }) => `${declared.type} ${candidate.id}`);
    const alone = moved.filter(
      ({ candidate, declared }) => takers.get(`${declared.type} ${candidate.id}`)?.length === 1,
    );
    const found = new Map([...matches, ...alone].map(({ declared, candidate }) => [declared.urn, candidate.id]));
    this.#each(({ address }) => found.get(address));
  }

  #wanted(entry: Entry): { declared: Declared; candidates: Candidate[] } {
    const { kind, definition, address, key } = entry;
    const leaves = leavesIn(entry.inputs);
    const inputs = new Map(leaves.filter((leaf): leaf is [string, Json] => !(leaf[1] instanceof Deferred)));
    const inHomes = leaves.filter(([path]) => homesAt(definition.type, path).length > 0);
    const homes = new Map(inHomes.map(([path, value]) => [path, { id: this.#idOf(value) }]));
    const declared = { urn: address, type: definition.type, name: key, inputs, homes, depth: depthOf(definition) };
    const taken = this.#known.get(kind);
    const free = this.#live.filter((object) => object.kind === kind && taken?.has(object.id) !== true);
    return {
      declared,
      candidates: free.filter((one) => mayBe(one, inputs)).map((one) => candidateOf(definition, one, declared)),
    };
  }

  #isThere(kind: Kind, id: string): boolean {
    return this.#live.some((object) => object.kind === kind && object.id === id);
  }

  #idOf(tree: Tree): string | undefined {
    return typeof tree === "string" ? tree : this.#ids.get(targetOf(tree) ?? "");
  }
}

function leavesIn(tree: Tree, path: readonly (string | number)[] = []): [string, Json | Deferred][] {
  if (tree instanceof Deferred) return [[propertyPath(path), tree]];
  if (tree === null || typeof tree !== "object") return [[propertyPath(path), tree]];
  const entries = Array.isArray(tree) ? [...tree.entries()] : Object.entries(tree as Record<string, Tree>);
  return entries.flatMap(([key, inner]) => leavesIn(inner, [...path, key]));
}

function liveObjects({ objects }: ListedObjects): Live[] {
  return objects.flatMap(({ kind, row }) => {
    const definition: AnyDefinition = registry[kind];
    const { named, collection } = definition;
    if (!named) return [];
    return [{ kind, id: row.id, label: collection?.nameOf(row)?.trim() ?? "", answer: definition.shown.answerOf(row) }];
  });
}
