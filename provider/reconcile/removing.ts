/**
 * Removals that no later look proves. A retired funnel stays in the account, and another stack may take it over at once. Nothing shows a
 * hook. The ledger then tells the run after a kill that the state's object may be gone, or may be somebody else's.
 */
import type { AnyDefinition } from "../definition/define.ts";
import type { Entry } from "../ledger/entry.ts";
import { digest, nameIn, ownIn } from "../ledger/identity.ts";
import type { Json } from "../values/json.ts";
import type { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

type Removed = Pick<ObjectState, "id" | "identity">;

const DIGEST = 16;

/** Writes down that the removal begins, if the state is saved so late that nothing else tells. `shown`: the object as it is until then. */
export async function noteRemoval(
  run: RunContext,
  { kind }: Pick<AnyDefinition, "kind">,
  { id, identity }: Removed,
  shown: Json,
): Promise<void> {
  const { ledger, savesAtEnd } = run.settings;
  if (savesAtEnd !== true || id === undefined || identity === undefined) return;
  const key = ownIn(identity);
  if (ledger.removal(key, id) !== undefined) return;
  const at = ledger.beginning(key);
  await ledger.put({ key, at, kind, name: nameIn(identity), state: "removed", id, spec: specOf(shown) });
}

/** Tells if a run has begun to remove the object. */
export function isBeingRemoved(run: RunContext, object: Removed): boolean {
  return removalOf(run, object) !== undefined;
}

/** Tells if the object has become somebody else's since a run began to remove it. */
export function isOthersSince(run: RunContext, object: Removed, shown: Json): boolean {
  const removal = removalOf(run, object);
  return removal !== undefined && removal.spec !== specOf(shown);
}

/** Forgets it, since a creation of the same resource has taken the object in. */
export function forgetRemoval(run: RunContext, object: Removed): void {
  const removal = removalOf(run, object);
  if (removal !== undefined) run.settings.ledger.settle([removal]);
}

function removalOf({ settings }: RunContext, { id, identity }: Removed): Entry | undefined {
  return id === undefined || identity === undefined ? undefined : settings.ledger.removal(ownIn(identity), id);
}

function specOf(shown: Json): string {
  return digest(JSON.stringify(shown), DIGEST);
}
