/**
 * Whose call it is. Of calls that wait, those of what was begun first go first: work is carried through to its end. Taken in the
 * order they come, the calls of all that is under way keep in step, and all of it waits at once for a look that it shares.
 * Towards the end of a run, when nothing more takes the place of what has ended, those go first that have got least far:
 * otherwise the last few would be left to themselves, one call after another, beside places that nobody takes.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** One piece of work. */
export interface Turn {
  /** The order of beginning. */
  readonly number: number;
  /** Calls that it was let in for. */
  calls: number;
  /** It has asked for a call: what asks for none takes nobody's place. */
  isUnderWay: boolean;
}

const turns = new AsyncLocalStorage<Turn>();
let begun = 0;
let current = 0;
let most = 0;

/** One that ends is followed by the next within moments: that is no end. */
const FEWER_AT_THE_END = 3 / 4;

/** The calls of `work` are those of one piece of work, which begins now. */
export async function inOneTurn<T>(work: () => T | Promise<T>): Promise<T> {
  begun += 1;
  const turn = { number: begun, calls: 0, isUnderWay: false };
  try {
    return await turns.run(turn, work);
  } finally {
    if (turn.isUnderWay) current -= 1;
    if (current === 0) most = 0;
  }
}

/** How many pieces of work have asked for a call and not ended. */
export function underWay(): number {
  return current;
}

/** Whether no more work is to begin, as far as can be seen: clearly less is under way than there was. */
export function isEnding(): boolean {
  return current <= most * FEWER_AT_THE_END;
}

/** Of whoever asks for a call now. What belongs to no piece of work goes before all that does. */
export function takeTurn(): Turn {
  const turn = turns.getStore() ?? { number: 0, calls: 0, isUnderWay: true };
  if (!turn.isUnderWay) {
    turn.isUnderWay = true;
    current += 1;
    most = Math.max(most, current);
  }
  return turn;
}
