/**
 * Whose call it is. Of calls that wait, those of what was begun first go first: work is carried through to its end. Taken in the
 * order they come, the calls of all that is under way keep in step, and all of it waits at once for a look that it shares.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const turns = new AsyncLocalStorage<number>();
let begun = 0;
let current = 0;

/** What belongs to no piece of work goes before all that does. */
const NOBODYS = 0;

/** The calls of `work` are those of one piece of work, which begins now. */
export async function inOneTurn<T>(work: () => T | Promise<T>): Promise<T> {
  begun += 1;
  current += 1;
  try {
    return await turns.run(begun, work);
  } finally {
    current -= 1;
  }
}

/** How many pieces of work have begun and not ended. */
export function underWay(): number {
  return current;
}

export function currentTurn(): number {
  return turns.getStore() ?? NOBODYS;
}
