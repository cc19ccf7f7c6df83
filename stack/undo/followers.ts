/**
 * Finds resources that refer to an object that an undo makes anew, and that the undo doesn't change otherwise: the failed run had not
 * reached them, or a later run made them. They follow to the new id, and are made anew themselves if the field needs that. Pure.
 */
import { textsIn } from "../report/values.ts";
import { dependencyUrns, nameOf, typeOf, type Json, type ResourceState } from "../../engine/index.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { shortName, plain } from "../report/steps.ts";
import { NOTHING_ANEW, plainWrite, withShown } from "./kept-values.ts";
import { leavesOf, type Leaf, leafKey, meantBy, pathOf } from "./leaves.ts";
import { isReplaced, type Finding, isDue, tellEdits } from "./look.ts";
import type { Follower, UndoStep, Conflict, SettledStep, Write } from "./undo-plan.ts";

export function followersOf(steps: readonly UndoStep[], now: readonly ResourceState[]): Follower[] {
  const renewed = new Map(steps.flatMap((step) => idsThatGo(step, now)));
  const live = now.filter(({ urn, custom, delete: condemned }) => custom && condemned !== true && !renewed.has(urn));
  const found = new Map<string, Follower>();
  // The loop also visits entries that are added on the way: a resource that is made anew along has followers, too.
  for (const [urn, ids] of renewed)
    for (const state of live) {
      const beside = now.filter((one) => one.urn === state.urn && one.delete === true);
      const follower = followerOf({ state, beside }, [urn, ids], found.get(state.urn));
      if (follower === undefined) continue;
      found.set(state.urn, follower);
      if (follower.isAnew === true && state.id !== undefined)
        renewed.set(state.urn, new Map([[state.id, follower.like === state]]));
    }
  return [...found.values()];
}

/** Ids that others may still use for it, and if it had them before the run. */
type Ids = ReadonlyMap<string, boolean>;

function idsThatGo(step: UndoStep, now: readonly ResourceState[]): [string, Ids][] {
  const { kind, before, now: state } = step;
  if (kind !== "revert" || state?.custom !== true) return [];
  const beside = now.filter(({ urn, delete: condemned }) => urn === state.urn && condemned === true);
  const ids = new Map(beside.flatMap(({ id }) => (id ? [[id, true]] : [])));
  if (isReplaced(step)) {
    if (state.id) ids.set(state.id, false);
    if (before?.id) ids.set(before.id, true);
  }
  return ids.size === 0 ? [] : [[state.urn, ids]];
}

function followerOf(
  { state, beside }: { readonly state: ResourceState; readonly beside: readonly ResourceState[] },
  [urn, ids]: readonly [string, Ids],
  known: Follower | undefined,
): Follower | undefined {
  const definition = definitionOf(state.type);
  if (!definition || !dependencyUrns(state).has(urn)) return undefined;
  const gone = { urn, type: typeOf(urn), ids: [...ids.keys()] };
  const holds = ([leaf, value]: [Leaf, Json], wasBefore?: boolean): boolean =>
    textsIn(value, pathOf(leaf)).some(
      ({ path, text }) =>
        meantBy(state, path, text, [gone]) !== undefined && (wasBefore ?? ids.get(text)) === ids.get(text),
    );
  const leaves = leavesOf(definition, plain(state.inputs)).filter(
    (leaf) => !leaf[0].field.startsWith("__") && holds(leaf),
  );
  if (leaves.length === 0) return undefined;
  const isAnew = leaves.some(([{ field }]) => definition.rule(field).onChange === "replace");
  const object = ObjectState.fromState(definition, state.id ?? "", plain(state.outputs));
  const writes = leaves.map(([leaf, value]): Write => ({ ...plainWrite(leaf, value), inState: true, follows: true }));
  return {
    ...{ kind: "revert", urn: state.urn, type: shortName(state.type), name: nameOf(state.urn), definition },
    ...{ now: state, before: state, ...NOTHING_ANEW },
    writes: [...(known?.writes ?? []), ...withShown(definition, object, writes)],
    follows: [...(known?.follows ?? []), urn],
    like: beside.length > 0 || leaves.some((leaf) => holds(leaf, false)) ? beside[0] : state,
    ...((isAnew || known?.isAnew === true) && { isAnew: true }),
  };
}

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
    // A resource that the undo changes anyway already refers to the new object.
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
  const { writes, now } = step;
  // No object is left that could refer to anything.
  if (found?.gone === true || now === undefined) return undefined;
  if (isReplaced(step)) tellEdits(step, found, conflicts);
  const due = isReplaced(step) ? [] : writes.filter((write) => isDue(write, step, found, conflicts));
  if (conflicts.length > 0) return undefined;
  return { ...step, due, target: now };
}

/** The resources that it refers to may get their former names back, too. */
function withNames(state: ResourceState, renamed: ReadonlyMap<string, string>): ResourceState {
  const named = (urns: readonly string[] = []): string[] => urns.map((urn) => renamed.get(urn) ?? urn);
  const byProperty = Object.entries(state.propertyDependencies ?? {});
  return {
    ...state,
    dependencies: named(state.dependencies),
    propertyDependencies: Object.fromEntries(byProperty.map(([field, urns]) => [field, named(urns)])),
  };
}
