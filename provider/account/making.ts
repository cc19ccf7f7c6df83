/** Makes an object and never sends the call twice. If the answer is lost or describes another object, it looks for the object that the call made. */
import { ApiError } from "../api/index.ts";
import { LostAnswerError, UnfindableError } from "../messages/errors.ts";
import { patientLook, TIMES_FOR_GOOD } from "./presence.ts";

export interface Making<Made> {
  /** The object with its kind, as the program calls it. */
  readonly called: string;
  readonly send: () => Promise<Made>;
  /** Returns the reason, in words, why the answer can't describe the requested object. */
  readonly ofAnother?: (made: Made) => string | undefined;
  /** Looks for the object that the call made; absent where nothing finds it. */
  readonly find: (() => Promise<Made | undefined>) | undefined;
  /** The API can't delete such an object, so a second one would stay. */
  readonly forGood: boolean;
  /** Runs before the search. From here on nobody knows if the object was made. */
  readonly beforeFinding?: () => Promise<void>;
  /** Runs before the search is given up. Throws if something is there that may be the object. */
  readonly beforeLost?: () => Promise<void>;
}

export async function make<Made>(making: Making<Made>, patienceMs: number): Promise<Made> {
  const { called, send, ofAnother, find } = making;
  let made: Made;
  try {
    made = await send();
  } catch (error) {
    if (!(error instanceof ApiError) || error.outcome !== "unknown") throw error;
    if (!find) throw new UnfindableError(called, error);
    return found(making, find, error, patienceMs);
  }
  const other = find && ofAnother?.(made);
  return other === undefined || find === undefined ? made : found(making, find, other, patienceMs);
}

async function found<Made>(
  { called, forGood, beforeFinding, beforeLost }: Making<Made>,
  find: () => Promise<Made | undefined>,
  why: ApiError | string,
  patienceMs: number,
): Promise<Made> {
  await beforeFinding?.();
  const longest = patienceMs * (forGood ? TIMES_FOR_GOOD : 1);
  const made = await patientLook(() => find().catch(whenApiFails), longest);
  if (made !== undefined) return made;
  await beforeLost?.().catch(whenApiFails);
  throw new LostAnswerError(called, Math.round(longest / 1000), why);
}

/** Takes a failed call for an answer that says nothing: a later one may succeed. */
export function whenApiFails(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}
