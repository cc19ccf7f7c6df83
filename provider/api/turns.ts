/**
 * Whose call it is. Of calls that wait, those of what was begun first go first: work is carried through to its end. Taken in the
 * order they come, the calls of all that is under way keep in step, and all of it waits at once for a look that it shares.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const turns = new AsyncLocalStorage<number>();
let begun = 0;

/** What belongs to no piece of work goes before all that does. */
const NOBODYS = 0;

/** The calls of `work` are those of one piece of work, which begins now. */
export function inOneTurn<T>(work: () => T): T {
  begun += 1;
  return turns.run(begun, work);
}

export function currentTurn(): number {
  return turns.getStore() ?? NOBODYS;
}
