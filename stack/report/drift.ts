/** Compares the existing objects with the last run and with the code. Pure. */
import { formatPath, isRootStack, type Json, nameOf, type PropertyPath, typeOf } from "../../engine/index.ts";
import { type JsonMap, same } from "../../provider/values/json.ts";
import { isIgnored } from "../../provider/reconcile/diff.ts";
import { splitInputs } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { fieldsBetween, hiddenIn, isOwnId, overlaps, valueAt } from "./values.ts";
import { type Change, type Drift, type DriftField, type Field, LATER, OTHER_SECRET, SECRET } from "./model.ts";
import { shortName, type Told } from "./steps.ts";

/** `change`: the code's change of the resource, after the refresh. */
export function driftOf(told: Told, change: Change | undefined, notices: readonly Notice[]): Drift[] {
  const { urn, live, id } = told;
  if (isRootStack(urn)) return [];
  const type = shortName(typeOf(urn));
  const about = { urn, type, name: nameOf(urn), ...(id === "" ? {} : { id }) };
  if (live === null) return [{ ...about, kind: "gone", fields: [] }];
  if (change?.op === "create" || change?.op === "adopt") return [{ ...about, kind: "absent", fields: [] }];
  if (change?.op === "delete") return [{ ...about, kind: "undeclared", fields: [] }];
  if (live === undefined) return [];
  const code = declaredIn(told);
  const isRendered = renderedBy(type, code ?? {});
  const planned = (change?.fields ?? []).filter(
    ({ path, stays }) => stays !== true && !isRendered(path, valueAt(live.after, path)),
  );
  const wanted = new Map(planned.map((field) => [formatPath(field.path), field]));
  const { ignored } = splitInputs(code ?? {});
  const isManaged = (field: Field): boolean =>
    !isOwnId(field) &&
    !isIgnored(ignored, field.path) &&
    (wanted.has(formatPath(field.path)) || isDeclared(code, field.path));
  // The code may say by now what somebody made of it in the app.
  const isRecord = change === undefined || change.reason?.code === "takes edits";
  const isAgreed = ({ path, new: now }: Field): boolean =>
    isRecord && !wanted.has(formatPath(path)) && (same(valueAt(code ?? {}, path), now) || isRendered(path, now));
  const found = fieldsBetween(live.before, live.after).filter(
    (field) =>
      isManaged(field) &&
      isShown(type, field.path) &&
      !isOfInterrupted(told, field.path, field.new) &&
      !isAgreed(field),
  );
  const edited = found.map(({ path, old, new: now }): DriftField => {
    if (code === undefined) return { path, lastRun: old, live: now, code, unread: true };
    const next = wanted.get(formatPath(path));
    return { path, lastRun: old, live: now, code: next === undefined ? now : next.new };
  });
  const hidden = hiddenIn({ type, id, by: "app" }, notices, [live.before, live.after], found).filter(isManaged);
  const unseen = hidden.map(({ path }): DriftField => {
    const wants = overlaps(planned, path) ? SECRET : OTHER_SECRET;
    return { path, lastRun: SECRET, live: OTHER_SECRET, code: wants };
  });
  const all = [...found, ...hidden];
  // The last run was asked for it already, and it changes nothing.
  const isAsked = ({ path, new: next }: Field): boolean =>
    !isShown(type, path) && next !== undefined && same(valueAt(live.before, path), next);
  // A value that is only known after an apply may well be the present one.
  const unsettled = planned
    .filter((field) => field.new !== LATER && !isAsked(field) && !overlaps(all, field.path))
    .map(({ path, old, new: next }): DriftField => ({ path, lastRun: old, live: old, code: next }));
  if (all.length > 0) return [{ ...about, kind: "changed", fields: [...edited, ...unseen, ...unsettled] }];
  if (unsettled.length > 0) return [{ ...about, kind: "unsettled", fields: unsettled }];
  // The report tells the operation that was interrupted.
  if (told.asked !== undefined) return [];
  if (change?.reason?.code === "publishes held")
    return [{ ...about, kind: "unfinished", fields: [], inputs: ["publish"] }];
  if (change?.reason?.code !== "carries on") return [];
  const { inputs } = change.reason;
  return [{ ...about, kind: "unfinished", fields: [], ...(inputs && { inputs }) }];
}

/** Returns a function that tells if the app shows a text of the code, with the values of its variables. Nobody can tell that of a secret. */
export function renderedBy(type: string, inputs: JsonMap): (path: PropertyPath, live: Json | undefined) => boolean {
  const texts = definitionOf(type)?.plan.rendered?.(inputs) ?? {};
  return (path, live) => live !== undefined && same(valueAt(texts, path), live);
}

/** Tells if the account shows the input. Nobody can edit another one in the app, and a read leaves out of it what no run has written. */
function isShown(type: string, [field]: PropertyPath): boolean {
  const { shownValue, proxyOutput } = definitionOf(type)?.rule(String(field)) ?? {};
  return definitionOf(type) === undefined || shownValue !== undefined || proxyOutput !== undefined;
}

/** Tells if an interrupted run gave the value, or one on the way to it. The next run carries on from it. */
export function isOfInterrupted({ asked, id, urn }: Told, path: PropertyPath, now: Json | undefined): boolean {
  if (now === undefined || now === SECRET) return false;
  if (asked !== undefined && same(valueAt(asked, path), now)) return true;
  const [field, key] = path.map(String);
  const { isPassing } = definitionOf(typeOf(urn))?.rule(field ?? "") ?? {};
  return isPassing?.(id, key === undefined ? now : { [key]: now }) === true;
}

/** Tells who left the value of the last run. A value that is only known later is no change of the code. */
export function whoMoved({ lastRun, live, code, unread }: DriftField): "app" | "code" | "both" {
  if (unread === true) return "app";
  if (same(lastRun, live)) return "code";
  const isSettled = same(lastRun, code) || JSON.stringify(code ?? null).includes(LATER);
  return isSettled ? "app" : "both";
}

/** Tells if code and app changed the value differently since the last run, also where the code took it out. A person has to choose. */
export function isContested(field: DriftField): boolean {
  return field.lastRun !== undefined && whoMoved(field) === "both" && !same(field.code, field.live);
}

/** The state keeps a value that the code no longer declares until the next update. Without a program, everything counts as declared. */
function isDeclared(code: JsonMap | undefined, path: PropertyPath): boolean {
  if (code === undefined) return true;
  return path.reduce<unknown>((here, key) => Reflect.get(Object(here) as object, key), code) !== undefined;
}

/** Returns the inputs of the program; undefined if none ran. */
export function declaredIn({ steps }: Pick<Told, "steps">): JsonMap | undefined {
  return [...steps.values()].findLast(({ op }) => op !== "refresh")?.new?.inputs;
}
