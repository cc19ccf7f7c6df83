/**
 * Deletes an object, and believes it if the service itself confirms it. A "not found" may come from a replica that lags or from an earlier
 * call. An empty answer (204 too) may come from a proxy, and an answer about another object says nothing about this one. In these cases the
 * object is read by its id. If it is still shown, the deletion is sent again, with patience, and fails in the end. If it can't be read, the
 * deletion is reported as not confirmed. A look that fails says nothing, and the deletion fails. A refusal without a visible reason may
 * come from a list that lags, so the deletion is sent again, too.
 */
import { ConflictError, type Deleted, ForbiddenError, MissingOperationError, NotFoundError } from "../api/index.ts";
import { DeleteError } from "../messages/errors.ts";
import { orGone, patientLook } from "./presence.ts";

export interface Removal {
  readonly kind: string;
  readonly id: string;
  readonly call: string;
  readonly send: () => Promise<Deleted>;
  /** Reads the object by its id, not from a list; absent if the API never shows it. */
  readonly look?: () => Promise<unknown>;
  /** Tells if an object stays for good, after a refusal because something uses it. False: nothing is seen to use it. */
  readonly mayStay?: (refusal: ConflictError) => Promise<boolean>;
}

/** Says in words that the object is still there, or why nobody can tell. Empty if the object is gone. */
export interface End {
  readonly there?: string;
  readonly unconfirmed?: string;
}

export async function removed(removal: Removal, patienceMs: number): Promise<End> {
  const { kind, id, call } = removal;
  let doubt: string | ConflictError | undefined;
  const end = await patientLook(async () => {
    doubt = await doubtAfter(removal);
    if (doubt instanceof ConflictError) return (await removal.mayStay?.(doubt)) === true ? GONE : undefined;
    return doubt === undefined ? GONE : whereabouts(removal, doubt);
  }, patienceMs);
  if (end !== undefined) return end;
  if (doubt instanceof ConflictError) throw doubt;
  const seconds = Math.round(patienceMs / 1000);
  return { there: `${call}: ${doubt ?? ""}, and yet ${kind} ${id} is still there after ${seconds} s.` };
}

const GONE: End = {};

/** Returns the reason to doubt the word of the service; undefined if that is enough. */
async function doubtAfter(removal: Removal): Promise<string | ConflictError | undefined> {
  const { id, send, look, call, mayStay } = removal;
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
    if (error instanceof ConflictError && mayStay !== undefined) return error;
    if (!(error instanceof NotFoundError)) throw error;
    return `the service answered ${[error.status, error.code].filter((part) => part !== undefined).join(" ")}`;
  }
}

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
