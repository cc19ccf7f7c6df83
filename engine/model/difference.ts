import { formatPath, type PropertyPath } from "./paths.ts";
import type { Json, PropertyMap } from "./types.ts";
import { equal, isRecord, isSecret, mask } from "./values.ts";

export type DiffKind = "add" | "add-replace" | "delete" | "delete-replace" | "update" | "update-replace";

/** One field of a detailed diff: Pulumi's `PropertyDiff` and both values, with secrets masked. */
export interface FieldChange {
  diffKind: DiffKind;
  /** True if old inputs are compared with new ones, false if old outputs are. */
  inputDiff: boolean;
  old?: Json;
  new?: Json;
}

export type DetailedDiff = Record<string, FieldChange>;

export interface DiffOptions {
  inputDiff: boolean;
  /** Top-level properties whose change replaces the resource. */
  replaceKeys?: readonly string[];
}

/** Compares field by field, down to the leaves. It leaves out keys that start with two underscores: they are machinery. */
export function detailedDiff(olds: PropertyMap, news: PropertyMap, options: DiffOptions): DetailedDiff {
  const diff: DetailedDiff = {};
  const add = (path: PropertyPath, old: Json | undefined, next: Json | undefined) => {
    diff[formatPath(path)] = fieldChange(path, old, next, options);
  };
  compareRecords([], olds, news, add);
  return diff;
}

/** Returns the top-level properties that differ, without machinery. */
export function changedKeys(olds: PropertyMap, news: PropertyMap): string[] {
  return [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (key) => !isMachinery(key) && !equal(own(olds, key) ?? null, own(news, key) ?? null),
  );
}

type Add = (path: PropertyPath, old: Json | undefined, next: Json | undefined) => void;

function fieldChange(
  path: PropertyPath,
  old: Json | undefined,
  next: Json | undefined,
  options: DiffOptions,
): FieldChange {
  const kind = old === undefined ? "add" : next === undefined ? "delete" : "update";
  const replaces = options.replaceKeys?.includes(String(path[0])) === true;
  return {
    diffKind: replaces ? `${kind}-replace` : kind,
    inputDiff: options.inputDiff,
    ...(old === undefined ? {} : { old: show(old) }),
    ...(next === undefined ? {} : { new: show(next) }),
  };
}

function show(value: Json): Json {
  return isSecret(value) ? "[secret]" : mask(value);
}

function isMachinery(key: string): boolean {
  return key.startsWith("__");
}

function compareRecords(path: PropertyPath, olds: PropertyMap, news: PropertyMap, add: Add): void {
  for (const key of new Set([...Object.keys(olds), ...Object.keys(news)]))
    if (!isMachinery(key)) compare([...path, key], own(olds, key), own(news, key), add);
}

/** Reads own keys only: a key may be named like an inherited one, such as `toString`. */
function own(map: PropertyMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? (map[key] ?? undefined) : undefined;
}

function compare(path: PropertyPath, old: Json | undefined, next: Json | undefined, add: Add): void {
  if (old === undefined && next === undefined) return;
  if (old === undefined || next === undefined) add(path, old, next);
  else if (isRecord(old) && isRecord(next)) compareRecords(path, old, next, add);
  else if (Array.isArray(old) && Array.isArray(next)) compareArrays(path, old, next, add);
  else if (!equal(old, next)) add(path, old, next);
}

function compareArrays(path: PropertyPath, olds: Json[], news: Json[], add: Add): void {
  for (let index = 0; index < Math.max(olds.length, news.length); index++)
    compare([...path, index], olds[index], news[index], add);
}
