/** Reads the account's present values of objects that an undo would change. It only reads, and a failed question stops the undo. */
import { plain, shortName } from "../report/steps.ts";
import { nameOf, type PropertyMap, type ResourceState } from "../../engine/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { waitingEdits } from "../../provider/reconcile/foreign-edits.ts";
import type { AnyDefinition, PlannedWrites } from "../../provider/definition/define.ts";
import { editText } from "../../provider/messages/foreign-edits.ts";
import { same, type Json, type JsonMap, isMap } from "../../provider/values/json.ts";
import { heldBy } from "../../provider/reconcile/apply.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { unsaidEdits, unsaidValue } from "../report/values.ts";
import type { StackSession } from "../run/session.ts";
import { leafKey, pathOf, put, valueAt, valueOf, type Leaf } from "./leaves.ts";
import { type UndoStep, inputsAround, isLeft, isRestored, type Conflict, type Write } from "./undo-plan.ts";

export interface Finding {
  readonly gone: boolean;
  /** True if the account still has the earlier object, which the run left there. */
  readonly left: boolean;
  /** By leaf, the present value and the value after the last run. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** For an object that would be deleted: edits that somebody made on it. One that stays in the account keeps them. */
  readonly edits: readonly { leaf?: Leaf; now: Json }[];
}

interface Shown {
  readonly live: Json | undefined;
  readonly known: Json | undefined;
}

const NOTHING_SHOWN: Shown = { live: undefined, known: undefined };

export async function lookAt(session: StackSession, steps: readonly UndoStep[]): Promise<Map<string, Finding>> {
  const existing = steps.filter((step) => step.definition !== undefined && (step.now?.custom === true || isLeft(step)));
  if (existing.length === 0) return new Map();
  const reader = await session.account({ full: true });
  const found = await Promise.all(
    existing.map(async (step) => {
      const { provider, urn } = step.now ?? { provider: step.before?.provider, urn: step.urn };
      const run = reader.of(provider, urn);
      return [step.urn, await findingOf(run, step)] as const;
    }),
  );
  return new Map(found);
}

async function findingOf(run: RunContext, step: UndoStep): Promise<Finding> {
  const { definition, now, before: then } = step;
  const left = definition !== undefined && then !== undefined && isLeft(step);
  const isThere = left && (await presentOf(run, definition, then)) !== undefined;
  const nothing: Finding = { gone: false, left: isThere, shown: new Map(), edits: [] };
  if (!definition || now?.id === undefined) return nothing;
  const object = await presentOf(run, definition, now);
  if (!object) return { ...nothing, gone: true };
  const before = recordedAs(definition, now);
  if (step.kind === "remove" || isReplaced(step)) {
    const stays = now.retainOnDelete === true || definition.leaves === "in place";
    const edits = stays ? [] : await editsOf(definition, run, { before, object, sides: inputsAround(step) });
    return { ...nothing, edits };
  }
  const asked = await askUndeclared(definition, run, before, step);
  const shown = step.writes.map(({ leaf }): [string, Shown] => {
    // Reads don't update the answer of the last write, so it tells nothing about the present value.
    if (definition.rule(leaf.field).shownOnWrites === true) return [leafKey(leaf), NOTHING_SHOWN];
    const live = valueOf(object, leaf) ?? valueAt(asked, leaf);
    return [leafKey(leaf), { live, known: valueOf(before, leaf) }];
  });
  return { ...nothing, shown: new Map(shown) };
}

export async function presentOf(
  run: RunContext,
  definition: AnyDefinition,
  state: ResourceState,
): Promise<ObjectState | undefined> {
  const object = recordedAs(definition, state);
  await run.accountId(object.account);
  const answer = await definition.read(run, state.id ?? "", object);
  if (answer) object.learn(answer);
  return answer && object;
}

export function recordedAs(definition: AnyDefinition, { id = "", outputs }: ResourceState): ObjectState {
  return ObjectState.fromState(definition, id, plain(outputs));
}

