/** The pure three-way diff: declared-now against declared-then, so nothing that the service normalises shows up. */
import type { AnyDefinition } from "../definition/define.ts";
import type { FieldRule } from "../definition/field-rule.ts";
import { filterMap, isMap, type Json, type JsonMap, mapBy, mapEach, mapOf, same } from "../values/json.ts";
import { RefusedChangeError } from "../messages/errors.ts";
import { nameIn } from "../ledger/identity.ts";
import { hasUnknown, type Path } from "../values/paths.ts";
import type { ObjectState } from "./object-state.ts";

interface Change {
  readonly field: string;
  readonly kind: "added" | "removed" | "changed" | "again";
  readonly onChange: "update" | "replace" | "refuse" | "none";
  /** The new value is not known yet: a change for now, but never a reason to replace. */
  readonly unknown: boolean;
}

export interface DiffResult {
  readonly changes: boolean;
  readonly replaces: string[];
}

export function changesBetween(definition: AnyDefinition, old: ObjectState, now: JsonMap): Change[] {
  const fields = new Set([...old.declared.keys(), ...Object.keys(now)]);
  // The other inputs say how to work: nothing in the account follows from a change of one.
  const isOfTheObject = (field: string): boolean => definition.rule(field).onChange !== "none";
  return [...fields].filter(isOfTheObject).flatMap((field) => changeOf(definition, field, old, now) ?? []);
}

export function clearedBy(definition: AnyDefinition, changes: readonly Change[]): JsonMap {
  const gone = changes.filter(({ kind }) => kind === "removed").map(({ field }) => field);
  return mapBy(gone, (field) => definition.rule(field).cleared);
}

function changeOf(definition: AnyDefinition, field: string, old: ObjectState, inputs: JsonMap): Change | undefined {
  const then = old.declared.get(field);
  const now = inputs[field];
  const unknown = hasUnknown(now);
  const rule = definition.rule(field);
  const { onChange = "update" } = rule;
  if (then !== undefined && isLess(rule, then, now)) return undefined;
  const due = old.unfinished.has(field) || definition.plan.due?.(field, old, inputs);
  if (same(then, now)) return due === true ? { field, kind: "again", onChange: "update", unknown } : undefined;
  if (due === false || (due === undefined && isShown(rule, old, field, now))) return undefined;
  const kind = then === undefined ? "added" : now === undefined ? "removed" : "changed";
  return { field, kind, onChange, unknown };
}

/** Tells if the new value is the one that the service made of the old one: nothing is to be sent, and the answer stays the measure. */
function isShown(rule: FieldRule, old: ObjectState, field: string, now: Json | undefined): boolean {
  const { shownValue, proxyOutput, perKey, shownOnWrites, onChange = "update" } = rule;
  if (shownValue === undefined || proxyOutput !== undefined || perKey === true || shownOnWrites === true) return false;
  if (onChange !== "update") return false;
  return now !== undefined && old.declared.has(field) && same(old.live(field), now);
}

/** Tells if only things that are left alone are no longer declared: an input that can't be cleared, or keys of a map. */
export function isLess(rule: FieldRule, then: Json, now: Json | undefined): boolean {
  const { cleared, perKey, removalReplaces, merges } = rule;
  if (now === undefined) return removalReplaces !== true && (cleared === undefined || same(cleared, then));
  if (perKey !== true || !isMap(then) || !isMap(now) || same(then, now)) return false;
  return Object.entries(changedKeys(then, now)).every(
    ([key, value]) => merges?.(value) === true && isPartOf(value, then[key]),
  );
}

/** Tells if a patch only names less than another one did: some of the same properties of its objects. */
function isPartOf(patch: Json, whole: Json | undefined): boolean {
  if (!isMap(patch) || !isMap(whole)) return false;
  return Object.entries(patch).every(([part, value]) => {
    const before = whole[part];
    if (!isMap(value) || !isMap(before)) return same(value, before);
    return Object.entries(value).every(([property, one]) => property in before && same(one, before[property]));
  });
}

/** `isUndo`: an input that is no longer declared was not there before, and is no slip of a program. */
export function diffOf(definition: AnyDefinition, old: ObjectState, now: JsonMap, { isUndo = false } = {}): DiffResult {
  const changes = changesBetween(definition, old, now);
  const fixed = changes.filter((change) => contradicts(change, old, now[change.field]));
  const refused = fixed.find(({ onChange }) => onChange === "refuse" && now["replaceOnChange"] !== true);
  if (refused) throw new RefusedChangeError(called(definition, old), refused.field, definition.plan.refusal ?? "");
  const [removed] = removalsRefused(definition, old, now);
  if (removed && !isUndo) throw new RefusedChangeError(called(definition, old), ...removed);
  const replaces = new Set([...fixed.map(({ field }) => field), ...(removed ? [removed[0]] : [])]);
  for (const field of definition.plan.diff?.(old, now) ?? []) replaces.add(field);
  if (adoptsAnother(old, now)) replaces.add("adoptId");
  const [first] = replaces;
  if (first !== undefined && !adoptsAnother(old, now)) refuseReplacement(definition, old, now, first);
  return {
    changes: changes.length > 0 || replaces.size > 0 || old.duplicateId !== undefined,
    replaces: [...replaces],
  };
}

