/** Values that Pulumi doesn't know yet (preview) arrive as one agreed string, at any depth. */
import { isMap } from "./json.ts";

export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isMap(value) && Object.values(value).some(hasUnknown);
}

/** Follows a path into a value; true when an unknown stands on the way or anywhere below its end. */
export function unknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  let here: unknown = value;
  for (const step of path) {
    if (here === UNKNOWN) return true;
    if (Array.isArray(here)) here = here[Number(step)];
    else if (isMap(here)) here = here[String(step)];
    else return false;
  }
  return hasUnknown(here);
}
