/** Which values an undo has still to write, from what the account shows of them; what somebody changed meanwhile is a conflict. Pure. */
import type { Json, ResourceState } from "../../engine/index.ts";
import { isMap, same, type JsonMap } from "../../provider/values/json.ts";
import { leafKey, type Leaf, put } from "./leaves.ts";
import type { Finding, Shown } from "./look.ts";
import { isRestored, type Conflict, type UndoStep, type Write, type SettledStep } from "./undo-plan.ts";

export function isDue(
  write: Write,
  { urn, type, name, now, definition, writes }: UndoStep,
  found: Finding | undefined,
  conflicts: Conflict[],
): boolean {
  const { leaf, live: then, sent, inState } = write;
  const { live, known } = found?.shown.get(leafKey(leaf)) ?? { live: undefined, known: undefined };
  // What the service never shows is written once more: a killed run may have come to it.
  if (live === undefined) return inState || (write.inDoubt === true && write.passing !== true);
  if (then !== undefined && isAlike(live, then)) return inState;
  if (write.passing === true) return definition?.undo.isPassing?.(now?.id ?? "", leaf.field, live) === true;
  const isOurs =
    (known !== undefined ? same(live, known) : sent === undefined || same(live, sent)) ||
    isOnTheWay(leaf, { live, known }, writes) ||
    definition?.undo.isPassing?.(now?.id ?? "", leaf.field, live) === true;
  if (isOurs || (sent !== undefined && same(live, sent))) return inState || isRestored(write);
  conflicts.push({ urn, type, name, leaf, code: "changed by hand", now: live });
  return false;
}

/** A map that nobody declared before goes back as a whole, and its keys one by one: an undo that was killed may have begun. */
function isOnTheWay({ field, key }: Leaf, { live, known }: Shown, writes: readonly Write[]): boolean {
  if (key !== undefined || !isMap(live) || !isMap(known)) return false;
  const back = new Map(writes.flatMap(({ leaf, live: then }) => (leaf.field === field ? [[leaf.key, then]] : [])));
  return [...new Set([...Object.keys(live), ...Object.keys(known)])].every((one) => {
    const then = back.get(one);
    return same(live[one], known[one]) || (then !== undefined && isAlike(live[one] ?? null, then));
  });
}

/** A service may show an empty field as null, or as an empty text; what isn't there may be null, or left out. */
function isAlike(live: Json, then: Json): boolean {
  return (
    same(withoutNulls(live), withoutNulls(then)) || (live === null && then === "") || (live === "" && then === null)
  );
}

function withoutNulls(value: Json): Json {
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const inner = withoutNulls(item);
    return inner === null || (isMap(inner) && Object.keys(inner).length === 0) ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}

/** Undefined where nothing can be written beside it. */
export function besideEdits(
  step: SettledStep,
  target: ResourceState,
  taken: Finding["taken"],
  conflicts: Conflict[],
): SettledStep | undefined {
  const { urn, type, name } = step;
  const kept = taken.filter(({ leaf }) => !step.due.some((write) => isPartOf(leaf, write.leaf)));
  if (kept.length === 0) return step;
  // A publication would take it along, and the look has made it the state's own: nothing would hold it back any more.
  const isPublished = step.definition?.plan.foreignEdits !== undefined && target.inputs?.["publish"] !== undefined;
  const told = new Set(conflicts.filter((one) => one.urn === urn).map(({ leaf }) => leafKey(leaf)));
  for (const { leaf, now: value } of kept) {
    const isKnown = told.has(leafKey(leaf)) || (!isPublished && step.writes.some((one) => isPartOf(leaf, one.leaf)));
    const edit = {
      urn,
      type,
      name,
      leaf,
      code: "changed by hand",
      ...(value !== undefined && { now: value }),
    } as const;
    if (!isKnown) conflicts.push(edit);
  }
  return isPublished ? undefined : { ...step, target: asTaken(target, step, kept) };
}

function isPartOf({ field, key }: Leaf, whole: Leaf): boolean {
  return field === whole.field && (key === undefined || whole.key === undefined || key === whole.key);
}

/** With what somebody else wrote: the update has taken it into the state by then, and would write over it. */
function asTaken(target: ResourceState, { now }: UndoStep, kept: Finding["taken"]): ResourceState {
  const inputs: JsonMap = { ...(target.inputs ?? {}) };
  const propertyDependencies = { ...target.propertyDependencies };
  for (const { leaf, now: value } of kept) {
    put(inputs, leaf, value);
    propertyDependencies[leaf.field] = now?.propertyDependencies?.[leaf.field] ?? [];
  }
  return { ...target, inputs, propertyDependencies };
}
