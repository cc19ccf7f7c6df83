/** A builder node without properties that a patch can't take away: in an undo, null stands for what wasn't there. Pure. */
import { isMap, type Json, type JsonMap } from "../../values/json.ts";

export const PARTS = ["misc", "style"] as const;

type Patch = { readonly [Part in (typeof PARTS)[number]]?: JsonMap | undefined };

export function takesAway(patch: Patch): boolean {
  return PARTS.some((part) => Object.values(patch[part] ?? {}).includes(null));
}

/** `node`: as it is now, with whatever else somebody has changed in it. */
export function patched(node: JsonMap, patch: Patch): JsonMap {
  const parts = PARTS.flatMap((part): [string, Json][] => {
    const [live, then] = [node[part], patch[part]];
    if (!then) return [];
    const merged = Object.entries({ ...(isMap(live) && live), ...then }).filter(([, value]) => value !== null);
    return [[part, Object.fromEntries(merged)]];
  });
  return { ...node, ...Object.fromEntries(parts) };
}
