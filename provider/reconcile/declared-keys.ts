/** The API key as a value: it would stand in the account, in the state and on pages. Pure; the key is in no message. */
import { isMap, type Json, type JsonMap } from "../values/json.ts";
import type { Path } from "../values/paths.ts";
import { brokenRule, type CheckFailure } from "../messages/problems.ts";

/** What is shorter may stand in a text by chance. */
const SHORTEST = 8;

export const HOLDS_KEY = "holds-key";

const HINT = "holds the API key, which would stand in the account, on pages and in the state. Take another value";

export function keysIn(inputs: JsonMap, key: string | undefined): CheckFailure[] {
  if (key === undefined || key.length < SHORTEST) return [];
  return placesIn(inputs, [], key).map((path) => brokenRule(path, HOLDS_KEY, HINT, true));
}

/** A key of a map is no place to name: the map is. */
function placesIn(value: Json | undefined, path: Path, key: string): Path[] {
  if (typeof value === "string") return value.includes(key) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => placesIn(item, [...path, index], key));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name.includes(key) ? [path] : placesIn(item, [...path, name], key),
  );
}
