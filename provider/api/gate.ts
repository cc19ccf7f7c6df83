/** The gate that every attempt goes through: concurrency, pace and pauses, for all calls of a client together. */
import { AsyncLocalStorage } from "node:async_hooks";

/** Handed out for one attempt, handed back when it has ended. */
export interface Permit {
  readonly generation: number;
}

type AttemptEnd = "succeeded" | "throttled" | "failed";

interface Waiting {
  readonly turn: Turn;
  readonly admit: (permit: Permit) => void;
}

export class Gate {
  readonly #perSecond: number | undefined;
  readonly #repeated: Waiting[] = [];
  readonly #fresh: Waiting[] = [];
  #throttle: Throttle;
  #underWay = 0;
  #nextStart = 0;
  #waking = false;

  constructor(ceiling: number, perSecond: number | undefined) {
    this.#throttle = openThrottle(ceiling);
    this.#perSecond = perSecond;
  }

  /** Repeated attempts go first: their deadline is running already. Among equals it goes by their turns. */
  enter(queue: "fresh" | "repeated"): Promise<Permit> {
    return new Promise((admit) => {
      insert(queue === "fresh" ? this.#fresh : this.#repeated, { turn: takeTurn(), admit });
      this.#admit();
    });
  }

  leave(permit: Permit, end: AttemptEnd): void {
    this.#underWay--;
    if (end === "succeeded") this.#throttle = afterSuccess(this.#throttle);
    if (end === "throttled") this.#throttle = afterRefusal(this.#throttle, permit.generation);
    this.#admit();
  }

  /** Nobody enters for that long. */
  pause(ms: number): void {
    this.#nextStart = Math.max(this.#nextStart, performance.now() + ms);
  }

  #admit(): void {
    while (this.#underWay < this.#throttle.limit) {
      const queue = this.#repeated.length > 0 ? this.#repeated : this.#fresh;
      if (queue.length === 0 || this.#mustWait()) return;
      this.#underWay++;
      const next = takeNext(queue);
      next.turn.calls++;
      next.admit({ generation: this.#throttle.generation });
    }
  }

  #mustWait(): boolean {
    const now = performance.now();
    const { startAt, nextStart } = schedule(this.#nextStart, now, this.#perSecond ?? Infinity);
    if (startAt <= now) {
      this.#nextStart = nextStart;
      return false;
    }
    this.#wakeAfter(startAt - now);
    return true;
  }

  #wakeAfter(ms: number): void {
    if (this.#waking) return;
    this.#waking = true;
    setTimeout(() => {
      this.#waking = false;
      this.#admit();
    }, ms);
  }
}

/** Behind all of its own turn, and of those before it. */
function insert(queue: Waiting[], waiting: Waiting): void {
  const index = queue.findLastIndex(({ turn }) => turn.number <= waiting.turn.number);
  queue.splice(index + 1, 0, waiting);
}

/** Of what was begun first, and at the end of all work of what got least far. */
function takeNext(queue: Waiting[]): Waiting {
  const calls = isEnding() ? queue.map(({ turn }) => turn.calls) : [0];
  const [next] = queue.splice(calls.indexOf(Math.min(...calls)), 1);
  if (next === undefined) throw new TypeError("nobody waits");
  return next;
}

/**
 * How many calls may be under way: halved when the service answers 429, grown by one after as many successes in a row as
 * calls are allowed. Pure; gate.ts applies it.
 */
interface Throttle {
  readonly ceiling: number;
  readonly limit: number;
  /** Successes since the limit changed. */
  readonly streak: number;
  /** Counts the halvings. */
  readonly generation: number;
}

export const openThrottle = (ceiling: number): Throttle => ({ ceiling, limit: ceiling, streak: 0, generation: 0 });

/** A burst of calls that started together is refused together: only the first refusal of a generation halves. */
export function afterRefusal(throttle: Throttle, startedIn: number): Throttle {
  if (startedIn < throttle.generation) return throttle;
  const limit = Math.max(1, Math.floor(throttle.limit / 2));
  return { ...throttle, limit, streak: 0, generation: throttle.generation + 1 };
}

export function afterSuccess(throttle: Throttle): Throttle {
  if (throttle.limit >= throttle.ceiling) return throttle;
  const streak = throttle.streak + 1;
  if (streak < throttle.limit) return { ...throttle, streak };
  return { ...throttle, limit: throttle.limit + 1, streak: 0 };
}

/** When a call may start and when the one after it, with starts evenly spaced. */
export function schedule(nextStart: number, now: number, perSecond: number): { startAt: number; nextStart: number } {
  const startAt = Math.max(nextStart, now);
  return { startAt, nextStart: startAt + 1000 / perSecond };
}

/**
 * Whose call it is. Of calls that wait, those of what was begun first go first: work is carried through to its end. Taken in the
 * order they come, the calls of all that is under way keep in step, and all of it waits at once for a look that it shares.
 * Towards the end of a run, when nothing more takes the place of what has ended, those go first that have got least far:
 * otherwise the last few would be left to themselves, one call after another, beside places that nobody takes.
 */

/** One piece of work. */
interface Turn {
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
function isEnding(): boolean {
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
