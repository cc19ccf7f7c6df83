/**
 * What our record of creations tells of an object beside its id, as long as no state tells of it: a run that is killed can't
 * save what it knew. Sealed, since the record is no secret.
 */
import { seal, unseal } from "../history/sealing.ts";
import { isMap, type Json, type JsonMap } from "../values/json.ts";
import { ownIn } from "./identity.ts";
import type { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

type Created = Pick<ObjectState, "id" | "identity">;

/** Whether our record alone has this object. */
export function isInRecordAlone(run: RunContext, { id, identity }: Created): boolean {
  return id !== undefined && identity !== undefined && run.settings.record.find(ownIn(identity))?.id === id;
}

/** Durable when the promise resolves. */
export async function noteCreation(run: RunContext, { id, identity }: Created, notes: JsonMap): Promise<void> {
  if (id === undefined || identity === undefined) return;
  await run.settings.record.noted(ownIn(identity), id, seal(run.noteKey(), notes));
}

/** What was noted of it; nothing where the account's key is another one by now. */
export function notedOf(run: RunContext, { id, identity }: Created): JsonMap {
  if (id === undefined || identity === undefined) return {};
  const note = run.settings.record.note(ownIn(identity), id);
  if (note === undefined) return {};
  try {
    const notes = unseal(run.noteKey(), note) as Json;
    return isMap(notes) ? notes : {};
  } catch {
    return {};
  }
}

/** By id, of what a killed run had made and another object takes the place of: our record forgets it then. */
const ofHalfMade = new WeakMap<RunContext, Map<string, JsonMap>>();

export function rememberNotes(run: RunContext, object: Created): void {
  const notes = ofHalfMade.get(run) ?? new Map<string, JsonMap>();
  ofHalfMade.set(run, notes);
  if (object.id !== undefined && !notes.has(object.id)) notes.set(object.id, notedOf(run, object));
}

export function notesOfHalfMade(run: RunContext, id: string): JsonMap {
  return ofHalfMade.get(run)?.get(id) ?? {};
}
