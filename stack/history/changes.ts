/** Works out what a run changed, from the values that were kept with it. Pure. */
import { isRootStack, type Json, nameOf, type PropertyPath, type ResourceState } from "../../engine/index.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { isMap, same } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { resourceKeyIn } from "../../provider/ledger/identity.ts";
import type { Change, Field } from "../report/model.ts";
import { toldFields } from "../report/rows.ts";
import { asWritten, shortName } from "../report/steps.ts";
import { fieldsBetween, nullFields, shown } from "../report/values.ts";
import type { RunEnd, RunValues, ToldChange } from "./run-file.ts";

/** A resource before and after a run. It is matched by its object, because a run may rename it. */
export interface Pair {
  readonly before: ResourceState | undefined;
  readonly after: ResourceState | undefined;
}

/** `after`: the result that the run left, or, for a killed run, the present state. */
export function pairsOf(before: readonly ResourceState[], after: readonly ResourceState[]): Pair[] {
  const left = new Set(after.filter(isResource));
  const pairs = before.filter(isResource).map((one): Pair => {
    const found = [...left].find(({ urn }) => urn === one.urn) ?? [...left].find((other) => isSameObject(one, other));
    if (found) left.delete(found);
    return { before: one, after: found };
  });
  return [...pairs, ...[...left].map((one): Pair => ({ before: undefined, after: one }))];
}

function isSameObject(one: ResourceState, other: ResourceState): boolean {
  return one.custom && one.id !== undefined && one.id !== "" && one.type === other.type && one.id === other.id;
}

function isResource({ urn }: ResourceState): boolean {
  return !isRootStack(urn);
}

/** Returns STACK and OWN of a resource's identity. */
export function resourceKeyOf({ inputs, outputs }: ResourceState): string | undefined {
  const identity = inputs?.["__identity"] ?? outputs?.["__identity"];
  return typeof identity === "string" ? resourceKeyIn(identity) : undefined;
}

export function changesOfRun({ before, after = [], kept }: RunValues, end: RunEnd | undefined): Change[] {
  const changes = pairsOf(before, after).flatMap((pair) => changeOf(pair, kept, end !== undefined) ?? []);
  return changes.map((change) => asTold(change, end?.changes ?? []));
}

/** Adds that an object stayed, or that the run held its change back. States don't tell that. */
function asTold(change: Change, told: readonly ToldChange[]): Change {
  const { op, type, name } = change;
  const { stays: stay, held } = told.find((one) => one.op === op && one.type === type && one.name === name) ?? {};
  const reason = stay && { code: "stays" as const, stay };
  return { ...change, ...(stay && { stays: stay }), ...(reason && { reason }), ...(held && { held }) };
}

function changeOf({ before, after }: Pair, kept: readonly Kept[], isEnded: boolean): Change | undefined {
  const state = after ?? before;
  if (state === undefined || !state.custom) return undefined;
  const { urn, type, id } = state;
  const about = { urn, type: shortName(type), name: nameOf(urn), ...(id && { id }) };
  const written = kept.filter(
    (one) => one.resourceKey === resourceKeyOf(state) && one.id === before?.id && one.step === "update",
  );
  if (before && after) {
    const [then, now] = [asWritten(before).inputs ?? {}, after.inputs ?? {}];
    const declared = [...fieldsBetween(then, now), ...nullFields(then, now)];
    const fields = withHeld(toldFields(type, withKept(declared, written)), after);
    if (before.id !== after.id) return { ...about, op: "replace", fields };
    return declared.length + fields.length === 0 ? undefined : { ...about, op: "update", fields };
  }
  if (after) return { ...about, op: "create", fields: toldFields(type, fieldsBetween({}, after.inputs ?? {})) };
  // Nobody knows the result of a killed run. Only the values that it was about to write are known.
  if (isEnded) return { ...about, op: "delete", fields: [] };
  const fields = withKept([], written);
  return fields.length === 0 ? undefined : { ...about, op: "update", status: "unfinished", fields };
}

/** Marks the values that the run was asked for, and left to somebody who had changed them. */
function withHeld(fields: readonly Field[], after: ResourceState): Field[] {
  const written = asWritten(after).inputs;
  const isHeld = ({ path }: Field): boolean => !same(valueAt(after.inputs, path), valueAt(written, path));
  return fields.map((field) => (isHeld(field) ? { ...field, held: true } : field));
}

/** Live values count before declared ones: somebody may have changed them by hand. */
function withKept(fields: readonly Field[], kept: readonly Pick<Kept, "then" | "sent">[]): Field[] {
  const all = new Map(fields.map((field) => [JSON.stringify(field.path), field]));
  for (const { then, sent } of kept) {
    for (const [path, old, next] of leavesOf(then, sent)) {
      if (next === undefined || same(old, next)) continue;
      const key = JSON.stringify(path);
      const known = all.get(key);
      if (known?.old !== undefined && known.kind === "update") continue;
      const secret = known !== undefined && known.new !== undefined && !same(known.new, next);
      all.set(key, { path, kind: "update", old: shown(old), new: secret ? (known.new ?? null) : shown(next) });
    }
  }
  return [...all.values()];
}

/** Compares field by field, and maps key by key. */
function leavesOf(then: Record<string, Json>, sent: Record<string, Json>): [PropertyPath, Json, Json | undefined][] {
  return Object.entries(then).flatMap(([field, old]): [PropertyPath, Json, Json | undefined][] => {
    const next = sent[field];
    if (!isMap(old) || !isMap(next)) return [[[field], old, next]];
    return Object.entries(old).map(([key, value]) => [[field, key], value, next[key]]);
  });
}
