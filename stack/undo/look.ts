/** What the account shows now of what an undo is to change. Reads alone; what can't be asked stops the undo. */
import type { AnyDefinition, PlannedWrites } from "../../provider/definition/define.ts";
import { editText } from "../../provider/messages/foreign-edits.ts";
import { type Json, type JsonMap, same } from "../../provider/values/json.ts";
import { heldBy } from "../../provider/reconcile/apply.ts";
import { ObjectState } from "../../provider/reconcile/object-state.ts";
import { shownOf, takeDrifts } from "../../provider/reconcile/read.ts";
import type { RunContext } from "../../provider/reconcile/run-context.ts";
import { AccountReader } from "../run/account-reader.ts";
import type { StackSession } from "../run/session.ts";
import { changedLeaves, type Leaf, leafKey, plain, put, valueAt, valueOf } from "./leaves.ts";
import type { UndoStep } from "./undo-plan.ts";

export interface Finding {
  /** The service says that there is none. */
  readonly gone: boolean;
  /** By leaf: what it shows now, and what it showed after the last run. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** Of an object that is to go: what somebody changed on it. */
  readonly edits: readonly { leaf?: Leaf; now: Json }[];
  /** What the update takes into the state before it begins, because a killed run was about the object: declared is what is live. */
  readonly taken: readonly { readonly leaf: Leaf; readonly now: Json | undefined }[];
}

export interface Shown {
  readonly live: Json | undefined;
  readonly known: Json | undefined;
}

const NOTHING_SHOWN: Shown = { live: undefined, known: undefined };

export async function lookAt(session: StackSession, steps: readonly UndoStep[]): Promise<Map<string, Finding>> {
  const existing = steps.filter(({ now, definition }) => now?.custom === true && definition !== undefined);
  if (existing.length === 0) return new Map();
  const looksFirstAt = new Set(await session.engine.looksFirstAt());
  const reader = await AccountReader.open(session, { full: true });
  try {
    const found = await Promise.all(
      existing.map(async (step) => {
        const run = reader.of(step.now?.provider, step.now?.urn ?? step.urn);
        return [step.urn, await findingOf(run, step, looksFirstAt.has(step.now?.urn ?? step.urn))] as const;
      }),
    );
    return new Map(found);
  } finally {
    await reader.close();
  }
}

export async function findingOf(run: RunContext, step: UndoStep, isLookedAtFirst = false): Promise<Finding> {
  const { definition, now } = step;
  const nothing: Finding = { gone: false, shown: new Map(), edits: [], taken: [] };
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
  const taken = isLookedAtFirst ? takenOf(definition, run, before, object) : [];
  return { ...nothing, shown: new Map(shown), taken };
}

/** An address that makes way for another one is no edit. */
function takenOf(
  definition: AnyDefinition,
  run: RunContext,
  before: ObjectState,
  object: ObjectState,
): Finding["taken"] {
  if (!takeDrifts(definition, run, object, shownOf(before))) return [];
  const [then, now]: [JsonMap, JsonMap] = [Object.fromEntries(before.declared), Object.fromEntries(object.declared)];
  const isPassing = ({ field }: Leaf): boolean =>
    definition.undo.isPassing?.(object.id ?? "", field, object.live(field)) === true;
  const leaves = changedLeaves(definition, then, now).filter((leaf) => !isPassing(leaf));
  return leaves.map((leaf) => ({ leaf, now: valueAt(now, leaf) }));
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
