/**
 * Inputs that the program leaves to others with `ignoreChanges`. The engine puts in their place what the state has, which after a
 * refresh is what somebody is at work on: taken for the program's own word, it would go public.
 */
import { isMap, mapOf, type Json, type JsonMap } from "../values/json.ts";
import type { Path } from "../values/paths.ts";

/** Whether the input at `path`, or what it is part of, is left to others. `paths`: as Pulumi writes them, with `*` for any step. */
export function isIgnored(paths: readonly string[], path: Path): boolean {
  return paths.some((one) => {
    const steps = stepsOf(one);
    return steps.length > 0 && steps.every((step, index) => step === "*" || step === String(path[index]));
  });
}

/** Inputs with what is left to others as it was declared before: after a refresh the engine puts there what is live. */
export function withIgnored(inputs: JsonMap, declared: ReadonlyMap<string, Json>, paths: readonly string[]): JsonMap {
  if (paths.length === 0) return inputs;
  const fields = Object.entries(inputs).map(([field, value]): [string, Json | undefined] => {
    const then = declared.get(field);
    if (isIgnored(paths, [field])) return [field, then];
    return [field, isMap(value) ? keysOf(value, mapOf(then), (key) => isIgnored(paths, [field, key])) : value];
  });
  return Object.fromEntries(fields.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));
}

function keysOf(map: JsonMap, then: JsonMap, isLeft: (key: string) => boolean): JsonMap {
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => {
      if (!isLeft(key)) return [[key, value]];
      return Object.hasOwn(then, key) ? [[key, then[key] ?? null]] : [];
    }),
  );
}

const STEP = /\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.[\]]+)/g;

function stepsOf(path: string): string[] {
  return [...path.matchAll(STEP)].map(
    ([, quoted, index, name]) => quoted?.replace(/\\(.)/g, "$1") ?? index ?? name ?? "",
  );
}
