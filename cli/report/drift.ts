/** What exists, against the last run and against the code. Pure. */
import { type Json, formatPath, isRootStack, nameOf } from "../../engine/index.ts";
import type { Change, Drift, DriftField } from "./model.ts";
import { shortName } from "./steps.ts";
import type { Told } from "./told.ts";
import { fieldsBetween } from "./values.ts";

/** `change`: what the code wants of the resource, after the refresh. */
export function driftOf(told: Told, change: Change | undefined): Drift[] {
  const { urn, live, id } = told;
  if (live === undefined || isRootStack(urn)) return [];
  const type = [...told.steps.values()][0]?.type ?? "";
  const about = { urn, type: shortName(type), name: nameOf(urn), ...(id === "" ? {} : { id }) };
  if (live === null) return [{ ...about, kind: "gone", fields: [] }];
  const planned = new Map((change?.fields ?? []).map((field) => [formatPath(field.path), field]));
  const fields = fieldsBetween(live.before, live.after).map(({ path, old, new: now }) => {
    const wanted = planned.get(formatPath(path));
    return driftField(path, old, now, wanted === undefined ? now : wanted.new);
  });
  if (fields.length > 0) return [{ ...about, kind: "changed", fields }];
  if (change === undefined || planned.size === 0) return [];
  const unsettled = change.fields.map(({ path, old, new: code }) => driftField(path, old, old, code));
  return [{ ...about, kind: "unsettled", fields: unsettled }];
}

function driftField(
  path: DriftField["path"],
  lastRun: Json | undefined,
  live: Json | undefined,
  code: Json | undefined,
): DriftField {
  return {
    path,
    ...(lastRun === undefined ? {} : { lastRun }),
    ...(live === undefined ? {} : { live }),
    ...(code === undefined ? {} : { code }),
  };
}
