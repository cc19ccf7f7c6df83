/**
 * Which resource of one model is which of another. Ids tell it within one account, keys between two manifests. Else it is
 * the name, and where several have that name, what they hold, what they refer to and what refers to them: keys of an
 * account say no more than which of its namesakes is the oldest. Pure.
 */
import { createHash } from "node:crypto";
import { registry } from "../../provider/kinds/registry.ts";
import {
  addressOf,
  isPlainMap,
  Reference,
  tellingInputs,
  type Model,
  type Resource,
  type Value,
} from "../match/model.ts";

export type Pairing = [Resource, Resource];

/** Addresses of B by those of A. */
export type Partners = ReadonlyMap<string, string>;

export type CountDifferences = (one: Resource, other: Resource, partners: Partners) => number;

const KINDS = Object.keys(registry);

/** Enough to tell namesakes apart by what refers to the things that refer to them. */
const ROUNDS = 3;

export function pairUp(a: Model, b: Model, countDifferences: CountDifferences): Pairing[] {
  return new Matching(a, b, countDifferences).pairs();
}

class Matching {
  readonly #a: Model;
  readonly #b: Model;
  readonly #countDifferences: CountDifferences;
  readonly #signatures: ReadonlyMap<Resource, string>;
  readonly #pairs: Pairing[] = [];
  readonly #paired = new Set<Resource>();
  readonly #partners = new Map<string, string>();

  constructor(a: Model, b: Model, countDifferences: CountDifferences) {
    this.#a = a;
    this.#b = b;
    this.#countDifferences = countDifferences;
    const whole = a.from === b.from;
    this.#signatures = new Map([...signaturesOf(a.resources, whole), ...signaturesOf(b.resources, whole)]);
  }

  pairs(): Pairing[] {
    this.#pairBy(({ id }) => id);
    if (this.#a.from === "manifest" && this.#b.from === "manifest") {
      this.#pairBy(({ key, name }) => JSON.stringify([key, name?.trim()]));
    }
    this.#pairNamesakes();
    this.#pairBy(({ key }) => key);
    return this.#pairs.sort(([one], [other]) => rank(one) - rank(other));
  }

  /** Pairs what has something to itself on either side. */
  #pairBy(what: (resource: Resource) => string | undefined): void {
    for (const [ones, others] of this.#groups(what)) {
      const [one, other] = [ones[0], others[0]];
      if (one && other && ones.length === 1 && others.length === 1) this.#pair(one, other);
    }
  }

  /** In the order of the registry, so that what a resource refers to is paired before it. */
  #pairNamesakes(): void {
    const groups = this.#groups(({ name }) => name?.trim()).filter(([, others]) => others.length > 0);
    for (const [ones, others] of groups.sort(([[one]], [[other]]) => rank(one) - rank(other))) {
      const left = ones.filter((one) => !this.#pairEqual(one, others));
      for (const one of left) this.#pairNearest(one, others);
    }
  }

  #pairEqual(one: Resource, others: readonly Resource[]): boolean {
    const signature = this.#signatures.get(one);
    const candidates = this.#free(one, others).filter((other) => this.#signatures.get(other) === signature);
    const equal = candidates.find((other) => this.#countDifferences(one, other, this.#partners) === 0);
    if (equal) this.#pair(one, equal);
    return equal !== undefined;
  }

  #pairNearest(one: Resource, others: readonly Resource[]): void {
    const [nearest] = this.#free(one, others)
      .map((other) => ({ other, distance: this.#countDifferences(one, other, this.#partners) }))
      .sort((a, b) => a.distance - b.distance);
    if (nearest) this.#pair(one, nearest.other);
  }

  /** What is still to be had, the one of the same key first. */
  #free(one: Resource, others: readonly Resource[]): Resource[] {
    const free = others.filter((other) => !this.#paired.has(other));
    return free.sort((a, b) => Number(b.key === one.key) - Number(a.key === one.key));
  }

  #pair(one: Resource, other: Resource): void {
    this.#pairs.push([one, other]);
    this.#paired.add(one).add(other);
    this.#partners.set(addressOf(one), addressOf(other));
  }

  #groups(what: (resource: Resource) => string | undefined): [Resource[], Resource[]][] {
    const [left, right] = [this.#a, this.#b].map(({ resources }) =>
      Map.groupBy(
        resources.filter((resource) => !this.#paired.has(resource) && what(resource) !== undefined),
        (resource) => `${resource.kind} ${what(resource) ?? ""}`,
      ),
    );
    return [...(left ?? [])].map(([key, ones]) => [ones, right?.get(key) ?? []]);
  }
}

function rank(resource: Resource | undefined): number {
  return KINDS.indexOf(resource?.kind ?? "");
}

interface Link {
  readonly from: Resource;
  readonly path: string;
  readonly to: Resource;
}

/** A digest of each resource and its surroundings. `whole`: with its own values, where both sides show the same ones. */
function signaturesOf(resources: readonly Resource[], whole: boolean): Map<Resource, string> {
  const byAddress = new Map(resources.map((resource) => [addressOf(resource), resource]));
  const links = resources.flatMap((from) =>
    [...referencesIn(from.inputs)].flatMap(([path, address]): Link[] => {
      const to = byAddress.get(address);
      return to ? [{ from, path, to }] : [];
    }),
  );
  const outgoing = Map.groupBy(links, ({ from }) => from);
  const incoming = Map.groupBy(links, ({ to }) => to);
  let signatures = new Map(resources.map((resource) => [resource, digest(ownValues(resource, whole))]));
  const sign = (resource: Resource): string => signatures.get(resource) ?? "";
  for (let round = 0; round < ROUNDS; round++) {
    const next = resources.map((resource): [Resource, string] => {
      const refersTo = outgoing.get(resource)?.map(({ path, to }) => [path, sign(to)]) ?? [];
      const referredBy = incoming.get(resource)?.map(({ path, from }) => [from.kind, path, sign(from)].join()) ?? [];
      return [resource, digest([sign(resource), refersTo, referredBy.sort()])];
    });
    signatures = new Map(next);
  }
  return signatures;
}

function ownValues(resource: Resource, whole: boolean): unknown {
  const { kind, name } = resource;
  const values = whole ? tellingInputs(resource).map(([field, value]) => [field, withoutReferences(value)]) : [];
  return [kind, name?.trim(), values];
}

function withoutReferences(value: Value): unknown {
  if (value instanceof Reference) return null;
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isPlainMap(value)) return value;
  return Object.entries(value).map(([key, item]) => [key, withoutReferences(item)]);
}

function* referencesIn(value: Value, path = ""): Generator<[string, string]> {
  if (value instanceof Reference) yield [path, value.address];
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* referencesIn(item, `${path}[${index}]`);
  else if (isPlainMap(value))
    for (const [key, item] of Object.entries(value)) yield* referencesIn(item, `${path}.${key}`);
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64");
}
