/**
 * Ids of objects that another one has taken the place of, where inputs name them. One id may be of several objects, each of another
 * kind: a reference says what it refers to, and anywhere else the dependencies of the input tell. Pure.
 */
import type { Json, PropertyMap, ResourceState } from "../../engine/index.ts";
import { isMap } from "../../provider/values/json.ts";
import { keyOfType, objectsMeantAt } from "../../provider/kinds/registry.ts";
import type { StateResource } from "../engines/recorded.ts";
import type { SettledStep } from "./undo-plan.ts";

export interface Renewed {
  readonly urn: string;
  readonly type: string;
  /** Under which others may still know it. */
  readonly ids: readonly string[];
  readonly now: string;
}

type Holder = Pick<ResourceState, "type" | "propertyDependencies" | "dependencies">;

/** The one of these that a text among the inputs of a resource is an id of. */
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
  return Object.fromEntries(
    Object.entries(inputs).map(([field, value]) => [field, valueWithRenewedIds(holder, [field], value, renewed)]),
  );
}

function valueWithRenewedIds(
  holder: Holder,
  path: readonly PropertyKey[],
  value: Json,
  renewed: readonly Renewed[],
): Json {
  const below = (step: PropertyKey, item: Json): Json => valueWithRenewedIds(holder, [...path, step], item, renewed);
  if (typeof value === "string") return meantBy(holder, path, value, renewed)?.now ?? value;
  if (Array.isArray(value)) return value.map((item, index) => below(index, item));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(key, item)]));
}

/** `records`: the state as the undo left it. */
export function withNewIds(
  steps: readonly SettledStep[],
  records: readonly Pick<StateResource, "urn" | "id">[],
): SettledStep[] {
  const now = new Map(records.map(({ urn, id }) => [urn, id]));
  const renewed = steps.flatMap((step) => renewedBy(step, now.get(step.target?.urn ?? "")));
  return steps.map((step) => ({
    ...step,
    due: step.due.map((write) => {
      const holder = step.target ?? step.now;
      if (write.declared === undefined || holder === undefined) return write;
      const { field, key } = write.leaf;
      const path = key === undefined ? [field] : [field, key];
      return { ...write, declared: valueWithRenewedIds(holder, path, write.declared, renewed) };
    }),
  }));
}

function renewedBy({ before, now, knownAs = [], target }: SettledStep, id: string | undefined): Renewed[] {
  const { urn, type } = target ?? {};
  if (id === undefined || id === "" || urn === undefined || type === undefined) return [];
  const ids = [before?.id, now?.id, ...knownAs].filter((one) => one !== undefined && one !== "" && one !== id);
  return ids.length === 0 ? [] : [{ urn, type, ids: ids as string[], now: id }];
}
