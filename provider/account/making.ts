/** A call that makes something is never sent twice: where its answer is lost, or is of another object, what it made is looked for. */
import { ApiError } from "../api/index.ts";
import { LostAnswerError, UnfindableError } from "../messages/errors.ts";
import { patientLook, TIMES_FOR_GOOD } from "./patience.ts";

export interface Making<Made> {
  /** With its kind, as the program calls it. */
  readonly called: string;
  readonly send: () => Promise<Made>;
  /** Why the answer can't be of what was asked for, in words. */
  readonly ofAnother?: (made: Made) => string | undefined;
  /** Looks for what it made; absent where nothing finds it. */
  readonly find: (() => Promise<Made | undefined>) | undefined;
  /** The API can't delete one, so that a second one would stay. */
  readonly forGood: boolean;
  /** Before it is looked for: whether it was made is not known from here on. */
  readonly beforeFinding?: () => Promise<void>;
  /** Before it is given up: throws where something is there that may be it. */
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

/** A look that fails says nothing about the object: the next one may succeed. */
function whenApiFails(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}
