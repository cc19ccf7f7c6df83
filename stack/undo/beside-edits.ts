/** What somebody else wrote to an object after a run was killed that was about it: it stays as it is. Pure. */
import type { ResourceState } from "../../engine/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { leafKey, put, type Leaf } from "./leaves.ts";
import type { Finding } from "./look.ts";
import type { Conflict, SettledStep, UndoStep } from "./undo-plan.ts";

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
  const isPublished = step.definition?.stowaways !== undefined && target.inputs?.["publish"] !== undefined;
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
