/** Before an object is written over or deleted, the run keeps what it holds. */
import { ApiError } from "../api/index.ts";
import type { AnyDefinition, Apply, PlannedWrites } from "../definition/define.ts";
import type { Held, Kept } from "../history/kept.ts";
import type { JsonMap } from "../values/json.ts";
import { ownIn } from "./identity.ts";
import type { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

export async function keepBeforeWrite(
  definition: AnyDefinition,
  { run, id, now, changed, removed, object, document }: Apply<Record<string, unknown>>,
): Promise<void> {
  const written = new Set([...changed].filter((field) => definition.rule(field).onChange !== "none"));
  if (run.settings.keeper === undefined || written.size === 0) return;
  const writes = { inputs: now as JsonMap, changed: written, removed };
  await keep(definition, run, id, object, object.recorded ? "update" : "adopt", writes, document);
}

/** What stays in the account loses nothing. */
export async function keepBeforeDelete(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  object: ObjectState,
): Promise<void> {
  if (run.settings.keeper === undefined || definition.leaves === "in place") return;
  await keep(definition, run, id, object, "delete", undefined, definition.life.load?.(run, id));
}

async function keep(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  object: ObjectState,
  step: Kept["step"],
  writes: PlannedWrites | undefined,
  document: unknown,
): Promise<void> {
  const own = object.identity === undefined ? "" : ownIn(object.identity);
  const about = {
    own,
    kind: definition.kind,
    id,
    step,
    ...(object.account !== undefined && { account: object.account }),
  };
  const held = await heldOrKnown(definition, run, id, object, writes, document);
  await run.settings.keeper?.keep({ ...about, ...held });
}

/** A service that doesn't answer keeps nobody from working on it: then the state's word counts, and is told apart. */
async function heldOrKnown(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  object: ObjectState,
  writes: PlannedWrites | undefined,
  document: unknown,
): Promise<Held & Pick<Kept, "unread">> {
  try {
    return await heldBy(definition, run, id, object, writes, document);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...heldIn(definition, object.answer, object, writes), unread: error.brief };
  }
}

/** Inputs as the object holds them now: those that are about to be written, or all. */
export async function heldBy(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  object: ObjectState,
  writes: PlannedWrites | undefined,
  document: unknown = definition.life.load?.(run, id),
): Promise<Held> {
  if (definition.undo.held) return definition.undo.held(run, id, object, writes, document);
  // An object that is being taken over was read just now.
  const answer = object.recorded ? await definition.read(run, id, object) : object.answer;
  return heldIn(definition, answer ?? {}, object, writes);
}

/** What a read doesn't show is as it was declared, if it was. Pure. */
export function heldIn(
  definition: AnyDefinition,
  answer: JsonMap,
  object: ObjectState,
  writes: PlannedWrites | undefined,
): Held {
  const then: JsonMap = {};
  const sent: JsonMap = {};
  const hidden: string[] = [];
  for (const field of writes?.changed ?? Object.keys(definition.inputs.shape)) {
    const declared = object.declared.get(field);
    const { live, shownOnWrites } = definition.rule(field);
    const shown = shownOnWrites === true ? undefined : live?.(answer, declared ?? null);
    const value = shown === undefined ? declared : shown;
    if (value !== undefined) then[field] = value;
    else if (writes) hidden.push(field);
    const next = writes?.inputs[field];
    if (next !== undefined) sent[field] = next;
  }
  return { then, sent, hidden };
}
