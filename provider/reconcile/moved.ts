/**
 * Which parts of what is declared differ, told by their paths alone: of a value that is secret, an engine's events show a mark,
 * and one mark is like another. Pure.
 */
import { isMap, same, type Json } from "../values/json.ts";

export type Path = readonly string[];

/** Of a map, its keys. */
export function pathsBetween(field: string, then: Json | undefined, now: Json | undefined): Path[] {
  if (!isMap(then) || !isMap(now)) return same(then, now) ? [] : [[field]];
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].filter((key) => !same(own(then, key), own(now, key))).map((key) => [field, key]);
}

/** A key may be called like what every object inherits. */
function own(map: Record<string, Json>, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