/** Returns those of the held pages that still have edits of somebody else. The others wait for nothing. */
export async function stillEdited<One extends { type: string; name: string }>(
  session: StackSession,
  held: readonly One[],
  now: readonly ResourceState[],
): Promise<One[]> {
  if (held.length === 0) return [];
  const reader = await session.account({ full: true });
  const edited = held.map(async (one) => {
    const state = now.find(({ urn, type }) => shortName(type) === one.type && nameOf(urn) === one.name);
    const definition = state && definitionOf(state.type);
    if (state?.id === undefined || definition === undefined) return [];
    const run = reader.of(state.provider, state.urn);
    return (await waitingEdits({ definition, run }, state.id, plain(state.outputs))).length > 0 ? [one] : [];
  });
  return (await Promise.all(edited)).flat();
}

export function isReplaced({ kind, before, now, isAnew }: UndoStep): boolean {
  return kind === "revert" && (isAnew === true || before?.id !== now?.id);
}

/** Tells edits of people that an undo would delete with their object. */
export function tellEdits({ urn, type, name }: UndoStep, found: Finding | undefined, conflicts: Conflict[]): boolean {
  const edits = found?.edits ?? [];
  for (const { leaf, now } of edits)
    conflicts.push({ urn, type, name, code: leaf ? "changed by hand" : "edited since", leaf, now });
  return edits.length > 0;
}

/** Asks for keys that nobody declares now. No read of declared inputs shows them. */
async function askUndeclared(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
  { writes, now }: UndoStep,
): Promise<JsonMap> {
  const asked: JsonMap = {};
  for (const { leaf, sent, live } of writes) {
    const value = sent ?? live;
    const declared = valueAt(plain(now?.inputs), leaf) !== undefined;
    if (!declared && value !== undefined) put(asked, leaf, value);
  }
  if (Object.keys(asked).length === 0) return {};
  const planned: PlannedWrites = { inputs: asked, changed: new Set(Object.keys(asked)), removed: new Set() };
  return (await heldBy({ definition, run, object }, planned)).then;
}

/** Finds declared values that differ from the last run, and draft edits that are not this stack's. */
async function editsOf(
  definition: AnyDefinition,
  run: RunContext,
  { before, object, sides }: { before: ObjectState; object: ObjectState; sides: readonly PropertyMap[] },
): Promise<Finding["edits"]> {
  const drifted = [...before.declared.keys()].flatMap((field) => {
    const [then, now] = [before.shown(field), object.shown(field)];
    const isOurs = object.isPassing(field);
    if (now === undefined || then === undefined || isOurs || same(then, now)) return [];
    return [{ leaf: { field }, now: unsaidValue(now, [field], sides) }];
  });
  const waiting = (await definition.plan.foreignEdits?.(run, before.id ?? "", before)) ?? [];
  if (drifted.length > 0) return drifted;
  return unsaidEdits(waiting, sides).map((edit) => ({ now: editText(edit) }));
}

export function isDue(write: Write, step: UndoStep, found: Finding | undefined, conflicts: Conflict[]): boolean {
  const { urn, type, name, now, definition, writes } = step;
  const { leaf, live: then, sent, inState } = write;
  const { live, known } = found?.shown.get(leafKey(leaf)) ?? NOTHING_SHOWN;
  if (live === undefined) return inState;
  if (then !== undefined && isAlike(live, then)) return inState;
  const isOurs =
    (known !== undefined ? same(live, known) : sent === undefined || same(live, sent)) ||
    isOnTheWay(leaf, { live, known }, writes) ||
    definition?.rule(leaf.field).isPassing?.(now?.id ?? "", live) === true;
  if (isOurs || (sent !== undefined && same(live, sent))) return inState || isRestored(write);
  const said = unsaidValue(live, pathOf(leaf), inputsAround(step));
  conflicts.push({ urn, type, name, leaf, code: "changed by hand", now: said });
  return false;
}

/** Tells if a failed undo has begun with the map: a map that nobody declared before goes back as a whole, but key by key. */
function isOnTheWay({ field, key }: Leaf, { live, known }: Shown, writes: readonly Write[]): boolean {
  if (key !== undefined || !isMap(live) || !isMap(known)) return false;
  const back = new Map(writes.flatMap(({ leaf, live: then }) => (leaf.field === field ? [[leaf.key, then]] : [])));
  return [...new Set([...Object.keys(live), ...Object.keys(known)])].every((one) => {
    const then = back.get(one);
    return same(live[one], known[one]) || (then !== undefined && isAlike(live[one] ?? null, then));
  });
}

/** A service may show an empty field as null or as an empty text, and a missing one as null or not at all. */
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
