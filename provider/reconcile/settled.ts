/** The writes and deletions of a kind's calls, through the account. The state learns settled values, and the run tells what nobody can confirm. */
import type { Removal } from "../account/removal.ts";
import { unmovedIn } from "../account/spelling.ts";
import { type Json, type JsonMap, mapBy } from "../values/json.ts";
import type { AnyDefinition, Apply } from "../definition/define.ts";
import type { RunContext } from "./run-context.ts";
import type { Removed } from "../ledger/ledger.ts";
import { digest, nameIn, resourceKeyIn } from "../ledger/identity.ts";

interface Written {
  readonly call: string;
  readonly sent: JsonMap;
  readonly send: () => Promise<JsonMap>;
  readonly read: () => Promise<JsonMap>;
}

export async function write<Inputs>(
  { run, id, object }: Pick<Apply<Inputs>, "run" | "id" | "object">,
  { call, sent, send, read }: Written,
): Promise<void> {
  const answer = await send();
  const unmoved = (shown: JsonMap) => unmovedIn(object, shown, sent);
  object.learn({ ...answer, ...(await run.account.settled(answer, { id, call, again: read, unmoved })) });
}

export async function remove(run: RunContext, removal: Removal): Promise<void> {
  const { kind, id, call } = removal;
  const unconfirmed = await run.account.remove(removal);
  if (unconfirmed === undefined) return;
  const text =
    `Landform could not confirm that ${kind} ${id} is gone (${call}: ${unconfirmed}). ` +
    `Landform no longer manages it. Look in the app if it is still there.`;
  run.warn({ code: "of-kind", kind, id, topic: "delete-not-confirmed", text });
}

export function fieldsOf(now: object, fields: Iterable<string>): JsonMap {
  return mapBy(fields, (field) => (now as JsonMap)[field]);
}

// Removals that no later look proves. A retired funnel stays in the account, and another stack may take it over at once. Nothing shows a hook.
// The ledger then tells the run after a kill that the state's object may be gone, or may be somebody else's.

/** A kill may come before the state is saved. `shown`: the object until then. A removal that fails is none. */
export async function removing(
  run: RunContext,
  { kind }: Pick<AnyDefinition, "kind">,
  object: Removed,
  shown: Json,
  remove: () => Promise<void>,
): Promise<void> {
  const { ledger } = run.settings;
  const { id, identity } = object;
  if (id !== undefined && identity !== undefined && ledger.removal(object) === undefined) {
    const key = resourceKeyIn(identity);
    const at = ledger.beginning(key);
    await ledger.put({ key, at, kind, name: nameIn(identity), state: "unwanted", id, removedAs: digestOf(shown) });
  }
  try {
    await remove();
  } catch (error) {
    forgetRemoval(run, object);
    throw error;
  }
}

export function isBeingRemoved({ settings }: RunContext, object: Removed): boolean {
  return settings.ledger.removal(object) !== undefined;
}

/** Tells if the object has become somebody else's since a run began to remove it. */
export function isOthersSince({ settings }: RunContext, object: Removed, shown: Json): boolean {
  const removal = settings.ledger.removal(object);
  return removal !== undefined && removal.removedAs !== digestOf(shown);
}

/** Forgets it, since this run goes on with the object. */
export function forgetRemoval({ settings }: RunContext, object: Removed): void {
  const removal = settings.ledger.removal(object);
  if (removal !== undefined) settings.ledger.settle([removal]);
}

function digestOf(shown: Json): string {
  return digest(JSON.stringify(shown), 16);
}
