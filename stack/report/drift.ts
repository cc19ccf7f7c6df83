/** Compares the existing objects with the last run and with the code. Pure. */
import { formatPath, isRootStack, type Json, nameOf, type PropertyPath } from "../../engine/index.ts";
import { type JsonMap, same } from "../../provider/values/json.ts";
import { isIgnored } from "../../provider/reconcile/diff.ts";
import { splitInputs } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { fieldsBetween, hiddenField, hiddenIn, isOwnId, isWithin, valueAt } from "./values.ts";
import { type Change, type Drift, type DriftField, type Field, LATER, OTHER_SECRET, SECRET } from "./model.ts";
import { shortName, type Told } from "./steps.ts";

/** `change`: the code's change of the resource, after the refresh. */
export function driftOf(told: Told, change: Change | undefined, notices: readonly Notice[]): Drift[] {
  const { urn, live, id } = told;
  if (isRootStack(urn)) return [];
  const type = [...told.steps.values()][0]?.type ?? "";
  const about = { urn, type: shortName(type), name: nameOf(urn), ...(id === "" ? {} : { id }) };
  if (live === null) return [{ ...about, kind: "gone", fields: [] }];
  if (change?.op === "create" || change?.op === "adopt") return [{ ...about, kind: "absent", fields: [] }];
  if (change?.op === "delete") return [{ ...about, kind: "undeclared", fields: [] }];
  if (live === undefined) return [];
  const declared = declaredIn(told) ?? {};
  const isRendered = renderedBy(type, declared);
  const planned = new Map(
    (change?.fields ?? [])
      .filter(({ path, stays }) => stays !== true && !isRendered(path, valueAt(live.after, path)))
      .map((field) => [formatPath(field.path), field] as const),
  );
  const { ignored } = splitInputs(declared);
  const isManaged = (field: Field): boolean =>
    !isOwnId(field) &&
    !isIgnored(ignored, field.path) &&
    (planned.has(formatPath(field.path)) || isDeclared(told, field.path));
  // The code may say by now what somebody made of it in the app.
  const isRecord = change === undefined || change.reason?.code === "takes edits";
  const isAgreed = ({ path, new: now }: Field): boolean =>
    isRecord && !planned.has(formatPath(path)) && (same(valueAt(declared, path), now) || isRendered(path, now));
  const found = fieldsBetween(live.before, live.after).filter(
    (field) =>
      isManaged(field) &&
      isShown(type, field.path) &&
      !isOfInterrupted(told, field.path, field.new) &&
      !isAgreed(field),
  );
  const edited = found.map(({ path, old, new: now }) => {
    const wanted = planned.get(formatPath(path));
    if (declaredIn(told) === undefined) return { ...driftField(path, old, now, undefined), unread: true as const };
    return driftField(path, old, now, wanted === undefined ? now : wanted.new);
  });
  // A value that is only known after an apply may well be the present one.
  const known = [...planned.values()].filter(({ new: code }) => code !== LATER);
  const moved = { type: shortName(type), id, by: "app" } as const;
  const hidden = hiddenIn(moved, notices, [live.before, live.after], found).map(hiddenField).filter(isManaged);
  const unseen = hidden.map(({ path }) => {
    const isPlanned = [...planned.values()].some((one) => isWithin(one.path, path) || isWithin(path, one.path));
    return driftField(path, SECRET, OTHER_SECRET, isPlanned ? SECRET : OTHER_SECRET);
  });
  const all = [...found, ...hidden];
  // The last run was asked for it already, and it changes nothing.
  const isAsked = ({ path, new: code }: Field): boolean =>
    !isShown(type, path) && code !== undefined && same(valueAt(live.before, path), code);
  const unsettled = known
    .filter((field) => !isAsked(field))
    .filter(({ path }) => !all.some((one) => isWithin(one.path, path) || isWithin(path, one.path)))
    .map(({ path, old, new: code }) => driftField(path, old, old, code));
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

/**
 * Tells if the value that is there is an interrupted run's: it was to give it this value, or it gave it on the way to another one. The next run
 * carries on from it.
 */
export function isOfInterrupted({ asked, id, steps }: Told, path: PropertyPath, now: Json | undefined): boolean {
  if (now === undefined || now === SECRET) return false;
  if (asked !== undefined && same(valueAt(asked, path), now)) return true;
  const [field, key] = path.map(String);
  const { isPassing } = definitionOf([...steps.values()][0]?.type ?? "")?.rule(field ?? "") ?? {};
  return isPassing?.(id, key === undefined ? now : { [key]: now }) === true;
}

/**
 * Compares three values: tells if the app, the code or both left the value of the last run. A value that is only known later is no change
 * of the code.
 */
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

/**
 * Tells if the code declares the value. The state may keep a value that the code no longer declares until the next update. Without a
 * program everything counts as declared.
 */
function isDeclared(told: Told, path: PropertyPath): boolean {
  const inputs = declaredIn(told);
  if (inputs === undefined) return true;
  const value = path.reduce<unknown>((here, key) => Reflect.get(Object(here) as object, key), inputs);
  return value !== undefined;
}

/** Returns the inputs of the program; undefined if none ran. */
export function declaredIn({ steps }: Pick<Told, "steps">): JsonMap | undefined {
  return [...steps.values()].findLast(({ op }) => op !== "refresh")?.new?.inputs;
}

function driftField(
  path: DriftField["path"],
  lastRun: Json | undefined,
  live: Json | undefined,
  code: Json | undefined,
): DriftField {
  return { path, lastRun, live, code };
}
