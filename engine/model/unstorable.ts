import { formatPath, type PropertyPath } from "./paths.ts";
import type { Json, PropertyMap } from "./types.ts";

/**
 * What a state can't hold, which is JSON in UTF-8: where it is, and what it is. A number that is none would become null,
 * and half of a surrogate pair another character, without a word.
 */
export function findUnstorable(values: PropertyMap): { path: string; what: string } | undefined {
  return find(values, []);
}

function find(value: Json, path: PropertyPath): { path: string; what: string } | undefined {
  const what = unstorable(value);
  if (what !== undefined) return { path: formatPath(path), what };
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (!key.isWellFormed()) return { path: formatPath(path), what: `a key with ${HALF}` };
    const found = find(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unstorable(value: Json): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value === "string" && !value.isWellFormed() ? HALF : undefined;
}

const HALF = "half of a surrogate pair, which is not well-formed Unicode";
