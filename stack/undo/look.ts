/** What the account shows now of what an undo is to change. Reads alone; what can't be asked stops the undo. */
import type { AnyDefinition, PlannedWrites } from "../../provider/definition/define.ts";
import { editText } from "../../provider/messages/foreign-edits.ts";
import { same, type Json, type JsonMap, isMap } from "../../provider/values/json.ts";
import { heldBy } from "../../provider/reconcile/apply.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { AccountReader } from "../run/account-reader.ts";
import type { StackSession } from "../run/session.ts";
import { leafKey, plain, put, valueAt, valueOf, type Leaf } from "./leaves.ts";
import { type UndoStep, isRestored, type Conflict, type Write } from "./undo-plan.ts";

export interface Finding {
  /** The service says that there is none. */
  readonly gone: boolean;
  /** By leaf: what it shows now, and what it showed after the last run. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** Of an object that is to go: what somebody changed on it. */
  readonly edits: readonly { leaf?: Leaf; now: Json }[];
}

interface Shown {
  readonly live: Json | undefined;
  readonly known: Json | undefined;
}

const NOTHING_SHOWN: Shown = { live: undefined, known: undefined };

export async function lookAt(session: StackSession, steps: readonly UndoStep[]): Promise<Map<string, Finding>> {
  const existing = steps.filter(({ now, definition }) => now?.custom === true && definition !== undefined);
  if (existing.length === 0) return new Map();
  const reader = await AccountReader.open(session, { full: true });
  try {
    const found = await Promise.all(
      existing.map(async (step) => {
        const run = reader.of(step.now?.provider, step.now?.urn ?? step.urn);
        return [step.urn, await findingOf(run, step)] as const;
      }),
    );
    return new Map(found);
  } finally {
    await reader.close();
  }
}

export async function findingOf(run: RunContext, step: UndoStep): Promise<Finding> {
  const { definition, now } = step;
  const nothing: Finding = { gone: false, shown: new Map(), edits: [] };
  if (!definition || now?.id === undefined) return nothing;
  const object = ObjectState.fromState(definition, now.id, plain(now.outputs));
  await run.accountId(object.account);
  const before = ObjectState.fromState(definition, now.id, plain(now.outputs));
  const answer = await definition.read(run, now.id, object);
  if (!answer) return { ...nothing, gone: true };
  object.learn(answer);
  if (step.kind === "remove" || isReplaced(step))
    return { ...nothing, edits: await editsOf(definition, run, before, object) };
  const asked = await askUndeclared(definition, run, before, step);
  const shown = step.writes.map(({ leaf }): [string, Shown] => {
    // No read changes what the last write answered, which tells nothing of what is there by now.
    if (definition.rule(leaf.field).shownOnWrites === true) return [leafKey(leaf), NOTHING_SHOWN];
    const live = valueOf(object, leaf) ?? valueAt(asked, leaf);
    return [leafKey(leaf), { live, known: valueOf(before, leaf) }];
  });
  return { ...nothing, shown: new Map(shown) };
}

/** The object that is there now goes, and another one takes its place. */
export function isReplaced({ kind, before, now, isAnew }: UndoStep): boolean {
  return kind === "revert" && (isAnew === true || before?.id !== now?.id);
}

/** What no read of declared inputs shows: keys that nobody declares now. */
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
  return (await heldBy(definition, run, object.id ?? "", object, planned)).then;
}

/** Whatever is declared and is no longer as the last run left it, and edits in a draft that are nobody's of this stack. */
async function editsOf(
  definition: AnyDefinition,
  run: RunContext,
  before: ObjectState,
  after: ObjectState,
): Promise<Finding["edits"]> {
  const drifted = [...before.declared.keys()].flatMap((field) => {
    const [then, now] = [before.shown(field), after.shown(field)];
    const isOurs = definition.undo.isPassing?.(before.id ?? "", field, after.live(field)) === true;
    return now === undefined || then === undefined || isOurs || same(then, now) ? [] : [{ leaf: { field }, now }];
  });
  const waiting = (await definition.plan.foreignEdits?.(run, before.id ?? "", before)) ?? [];
  return [...drifted, ...(drifted.length === 0 ? waiting.map((edit) => ({ now: editText(edit) })) : [])];
}

export function isDue(
  write: Write,
  { urn, type, name, now, definition, writes }: UndoStep,
  found: Finding | undefined,
  conflicts: Conflict[],
): boolean {
  const { leaf, live: then, sent, inState } = write;
  const { live, known } = found?.shown.get(leafKey(leaf)) ?? { live: undefined, known: undefined };
  if (live === undefined) return inState;
  if (then !== undefined && isAlike(live, then)) return inState;
  const isOurs =
    (known !== undefined ? same(live, known) : sent === undefined || same(live, sent)) ||
    isOnTheWay(leaf, { live, known }, writes) ||
    definition?.undo.isPassing?.(now?.id ?? "", leaf.field, live) === true;
  if (isOurs || (sent !== undefined && same(live, sent))) return inState || isRestored(write);
  conflicts.push({ urn, type, name, leaf, code: "changed by hand", now: live });
  return false;
}

/** A map that nobody declared before goes back as a whole, and its keys one by one: an undo that failed may have begun. */
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
