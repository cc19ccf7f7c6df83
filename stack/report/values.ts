/** Prepares property values of events for a report: without marks of the wire, secrets and internals. */
import { detailedDiff, formatPath, heldNumber, isObject, isRecord, isSecret, isUnknown } from "../../engine/index.ts";
import { parsePath, RESOURCE_SIG, signatureOf } from "../../engine/index.ts";
import type { DetailedDiff, Json, PropertyMap, PropertyPath, StepEventMetadata } from "../../engine/index.ts";
import { isHidden, nameText } from "./text.ts";
import { LATER, SECRET, type Field } from "./model.ts";
import type { ForeignEdit } from "../../provider/messages/foreign-edits.ts";
import { unsaid } from "../../provider/messages/hidden.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { isMap, mapEach, same } from "../../provider/values/json.ts";

export function shown(value: Json): Json {
  if (isSecret(value)) return SECRET;
  if (isUnknown(value)) return LATER;
  if (Array.isArray(value)) return value.map(shown);
  if (!isObject(value)) return value;
  if (signatureOf(value) === RESOURCE_SIG) return value["id"] ?? value["urn"] ?? null;
  return heldNumber(value) ?? visible(value);
}

export function visible(map: PropertyMap): PropertyMap {
  const entries = Object.entries(map).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(entries.map(([key, value]) => [key, shown(value)]));
}

export function known(value: Field["new"]): Field["new"] {
  return value === LATER || value === SECRET ? undefined : value;
}

/** Returns the changes of the step, field by field. Pulumi's engine tells no values, so they are taken from the two states. */
export function fieldsOf({ old, new: next, keys, diffs, detailedDiff: told }: StepEventMetadata): Field[] {
  const valued = Object.values(told).some((entry) => "old" in entry || "new" in entry);
  // If no input changed, the engine compares the service's answers, which nobody has declared.
  const declared = Object.fromEntries(Object.entries(told).filter(([, { inputDiff }]) => inputDiff));
  const diff = valued ? declared : detailedDiff(old?.inputs ?? {}, next?.inputs ?? {}, { inputDiff: true });
  const hidden = valued && Object.keys(declared).length === 0 ? [] : diffs;
  const fields = [
    ...fieldsIn(diff, keys),
    ...nullFields(old?.inputs ?? {}, next?.inputs ?? {}),
    ...hiddenFields(diff, hidden, old?.inputs, next?.inputs),
  ];
  return (old?.initErrors ?? []).length === 0 ? fields : fields.filter((field) => !isApplied(field, old?.outputs));
}

/** Tells if a field is already applied. A failed run leaves the earlier inputs in the state, even for fields that it had written. */
function isApplied({ path, new: wanted }: Field, outputs: PropertyMap = {}): boolean {
  const answered = path.reduce<Json | undefined>((here, step) => (isRecord(here) ? here[step] : undefined), outputs);
  return wanted !== undefined && answered !== undefined && same(shown(answered), wanted);
}

/** Returns the fields that a refresh without a plan found: declared fields that differ, or else the service's values. */
export function refreshedFields({ old, new: next }: StepEventMetadata): Field[] {
  const declared = fieldsBetween(old?.inputs ?? {}, next?.inputs ?? {});
  return declared.length > 0 ? declared : fieldsBetween(old?.outputs ?? {}, next?.outputs ?? {});
}

/** Tells if only the id changed by which the code names the object. That changes nothing of an object that the stack already manages. */
export function isOwnId({ path: [input], replaces }: Field): boolean {
  return input === "adoptId" && replaces !== true;
}

export function fieldsBetween(old: PropertyMap, next: PropertyMap): Field[] {
  return fieldsIn(detailedDiff(old, next, { inputDiff: true }), []);
}

function fieldsIn(diff: DetailedDiff, replaceKeys: readonly string[]): Field[] {
  return Object.entries(diff).flatMap(([text, change]): Field[] => {
    const path = pathOf(text);
    const kind = change.diffKind.replace("-replace", "") as Field["kind"];
    const replaces = change.diffKind.endsWith("-replace") || replaceKeys.includes(String(path[0]));
    const why = replaces ? { replaces: true as const } : {};
    if (kind === "update")
      return [{ path: keptOnce(path), kind, ...side("old", change.old), ...side("new", change.new), ...why }];
    const name = kind === "add" ? "new" : "old";
    const entries = leaves(path, change[name] ?? null);
    return entries.map(([inner, value]) => ({ path: keptOnce(inner), kind, ...side(name, value), ...why }));
  });
}

/** Thousands of resources of one kind have nearly the same paths, so each is kept once. */
const paths = new Map<string, PropertyPath>();

function keptOnce(path: PropertyPath): PropertyPath {
  const text = JSON.stringify(path);
  const kept = paths.get(text) ?? path;
  if (kept === path) paths.set(text, path);
  return kept;
}

function side(name: "old" | "new", value: Json | undefined): Pick<Field, "old" | "new"> {
  return value === undefined ? {} : { [name]: shown(value) };
}

