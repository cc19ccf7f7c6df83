/**
 * Two models compared by what they mean: resources by their identity, fields one by one, content key by key. What one side
 * can't show (an account hides tags and variants), or doesn't declare (a manifest may leave any key alone), is no
 * difference. Pure.
 */
import { same, type Json } from "../../../provider/values/json.ts";
import { pairUp, type Partners } from "../pairing.ts";
import { plainlySpelled } from "../../match/spelling.ts";
import {
  addressOf,
  isDefault,
  isPlainMap,
  Opaque,
  Reference,
  type Model,
  type Resource,
  type Value,
  plain,
} from "../../match/model.ts";

export interface FieldDifference {
  /** In the words of the inputs: publish.slug, content["hero.title"]. */
  readonly field: string;
  /** Absent where that side has none. */
  readonly a?: Json;
  readonly b?: Json;
}

export interface Difference {
  readonly change: "only-a" | "only-b" | "changed";
  /** Where it is, on the sides that have it. */
  readonly a?: string;
  readonly b?: string;
  readonly fields: readonly FieldDifference[];
}

export interface Comparison {
  readonly version: 1;
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
  /** Resources that both sides have. */
  readonly compared: number;
  /** What a manifest takes from outside and only a run can tell, so that it was not held against the account. */
  readonly unknown: readonly string[];
  readonly differences: readonly Difference[];
}

export function compareModels(a: Model, b: Model): Comparison {
  const pairs = pairUp(a, b, (one, other, partners) => compareResources(one, other, { a, b, partners }).length);
  const inA = new Set(pairs.map(([one]) => one));
  const inB = new Set(pairs.map(([, other]) => other));
  const partners = new Map(pairs.map(([one, other]) => [addressOf(one), addressOf(other)]));
  const changed = pairs.flatMap(([one, other]): Difference[] => {
    const fields = compareResources(one, other, { a, b, partners });
    return fields.length === 0 ? [] : [{ change: "changed", a: addressOf(one), b: addressOf(other), fields }];
  });
  const onlyA = a.resources.filter((resource) => !inA.has(resource));
  const onlyB = b.resources.filter((resource) => !inB.has(resource));
  const differences: Difference[] = [
    ...changed,
    ...onlyA.map((resource): Difference => ({ change: "only-a", a: addressOf(resource), fields: [] })),
    ...onlyB.map((resource): Difference => ({ change: "only-b", b: addressOf(resource), fields: [] })),
  ];
  const compared = pairs.length;
  const unknown = a.from === b.from ? [] : [...unknownIn(a), ...unknownIn(b)];
  return { version: 1, a: a.title, b: b.title, same: differences.length === 0, compared, unknown, differences };
}

function unknownIn({ resources }: Model): string[] {
  return resources.flatMap((resource) =>
    opaqueIn(resource.inputs).map(([path, { text }]) => `${addressOf(resource)}.${path} (${text})`),
  );
}

function opaqueIn(values: Record<string, Value>): [string, Opaque][] {
  return Object.entries(values).flatMap(([key, value]): [string, Opaque][] => {
    if (value instanceof Opaque) return value.value === undefined ? [[key, value]] : [];
    const inner = Array.isArray(value) ? Object.fromEntries(value.entries()) : isPlainMap(value) ? value : {};
    return opaqueIn(inner).map(([path, opaque]) => [`${key}.${path}`, opaque]);
  });
}

interface Context {
  readonly a: Model;
  readonly b: Model;
  readonly partners: Partners;
}

function compareResources(one: Resource, other: Resource, context: Context): FieldDifference[] {
  const { kind } = one;
  const names = (one.name ?? "").trim() === (other.name ?? "").trim() ? [] : [told("name", one.name, other.name)];
  // An account's ids are its own: only what two manifests say of them can differ.
  const sayBoth = context.a.from === "manifest" && context.b.from === "manifest";
  const adopted = sayBoth && one.id !== other.id ? [told("adoptId", one.id, other.id)] : [];
  const fields = new Set([...Object.keys(one.inputs), ...Object.keys(other.inputs)]);
  const differing = [...fields].flatMap((field) => {
    if (!isComparable(field, one, other, context)) return [];
    const [a, b] = [one.inputs[field], other.inputs[field]].map((value) => plainlySpelled(field, value));
    if (isDefault(kind, field, a) && isDefault(kind, field, b)) return [];
    if (field === "content" || field === "variables") return compareKeys(field, a, b, context);
    return agree(a, b, context) ? [] : [told(field, a, b)];
  });
  return [...names, ...adopted, ...differing];
}

/** An account has to show a field on its side; against an account, a manifest has to declare it. */
function isComparable(field: string, one: Resource, other: Resource, { a, b }: Context): boolean {
  if (a.from === "manifest" && b.from === "manifest") return true;
  return field in one.inputs && field in other.inputs;
}

function compareKeys(field: string, a: Value | undefined, b: Value | undefined, context: Context): FieldDifference[] {
  const [left, right] = [a, b].map((value): Record<string, Value> => (isPlainMap(value) ? value : {}));
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  const mixed = context.a.from !== context.b.from;
  const declares = context.a.from === "manifest" ? left : right;
  return [...keys].flatMap((key) => {
    if (mixed && !(key in (declares ?? {}))) return [];
    const [valueA, valueB] = [left?.[key], right?.[key]];
    return agree(valueA, valueB, context) ? [] : [told(`${field}[${JSON.stringify(key)}]`, valueA, valueB)];
  });
}

function agree(a: Value | undefined, b: Value | undefined, context: Context): boolean {
  if (a instanceof Opaque || b instanceof Opaque) {
    if (a instanceof Opaque && b instanceof Opaque) return a.text === b.text;
    const [opaque, other] = a instanceof Opaque ? [a, b] : [b as Opaque, a];
    if (context.a.from === context.b.from) return false;
    return opaque.value === undefined || same(opaque.value, plain(other ?? null));
  }
  if (a instanceof Reference || b instanceof Reference) {
    return a instanceof Reference && b instanceof Reference && context.partners.get(a.address) === b.address;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => agree(item, b[index], context));
  }
  if (isPlainMap(a) && isPlainMap(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => agree(a[key], b[key], context));
  }
  return same(a ?? null, b ?? null);
}

function told(field: string, a: Value | undefined, b: Value | undefined): FieldDifference {
  return {
    field,
    ...(a !== undefined && a !== null && { a: plain(a) }),
    ...(b !== undefined && b !== null && { b: plain(b) }),
  };
}