/** Tells if the code says by now what a refresh has learned of others. An update then records it as declared, and sends nothing. */
export function agreesWithOthers(old: ObjectState, now: JsonMap): boolean {
  const agrees = (path: Path, live: Json | undefined, wanted: Json | undefined): boolean =>
    !isIgnored(old.ignored, path) && same(live, wanted);
  return [...old.written].some(([field, { declared }]) => {
    const [live, wanted] = [old.declared.get(field), now[field]];
    if (declared === undefined) return false;
    if (old.rules.rule(field).perKey !== true) return agrees([field], live, wanted);
    return Object.keys(mapOf(declared)).some((key) => agrees([field, key], mapOf(live)[key], mapOf(wanted)[key]));
  });
}

/** An object that is adopted by its id needs none of the inputs that it was made with. */
function removalsRefused(definition: AnyDefinition, old: ObjectState, now: JsonMap): [field: string, why: string][] {
  if (now["adoptId"] !== undefined) return [];
  return [...old.declared.keys()].flatMap((field): [string, string][] => {
    const { removalRefused } = definition.rule(field);
    return removalRefused !== undefined && now[field] === undefined ? [[field, removalRefused]] : [];
  });
}

/** Refuses an object that replaces itself, which would be deleted in the end, and a replacement that fails. */
function refuseReplacement(definition: AnyDefinition, old: ObjectState, now: JsonMap, field: string): void {
  const { kind } = definition;
  if (typeof now["adoptId"] === "string" && !hasUnknown(now["adoptId"]))
    throw new RefusedChangeError(
      called(definition, old),
      field,
      `this change replaces ${kind} ${old.id ?? ""} by a new one, and adoptId names the old one. To replace it, remove adoptId, ` +
        `which has done its work. To keep it, undo the change.`,
    );
  const failing = definition.plan.fails?.(old, now, "anew");
  if (failing !== undefined)
    throw new RefusedChangeError(called(definition, old), field, `this change makes a new ${kind}, and ${failing.why}`);
}

/** Refuses an update that would fail. The apply would only find that out on its way. */
export function refuseToFail(
  definition: AnyDefinition,
  old: ObjectState,
  now: JsonMap,
  { changes, replaces }: DiffResult,
): void {
  const refused = changes && replaces.length === 0 ? definition.plan.fails?.(old, now, "this") : undefined;
  if (refused) throw new RefusedChangeError(called(definition, old), refused.field, refused.why);
}

function called({ type }: AnyDefinition, { identity, id }: ObjectState): string {
  return identity === undefined ? `${type} ${id ?? ""}` : `${type} "${nameIn(identity)}"`;
}

/**
 * Tells if the object can't have the declared value. A newly declared input of the creation contradicts an object that shows another value,
 * or one that shows none and was made without it. An input that is no longer declared contradicts nothing.
 */
function contradicts({ field, kind, onChange, unknown }: Change, old: ObjectState, now: Json | undefined): boolean {
  if (unknown || (onChange !== "replace" && onChange !== "refuse")) return false;
  // A value that the object shows already needs no change: somebody made it in the app.
  if (kind === "changed") return !same(old.live(field), now);
  if (kind !== "added") return false;
  const live = old.live(field);
  return live === undefined ? !old.declared.has("adoptId") : !same(live, now);
}

function adoptsAnother(old: ObjectState, now: JsonMap): boolean {
  const adopt = now["adoptId"];
  if (typeof adopt !== "string" || hasUnknown(adopt)) return false;
  return adopt !== old.id && adopt !== old.declared.get("adoptId");
}

export function changedKeys(then: Json | undefined, now: Json | undefined): JsonMap {
  const before = mapOf(then);
  return filterMap(mapOf(now), (value, key) => !(key in before) || !same(before[key], value));
}

/**
 * Tells if the input at `path`, or the value around it, is left to others with `ignoreChanges`. The engine puts the values of the state in
 * the place of such inputs. After a refresh these are the values that somebody is at work on. Taken for the program's own, they would go
 * public. `paths`: as Pulumi writes them, with `*` for any step.
 */
export function isIgnored(paths: readonly string[], path: Path): boolean {
  return paths.some((one) => {
    const steps = stepsOf(one);
    return steps.length > 0 && steps.every((step, index) => step === "*" || step === String(path[index]));
  });
}

/** Returns inputs in which those that are left to others are as they were declared before. */
export function withIgnored(inputs: JsonMap, declared: ReadonlyMap<string, Json>, paths: readonly string[]): JsonMap {
  if (paths.length === 0) return inputs;
  return mapEach(inputs, (value, field) => {
    const then = declared.get(field);
    if (isIgnored(paths, [field])) return then;
    if (!isMap(value)) return value;
    const before = new Map(Object.entries(mapOf(then)));
    return mapEach(value, (one, key) => (isIgnored(paths, [field, key]) ? before.get(key) : one));
  });
}

const STEP = /\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.[\]]+)/g;

function stepsOf(path: string): string[] {
  return [...path.matchAll(STEP)].map(
    ([, quoted, index, name]) => quoted?.replace(/\\(.)/g, "$1") ?? index ?? name ?? "",
  );
}
