import { formatPath, type PropertyPath } from "./paths.ts";
import { type Json, type PropertyMap, SECRET_SIG, SIG_KEY } from "./types.ts";
import { ARCHIVE_SIG, ASSET_SIG, FLOAT_SIG, isObject, RESOURCE_SIG } from "./values.ts";

/** Finds a value that a state in JSON and UTF-8 can't hold, or a special value that would keep Pulumi from loading the state. */
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
  if (isObject(value) && Object.hasOwn(value, SIG_KEY) && !isSpecial(value)) return UNKNOWN_MARK;
  return typeof value === "string" && !value.isWellFormed() ? HALF : undefined;
}

function isSpecial(value: PropertyMap): boolean {
  const { [SIG_KEY]: signature, value: held, urn, id, packageVersion } = value;
  const isText = (part: Json | undefined): boolean => part === undefined || part === null || typeof part === "string";
  if (signature === SECRET_SIG) return held !== undefined;
  if (signature === FLOAT_SIG) return typeof held === "string" && /^[0-9a-f]{16}$/.test(held);
  if (signature === RESOURCE_SIG) return typeof urn === "string" && isText(id) && isText(packageVersion);
  return signature === ASSET_SIG || signature === ARCHIVE_SIG;
}

const HALF = "half of a surrogate pair, which is not well-formed Unicode";
const UNKNOWN_MARK = `an object with the key "${SIG_KEY}", which marks Pulumi's special values, but it is not one of them`;
