import type { Json, PropertyMap } from "./types.ts";
import { isObject } from "./values.ts";

/**
 * The same values, taken from another map where that has them at the same place: what a provider answers repeats nearly every
 * text that it was sent, and of thousands of resources each copy is held for as long as the run takes. Pure.
 */
export function sharing(map: PropertyMap, other: PropertyMap): PropertyMap {
  const names = Object.keys(map);
  const shared = Object.entries(map).map(([name, value]) => [name, shareOne(value, partOf(other, name))] as const);
  const isOther = names.length === Object.keys(other).length && isInOrder(names, other);
  return isOther && shared.every(([name, value]) => Object.is(value, other[name])) ? other : Object.fromEntries(shared);
}

function shareOne(value: Json, other: Json | undefined): Json {
  // Texts that are equal are one from here on.
  if (value === other) return other;
  if (Array.isArray(value) && Array.isArray(other)) return shareList(value, other);
  return isObject(value) && isObject(other) ? sharing(value, other) : value;
}

function shareList(list: Json[], other: Json[]): Json[] {
  const shared = list.map((item, index) => shareOne(item, other[index]));
  const isOther = list.length === other.length && shared.every((item, index) => Object.is(item, other[index]));
  return isOther ? other : shared;
}

/** What is written keeps its order. */
function isInOrder(names: readonly string[], other: PropertyMap): boolean {
  return Object.keys(other).every((name, index) => name === names[index]);
}

function partOf(map: PropertyMap, name: string): Json | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
