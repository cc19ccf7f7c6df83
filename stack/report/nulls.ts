/** Where one side has null and the other nothing at all: to the engines that is the same, and to whoever is sent it, it is not. Pure. */
import { isRecord, type Json, type PropertyMap, type PropertyPath } from "../../engine/index.ts";
import type { Field } from "./model.ts";

/** An input that is null is one that is not there, so only what stands below the inputs is looked at. */
export function nullFields(old: PropertyMap, next: PropertyMap): Field[] {
  return Object.keys(old).flatMap((input) =>
    input.startsWith("__") ? [] : between([input], old[input] ?? null, next[input] ?? null),
  );
}

function between(path: PropertyPath, old: Json, next: Json): Field[] {
  if (Array.isArray(old) && Array.isArray(next))
    return old.flatMap((item, index) => between([...path, index], item, next[index] ?? null));
  if (!isRecord(old) || !isRecord(next)) return [];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((key): Field[] => {
    const [before, now] = [valueAt(old, key), valueAt(next, key)];
    const inner = [...path, key];
    if (before === undefined) return now === null ? [{ path: inner, kind: "add", new: null }] : [];
    if (now === undefined) return before === null ? [{ path: inner, kind: "delete", old: null }] : [];
    return between(inner, before, now);
  });
}

function valueAt(map: PropertyMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
