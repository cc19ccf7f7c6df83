import type { Json, PropertyMap } from "./types.ts";
import { isObject } from "./values.ts";

/**
 * Returns the same values, taken from the other map if it has them at the same place. A provider's answer repeats most of the texts that it was sent,
 * and the run would hold every copy of thousands of resources. Pure.
 */
export function sharing(map: PropertyMap, other: PropertyMap): PropertyMap {
  const names = Object.keys(map);
  const shared = Object.entries(map).map(([name, value]) => [name, shareOne(value, partOf(other, name))] as const);
  const isOther = names.length === Object.keys(other).length && isInOrder(names, other);
  return isOther && shared.every(([name, value]) => Object.is(value, other[name])) ? other : Object.fromEntries(shared);
}

function shareOne(value: Json, other: Json | undefined): Json {
  // Equal texts share their memory from here on.
  if (value === other) return other;
  if (Array.isArray(value) && Array.isArray(other)) return shareList(value, other);
  return isObject(value) && isObject(other) ? sharing(value, other) : value;
}

function shareList(list: Json[], other: Json[]): Json[] {
  const shared = list.map((item, index) => shareOne(item, other[index]));
  const isOther = list.length === other.length && shared.every((item, index) => Object.is(item, other[index]));
  return isOther ? other : shared;
}

/** Tells if the keys have the same order, because a written value keeps its order. */
function isInOrder(names: readonly string[], other: PropertyMap): boolean {
  return Object.keys(other).every((name, index) => name === names[index]);
}

function partOf(map: PropertyMap, name: string): Json | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
