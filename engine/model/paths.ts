import type { Json, PropertyMap } from "./types.ts";
import { isRecord, isSecret, makeSecret, unwrap } from "./values.ts";

/** Property paths as `ignoreChanges` and `replaceOnChanges` write them: `tags.team`, `rules[0].port`, `["a.b"]`, `*`. */
export type PropertyPath = readonly (string | number)[];

/** An element of a path, with the dots before it: an index, a quoted key or a plain one. */
const ELEMENT = /\.*(?:\[(?:(\*)|\+?(\d+)|"((?:\\"|[^"\\]|\\(?!"))*)")\]|([^.[]+))/y;

/**
 * Reads what Pulumi reads (3.274, 2026-11): any number of dots between elements, none at the ends, and none needed after a bracket. Returns undefined
 * if the text is no path. `strict`: as in the names of settings, no dot stands before a bracket.
 */
export function parsePath(text: string, strict = false): PropertyPath | undefined {
  const path: (string | number)[] = [];
  if (text.startsWith(".")) return undefined;
  for (let end = 0; end < text.length; end = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = end;
    const [whole = "", any, index, quoted, plain = any] = ELEMENT.exec(text) ?? [];
    if (whole === "" || (strict && /^\.+\[/.test(whole))) return undefined;
    path.push(plain ?? quoted?.replaceAll('\\"', '"') ?? Number(index));
  }
  return path;
}

export function formatPath(path: PropertyPath): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (/^[\w$-]+$/.test(key)) text += text === "" ? key : `.${key}`;
    else text += `["${key.replaceAll('"', '\\"')}"]`;
  }
  return text;
}

/** Tells if `inner` is `outer` or lies below it. `*` in `outer` stands for any key. */
export function pathContains(outer: PropertyPath, inner: PropertyPath): boolean {
  return outer.length <= inner.length && outer.every((key, index) => key === "*" || key === inner[index]);
}

/** Returns the new inputs with the old values at the paths, and the paths where that is impossible: an element on the way was added or removed. */
export function resetPaths(
  olds: PropertyMap,
  news: PropertyMap,
  paths: readonly string[],
): { inputs: PropertyMap; impossible: string[] } {
  const inputs = structuredClone(news);
  const impossible: string[] = [];
  for (const text of paths) {
    const path = parsePath(text);
    if (path !== undefined && !reset(path, olds, inputs, false)) impossible.push(text);
  }
  return { inputs, impossible };
}

/** Changes `news` in place. `secret`: the old value lies inside a secret and the new one does not. */
function reset(path: PropertyPath, olds: Json, news: Json, secret: boolean): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return false;
  const taint = (secret || isSecret(olds)) && !isSecret(news);
  const from = unwrap(olds);
  const to = unwrap(news);
  if (key === "*") return resetAll(rest, from, to, taint);
  return typeof key === "number" ? resetItem(key, rest, from, to, taint) : resetField(key, rest, from, to, taint);
}

function resetField(key: string, rest: PropertyPath, from: Json, to: Json, taint: boolean): boolean {
  const old = isRecord(from) ? from[key] : undefined;
  if (rest.length > 0) {
    if (!isRecord(from) || !isRecord(to)) return !isRecord(from) && !isRecord(to);
    const target = to[key];
    if (target === undefined) return old === undefined;
    // A value that wasn't there has nothing to keep. Below it, an ignored key is taken out, as in Pulumi.
    return reset(rest, old ?? null, target, taint);
  }
  if (!isRecord(to)) return old === undefined;
  if (old === undefined) Reflect.deleteProperty(to, key);
  else to[key] = taint ? makeSecret(old) : structuredClone(old);
  return true;
}

function resetItem(index: number, rest: PropertyPath, from: Json, to: Json, taint: boolean): boolean {
  if (!Array.isArray(from) || !Array.isArray(to)) return !Array.isArray(from) && !Array.isArray(to);
  const old = from[index];
  const target = to[index];
  if (old === undefined || target === undefined) return rest.length === 0 && old === undefined && target === undefined;
  if (rest.length > 0) return reset(rest, old, target, taint);
  to[index] = taint ? makeSecret(old) : structuredClone(old);
  return true;
}

function resetAll(rest: PropertyPath, from: Json, to: Json, taint: boolean): boolean {
  if (Array.isArray(from) && Array.isArray(to)) {
    const common = Math.min(from.length, to.length);
    for (let index = 0; index < common; index++) if (!resetItem(index, rest, from, to, taint)) return false;
    return from.length === to.length;
  }
  if (!isRecord(from) || !isRecord(to)) return rest.length === 0 && (isRecord(to) || Array.isArray(to));
  const keys = rest.length === 0 ? new Set([...Object.keys(from), ...Object.keys(to)]) : Object.keys(from);
  for (const key of keys) if (!resetField(key, rest, from, to, taint)) return false;
  return true;
}
