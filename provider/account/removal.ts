/**
 * A deletion is believed where the service says so itself. "Not found" may be a replica that lags behind, or a call that
 * was made before; an empty answer, 204 too, may be a proxy's, and one of another object is no word of this one. Then the
 * object is looked at by its id: where it is still shown the deletion is sent again, with patience (a read may lag behind,
 * too), and in the end it fails. What can't be looked at is told as not confirmed. A look that fails says nothing, and fails
 * the deletion.
 */
import { type Deleted, ForbiddenError, MissingOperationError, NotFoundError } from "../api/index.ts";
import { DeleteError } from "../messages/errors.ts";
import { patientLook } from "./patience.ts";
import { orGone } from "./presence.ts";
import type { RunContext } from "../reconcile/run-context.ts";

export interface Removal {
  readonly kind: string;
  readonly id: string;
  /** The call as messages name it, such as `DELETE /pages/p1`. */
  readonly call: string;
  readonly send: () => Promise<Deleted>;
  /** Reads it by its id, and not from a list; absent where the API shows nothing. */
  readonly look?: () => Promise<unknown>;
}

export async function remove(run: RunContext, removal: Removal): Promise<void> {
  const { kind, id, call } = removal;
  const { there, unconfirmed } = await removed(removal, run.settings.patienceMs);
  if (there !== undefined) {
    throw new DeleteError(
      `${there} It stays in the state. Run again later; if it stays, delete it in the app and run "npx landform refresh".`,
    );
  }
  if (unconfirmed === undefined) return;
  const text =
    `It could not be confirmed that ${kind} ${id} is gone (${call}: ${unconfirmed}). ` +
    `It is no longer managed; look in the app whether it is still there.`;
  run.warn({ code: "of-kind", kind, id, topic: "delete-not-confirmed", text });
}

/** Says in words that it is still there, or why nobody can tell; nothing where it is gone. */
interface End {
  readonly there?: string;
  readonly unconfirmed?: string;
}

export async function removed(removal: Removal, patienceMs: number): Promise<End> {
  const { kind, id, call } = removal;
  let doubt: string | undefined;
  const end = await patientLook(async () => {
    doubt = await doubtAfter(removal);
    return doubt === undefined ? GONE : whereabouts(removal, doubt);
  }, patienceMs);
  const seconds = Math.round(patienceMs / 1000);
  return end ?? { there: `${call}: ${doubt ?? ""}, and yet ${kind} ${id} is still there after ${seconds} s.` };
}

const GONE: End = {};

/** Why the word of the service is not enough; undefined where it is. */
async function doubtAfter({ id, send, look, call }: Removal): Promise<string | undefined> {
  try {
    const { success, deleted, id: other } = await send();
    if (success === false || deleted === false) {
      const said = "the service answered that it was not done";
      if (!look) throw new DeleteError(`${call}: ${said}. It stays in the state. Run again later.`);
      return said;
    }
    if (other !== null && other !== id) return "the service answered with success, of another object";
    return success === true || deleted === true ? undefined : "the service answered with success and no word of it";
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return `the service answered ${[error.status, error.code].filter((part) => part !== undefined).join(" ")}`;
  }
}

/** Undefined where it is still there. */
async function whereabouts({ look }: Removal, doubt: string): Promise<End | undefined> {
  if (!look) return { unconfirmed: `${doubt}; the API never shows one` };
  try {
    return (await orGone(look())) === undefined ? GONE : undefined;
  } catch (error) {
    if (error instanceof ForbiddenError) return { unconfirmed: `${doubt}; the key may not read it` };
    if (error instanceof MissingOperationError)
      return { unconfirmed: `${doubt}; this service has no operation that reads it` };
    throw error;
  }
}
