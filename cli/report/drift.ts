/** What exists, against the last run and against the code. Pure. */
import { type Json, formatPath, isRootStack, nameOf } from "../../engine/index.ts";
import { LATER, type Change, type Drift, type DriftField } from "./model.ts";
import { shortName } from "./steps.ts";
import type { Told } from "./told.ts";
import { fieldsBetween } from "./values.ts";

/** `change`: what the code wants of the resource, after the refresh. */
export function driftOf(told: Told, change: Change | undefined): Drift[] {
  const { urn, live, id } = told;
  if (isRootStack(urn)) return [];
  const type = [...told.steps.values()][0]?.type ?? "";
  const about = { urn, type: shortName(type), name: nameOf(urn), ...(id === "" ? {} : { id }) };
  if (live === null) return [{ ...about, kind: "gone", fields: [] }];
  if (change?.op === "create" || change?.op === "adopt") return [{ ...about, kind: "absent", fields: [] }];
  if (change?.op === "delete") return [{ ...about, kind: "undeclared", fields: [] }];
  if (live === undefined) return [];
  const planned = new Map((change?.fields ?? []).map((field) => [formatPath(field.path), field]));
  const fields = fieldsBetween(live.before, live.after).map(({ path, old, new: now }) => {
    const wanted = planned.get(formatPath(path));
    return driftField(path, old, now, wanted === undefined ? now : wanted.new);
  });
  if (fields.length > 0) return [{ ...about, kind: "changed", fields }];
  if (change === undefined || planned.size === 0) return [];
  // What is known only after an apply may well be what it is already.
  const known = change.fields.filter(({ new: code }) => code !== LATER);
  const unsettled = known.map(({ path, old, new: code }) => driftField(path, old, old, code));
  return unsettled.length === 0 ? [] : [{ ...about, kind: "unsettled", fields: unsettled }];
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
