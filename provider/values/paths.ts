import { isMap, type Json, same } from "./json.ts";

/** The place of something in the inputs of a resource: a list of keys and indexes until somebody is shown it. */
export type Path = readonly (string | number)[];

/** A path as Pulumi writes it: publish.slug, steps[2].pageType, content["hero.title"]. */
export function propertyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number" || /^\d+$/.test(String(step))) return `${text}[${String(step)}]`;
    if (!/^[\w$-]+$/.test(String(step))) return `${text}[${JSON.stringify(String(step))}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/** The path of a zod issue: inputs are JSON, so it holds no symbols. */
export function pathOf(steps: readonly PropertyKey[]): Path {
  return steps.map((step) => (typeof step === "number" ? step : String(step)));
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((here, step) => {
    const owns = typeof here === "object" && here !== null && Object.hasOwn(here, step);
    return owns ? Reflect.get(here, step) : undefined;
  }, value);
}

/** For a secret value, an engine's events show a mark, and one mark is like another. Pure. */
export function pathsBetween(field: string, then: Json | undefined, now: Json | undefined): (readonly string[])[] {
  if (!isMap(then) || !isMap(now)) return same(then, now) ? [] : [[field]];
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].filter((key) => !same(own(then, key), own(now, key))).map((key) => [field, key]);
}

/** A key may have the name of a property that every object inherits. */
export function own(map: Record<string, Json>, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Values that Pulumi doesn't know yet (preview) arrive as one agreed string, at any depth. */
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
