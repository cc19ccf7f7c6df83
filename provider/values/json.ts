/** JSON values and the two spellings of a name: camelCase in programs, snake_case on the wire. */
import { isDeepStrictEqual } from "node:util";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonMap = Record<string, Json>;

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function mapOf(value: Json | undefined): JsonMap {
  return isMap(value) ? value : {};
}

/** Returns the values of keys, without those that have none. */
export function mapBy<Key extends string>(keys: Iterable<Key>, valueOf: (key: Key) => Json | undefined): JsonMap {
  const all = [...keys].map((key) => [key, valueOf(key)] as const);
  return Object.fromEntries(all.filter((one): one is readonly [Key, Json] => one[1] !== undefined));
}

/** Returns the map with other values, without those that become none. */
export function mapEach(map: JsonMap, valueOf: (value: Json, key: string) => Json | undefined): JsonMap {
  return mapBy(Object.keys(map), (key) => valueOf(map[key] ?? null, key));
}

export function filterMap(map: JsonMap, stays: (value: Json, key: string) => boolean): JsonMap {
  return mapEach(map, (value, key) => (stays(value, key) ? value : undefined));
}

export function without(map: JsonMap, keys: readonly string[]): JsonMap {
  return filterMap(map, (_, key) => !keys.includes(key));
}

export function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function camel(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";
export type SnakeKeys<T> = { [K in keyof T & string as string extends K ? string : Snake<K>]: T[K] };

/** A wire record as outputs: first-level names in camelCase, values as they are. The id is the resource's own. */
export function camelKeys(record: object): JsonMap {
  const { id, ...fields } = record as Record<string, unknown>;
  return sanitize(Object.fromEntries(Object.entries(fields).map(([key, value]) => [camel(key), value])));
}

/**
 * Returns the part of a value that Pulumi's wire format can carry. `undefined` or a Date anywhere in the outputs loses the resource after
 * it was created, and half of a surrogate pair keeps the answer from ever being sent (measured on 3.270, 2026-11-21), so everything that
 * leaves the provider passes through here.
 */
export function sanitize(value: Record<string, unknown>): JsonMap {
  const clean: JsonMap = {};
  for (const [key, item] of Object.entries(value)) {
    if (key !== "__proto__" && item !== undefined) clean[key.toWellFormed()] = sanitizeValue(item);
  }
  return clean;
}

function sanitizeValue(value: unknown): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(sanitizeValue);
  if (isMap(value)) return sanitize(value);
  return null;
}
