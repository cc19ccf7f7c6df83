/**
 * What the ledger tells of an object beside its id, as long as no state tells of it: a run that is killed can't save what it knew.
 * Sealed, since the ledger is no secret.
 */
import { seal, unseal } from "../history/sealing.ts";
import type { Entry } from "../ledger/entry.ts";
import { isMap, type Json, type JsonMap } from "../values/json.ts";
import { ownIn } from "./identity.ts";
import type { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

type Created = Pick<ObjectState, "id" | "identity">;

/** The entry of an object that the ledger alone has. */
function entryOf(run: RunContext, { id, identity }: Created): Entry | undefined {
  if (id === undefined || identity === undefined) return undefined;
  return run.settings.ledger.of(ownIn(identity)).find((one) => one.id === id);
}

export function isInLedgerAlone(run: RunContext, object: Created): boolean {
  return entryOf(run, object) !== undefined;
}

/** Durable when the promise resolves. */
export async function noteCreation(run: RunContext, object: Created, notes: JsonMap): Promise<void> {
  const entry = entryOf(run, object);
  if (entry) await run.settings.ledger.put({ ...entry, note: seal(run.noteKey(), notes) });
}

/** What was noted of it; nothing where the account's key is another one by now. */
export function notedOf(run: RunContext, object: Created): JsonMap {
  return unsealed(run, entryOf(run, object));
}

/** What a killed run had made for the resource, and this object takes the place of. */
export function halfMadeBefore(run: RunContext, { id, identity }: Created): string | undefined {
  if (identity === undefined) return undefined;
  return run.settings.ledger.of(ownIn(identity)).findLast((one) => one.id !== undefined && one.id !== id)?.id;
}

/** What was noted of that. */
export function notesOfHalfMade(run: RunContext, id: string): JsonMap {
  return unsealed(run, run.settings.ledger.withId(id));
}

function unsealed(run: RunContext, { note }: Partial<Entry> = {}): JsonMap {
  if (note === undefined) return {};
  try {
    const notes = unseal(run.noteKey(), note) as Json;
    return isMap(notes) ? notes : {};
  } catch {
    return {};
  }
}
