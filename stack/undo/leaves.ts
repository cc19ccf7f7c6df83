/** Splits the inputs of a resource into the parts that are undone one by one, and compares two states of it. Pure. */
import type { z } from "zod";
import { draftOf, plain } from "../report/steps.ts";
import { isRecord, type Json, type PropertyMap, type ResourceState } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { filterMap, isMap, type JsonMap, mapEach, mapOf, same } from "../../provider/values/json.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf, keyOfType, objectsMeantAt } from "../../provider/kinds/registry.ts";

/** An input, or one key of an input that is compared key by key. */
export interface Leaf {
  readonly field: string;
  readonly key?: string;
}

export function leafKey(leaf: Leaf | undefined): string {
  return leaf === undefined ? "" : JSON.stringify([leaf.field, leaf.key]);
}

export function pathOf({ field, key }: Leaf): string[] {
  return key === undefined ? [field] : [field, key];
}

export function valueOf(object: ObjectState, { field, key }: Leaf): Json | undefined {
  const live = object.live(field);
  return key === undefined ? live : mapOf(live)[key];
}

export function valueAt(inputs: PropertyMap, { field, key }: Leaf): Json | undefined {
  const value = inputs[field];
  return key === undefined ? value : mapOf(value)[key];
}

export function put(inputs: JsonMap, { field, key }: Leaf, value: Json | undefined): void {
  if (key !== undefined) {
    const map = { ...mapOf(inputs[field]) };
    put(map, { field: key }, value);
    inputs[field] = map;
  } else if (value === undefined) Reflect.deleteProperty(inputs, field);
  else inputs[field] = value;
}

export function changedLeaves(definition: AnyDefinition, before: PropertyMap, after: PropertyMap): Leaf[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].flatMap((field): Leaf[] => {
    if (field.startsWith("__") || isTold(definition, field) || same(before[field], after[field])) return [];
    const [then, now] = [before[field], after[field]];
    // The input is compared as a whole if one side has none: an empty map differs from none.
    if (definition.rule(field).perKey !== true || !isRecord(then) || !isRecord(now)) return [{ field }];
    const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
    return [...keys].flatMap((key) => (same(then[key], now[key]) ? [] : [{ field, key }]));
  });
}

/** Tells if pages tell the field to a release. Nobody declares it, and it follows the pages. */
function isTold(definition: AnyDefinition | undefined, field: string): boolean {
  return field === definition?.gathers?.drafts;
}

export function isInPlace(one: ResourceState, other: ResourceState): boolean {
  return one.urn === other.urn && one.parent === other.parent;
}

export function sameInputs(one: ResourceState, other: ResourceState): boolean {
  const declared = ({ type, inputs = {} }: ResourceState): PropertyMap =>
    filterMap(inputs, (_, field) => !isTold(definitionOf(type), field));
  return same(declared(one), declared(other));
}

/** Tells if the resource left work for a later run, or has not yet heard from its pages. */
export function isUnfinished(definition: AnyDefinition, now: ResourceState, states: readonly ResourceState[]): boolean {
  if (ObjectState.fromState(definition, now.id ?? "", plain(now.outputs)).unfinished.size > 0) return true;
  const { gathers } = definition;
  if (gathers === undefined) return false;
  const inputs = plain(now.inputs);
  const members = states.filter(({ type, delete: condemned }) => definitionOf(type)?.gathered && condemned !== true);
  const told = gathers.memberIds(inputs).map((id) => {
    const member = members.find((state) => state.id === id);
    return (member && draftOf(member)) ?? "";
  });
  return !same(told, inputs[gathers.drafts]);
}

/** Leaves out what pages tell a release. A run keeps the earlier values of that, too, and sending them would pass for the present ones. */
export function leavesOf(definition: AnyDefinition, values: JsonMap): [Leaf, Json][] {
  const declared = Object.entries(values).filter(([field]) => !isTold(definition, field));
  return declared.flatMap(([field, value]): [Leaf, Json][] => {
    if (definition.rule(field).perKey !== true || !isMap(value)) return [[{ field }, value]];
    return Object.entries(value).map(([key, item]) => [{ field, key }, item]);
  });
}

/** Returns the empty value of an input that can't be null; undefined if it has none. */
export function emptyOf(definition: AnyDefinition, field: string): Json | undefined {
  const schema = definition.inputs.shape[field] as z.ZodType | undefined;
  const isText = schema?.safeParse("").success === true;
  return isText && definition.rule(field).neverEmpty !== true ? "" : undefined;
}

export interface Renewed {
  readonly urn: string;
  readonly type: string;
  /** Ids that others may still use for it. */
  readonly ids: readonly string[];
  readonly now: string;
}

type Holder = Pick<ResourceState, "type" | "propertyDependencies" | "dependencies">;

/** Returns the object whose id a text among a resource's inputs is. */
export function meantBy<One extends Omit<Renewed, "now">>(
  { type, propertyDependencies, dependencies = [] }: Holder,
  path: readonly PropertyKey[],
  text: string,
  all: readonly One[],
): One | undefined {
  const known = all.filter(({ ids }) => ids.includes(text));
  if (known.length === 0) return undefined;
  const meant = objectsMeantAt(type, path, text);
  if (meant !== undefined) return known.find((one) => meant.includes(keyOfType(one.type, text)));
  const urns = propertyDependencies?.[String(path[0])] ?? dependencies;
  return known.find(({ urn }) => urns.includes(urn));
}

export function withRenewedIds(holder: Holder, inputs: PropertyMap, renewed: readonly Renewed[]): PropertyMap {
  return mapEach(inputs, (value, field) => valueWithRenewedIds(holder, [field], value, renewed));
}

export function valueWithRenewedIds(
  holder: Holder,
  path: readonly PropertyKey[],
  value: Json,
  renewed: readonly Renewed[],
): Json {
  const below = (step: PropertyKey, item: Json): Json => valueWithRenewedIds(holder, [...path, step], item, renewed);
  if (typeof value === "string") return meantBy(holder, path, value, renewed)?.now ?? value;
  if (Array.isArray(value)) return value.map((item, index) => below(index, item));
  return isMap(value) ? mapEach(value, (item, key) => below(key, item)) : value;
}
