/** Which of what could follow to another id does, once it is settled what is made anew. Pure. */
import type { ResourceState } from "../../engine/index.ts";
import { isDue } from "./due.ts";
import { besideEdits } from "./beside-edits.ts";
import { leafKey } from "./leaves.ts";
import { isReplaced, type Finding } from "./look.ts";
import type { Conflict, Follower, SettledStep } from "./undo-plan.ts";

export function settleFollowers(
  followers: readonly Follower[],
  findings: ReadonlyMap<string, Finding>,
  steps: readonly SettledStep[],
  conflicts: Conflict[],
): SettledStep[] {
  const settled = new Set(steps.flatMap(({ target, now }) => (target && now ? [now.urn] : [])));
  const renamed = new Map(steps.flatMap(({ target, now }) => (target && now ? [[now.urn, target.urn]] : [])));
  const all = new Set([...settled, ...steps.flatMap(({ now }) => now?.urn ?? [])]);
  return followers.flatMap((follower) => {
    // What the undo is about anyway refers to what is made anew by itself.
    if (all.has(follower.urn) || !follower.follows.some((urn) => settled.has(urn))) return [];
    const own: Conflict[] = [];
    const step = settleFollower(follower, findings.get(follower.urn), own);
    const told = new Set(conflicts.filter(({ urn }) => urn === follower.urn).map(({ leaf }) => leafKey(leaf)));
    conflicts.push(...own.filter(({ leaf }) => !told.has(leafKey(leaf))));
    if (step === undefined) return [];
    settled.add(follower.urn);
    return [{ ...step, target: step.target && withNames(step.target, renamed) }];
  });
}

function settleFollower(step: Follower, found: Finding | undefined, conflicts: Conflict[]): SettledStep | undefined {
  const { urn, type, name, writes, now } = step;
  // Nothing is left that could refer to anything.
  if (found?.gone === true || now === undefined) return undefined;
  for (const { leaf, now: value } of isReplaced(step) ? (found?.edits ?? []) : [])
    conflicts.push({
      ...{ urn, type, name, code: leaf ? "changed by hand" : "edited since" },
      ...(leaf && { leaf }),
      now: value,
    });
  if (conflicts.length > 0) return undefined;
  const due = isReplaced(step) ? [] : writes.filter((write) => isDue(write, step, found, conflicts));
  if (conflicts.length > 0) return undefined;
  return besideEdits({ ...step, due, target: now }, now, found?.taken ?? [], conflicts);
}

/** What it refers to may get back another name, too. */
function withNames(state: ResourceState, renamed: ReadonlyMap<string, string>): ResourceState {
  const named = (urns: readonly string[] = []): string[] => urns.map((urn) => renamed.get(urn) ?? urn);
  const byProperty = Object.entries(state.propertyDependencies ?? {}).map(([field, urns]) => [field, named(urns)]);
  return {
    ...state,
    dependencies: named(state.dependencies),
    propertyDependencies: Object.fromEntries(byProperty) as Record<string, string[]>,
  };
}