/** Splits a value that was added or removed as a whole into its entries. */
function leaves(path: PropertyPath, value: Json): [PropertyPath, Json][] {
  if (isRecord(value)) {
    const entries = Object.entries(value).filter(([key]) => !key.startsWith("__"));
    if (entries.length > 0) return entries.flatMap(([key, inner]) => leaves([...path, key], inner));
  }
  if (Array.isArray(value) && value.some(isRecord)) {
    return value.flatMap((inner, index) => leaves([...path, index], inner));
  }
  return [[path, value]];
}

/** Secrets that differ look alike in events. Only the engine's list of properties tells that they changed. */
function hiddenFields(diff: DetailedDiff, diffs: readonly string[], old?: PropertyMap, next?: PropertyMap): Field[] {
  const seen = new Set(Object.keys(diff).map((text) => pathOf(text)[0]));
  const isMarked = (key: string): boolean => [old, next].every((side) => isHidden(side && shown(side[key] ?? null)));
  const hidden = diffs.filter((key) => !seen.has(key) && !key.startsWith("__") && isMarked(key));
  return hidden.map((key) => hiddenField([key]));
}

function pathOf(text: string): PropertyPath {
  return parsePath(text) ?? [text];
}

export function pathText(path: PropertyPath): string {
  return formatPath(path.map((step) => (typeof step === "string" ? nameText(step) : step)));
}

/** Finds nulls that face nothing: the same for engines, but not for the receiver. An input that is null itself counts as absent. */
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
    const [before, now] = [entryOf(old, key), entryOf(next, key)];
    const inner = [...path, key];
    if (before === undefined) return now === null ? [{ path: inner, kind: "add", new: null }] : [];
    if (now === undefined) return before === null ? [{ path: inner, kind: "delete", old: null }] : [];
    return between(inner, before, now);
  });
}

function entryOf(map: PropertyMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns hidden changes beside `fields` that both sides show as a mark. `by`: the program, or somebody in the app, made them. */
export function hiddenIn(
  { type, id, by }: { readonly type: string; readonly id: string; readonly by: "code" | "app" },
  notices: readonly Notice[],
  sides: readonly [PropertyMap, PropertyMap],
  fields: readonly Pick<Field, "path">[],
): Field[] {
  const kind = definitionOf(type)?.kind;
  const paths = notices.flatMap((notice) =>
    notice.code === "moved" && notice.by === by && notice.id === id && notice.kind === kind ? notice.paths : [],
  );
  // A plan is made twice if the first one tells other names.
  const once = [...new Map(paths.map((path) => [path.join("\0"), path])).values()];
  const isNews = (path: PropertyPath): boolean => sides.every((side) => isHidden(valueAt(side, path)));
  return once.filter((path) => !overlaps(fields, path) && isNews(path)).map(hiddenField);
}

export function hiddenField(path: PropertyPath): Field {
  return { path, kind: "update", old: SECRET, new: SECRET };
}

export function isWithin(inner: PropertyPath, outer: PropertyPath): boolean {
  return outer.every((key, place) => inner[place] === key);
}

export function overlaps(fields: readonly Pick<Field, "path">[], path: PropertyPath): boolean {
  return fields.some((one) => isWithin(path, one.path) || isWithin(one.path, path));
}

/** Returns the mark for everything in a value that is secret as a whole. */
export function valueAt(map: PropertyMap, path: PropertyPath): Json | undefined {
  return path.reduce<Json | undefined>((here, key) => {
    if (here === SECRET) return here;
    return isRecord(here) ? here[key] : Array.isArray(here) ? here[Number(key)] : undefined;
  }, shown(map));
}

/** States, public values and the app's have no marks of secrets. Only the inputs have the marks. */
export function isSecretIn(sides: readonly PropertyMap[], path: PropertyPath): boolean {
  return sides.some((side) => isHidden(valueAt(side, path)));
}

/** Returns the inputs of the code and of the last run, with their marks of secrets. */
export function sidesOf(steps: Iterable<Pick<StepEventMetadata, "old" | "new">>): PropertyMap[] {
  return [...steps].flatMap((step) => [step.old?.inputs ?? {}, step.new?.inputs ?? {}]);
}

/** Hides the edits that somebody has made at the places of secrets. */
export function unsaidEdits(edits: readonly ForeignEdit[], sides: readonly PropertyMap[]): ForeignEdit[] {
  return edits.map((edit) => unsaid(edit, (at) => isSecretIn(sides, at)));
}

export function unsaidFields(fields: readonly Field[], sides: readonly PropertyMap[]): Field[] {
  return fields.map((field) => (isSecretIn(sides, field.path) ? hiddenField(field.path) : field));
}

/** Hides a value, or the part of a map, that stands at the place of a secret. */
export function unsaidValue(value: Json, path: PropertyPath, sides: readonly PropertyMap[]): Json {
  if (!isSecretIn(sides, path)) return value;
  if (!isRecord(value) || sides.some((side) => valueAt(side, path) === SECRET)) return SECRET;
  return mapEach(value, (item, key) => unsaidValue(item, [...path, key], sides));
}

export function textsIn(value: unknown, path: PropertyPath = []): { path: PropertyPath; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return isMap(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key])) : [];
}
