/** The gate that every attempt goes through: concurrency, pace and pauses, for all calls of a client together. */
import { AsyncLocalStorage } from "node:async_hooks";

/** A gate hands it out for one attempt, and takes it back at the attempt's end. */
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

  /** Repeated attempts go first, since their deadline is running already. Equal attempts go by their turns. */
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

  /** Lets nobody in for this long. */
  pause(ms: number): void {
    this.#nextStart = Math.max(this.#nextStart, performance.now() + ms);
  }

  #admit(): void {
    while (this.#underWay < this.#throttle.limit) {
      const queue = this.#repeated.length > 0 ? this.#repeated : this.#fresh;
      if (queue.length === 0 || this.#mustWait()) return;
      this.#underWay++;
      queue.shift()?.admit({ generation: this.#throttle.generation });
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

/** Puts an attempt behind all attempts of its own turn and of earlier turns. */
function insert(queue: Waiting[], waiting: Waiting): void {
  const index = queue.findLastIndex(({ turn }) => turn.number <= waiting.turn.number);
  queue.splice(index + 1, 0, waiting);
}

/** The number of calls that may be under way: it halves at a 429, and grows by one after as many successes in a row. Pure. */
interface Throttle {
  readonly ceiling: number;
  readonly limit: number;
  /** Successes since the limit changed. */
  readonly streak: number;
  /** Counts the halvings. */
  readonly generation: number;
}

const openThrottle = (ceiling: number): Throttle => ({ ceiling, limit: ceiling, streak: 0, generation: 0 });

/** Calls that start together are refused together, so only the first refusal of a generation halves the limit. */
function afterRefusal(throttle: Throttle, startedIn: number): Throttle {
  if (startedIn < throttle.generation) return throttle;
  const limit = Math.max(1, Math.floor(throttle.limit / 2));
  return { ...throttle, limit, streak: 0, generation: throttle.generation + 1 };
}

function afterSuccess(throttle: Throttle): Throttle {
  if (throttle.limit >= throttle.ceiling) return throttle;
  const streak = throttle.streak + 1;
  if (streak < throttle.limit) return { ...throttle, streak };
  return { ...throttle, limit: throttle.limit + 1, streak: 0 };
}

/** Returns when a call may start, and when the next one may, with starts evenly spaced. */
export function schedule(nextStart: number, now: number, perSecond: number): { startAt: number; nextStart: number } {
  const startAt = Math.max(nextStart, now);
  return { startAt, nextStart: startAt + 1000 / perSecond };
}

/**
 * The turn says to which work a call belongs. Among waiting calls, those of the oldest work go first, so that work is carried through to
 * its end. In the order of arrival, all work would keep in step, and all of it would wait at once for a look that it shares.
 */

interface Turn {
  /** The order of beginning. */
  readonly number: number;
  /** True once it has asked for a call. Work that asks for none takes nobody's place. */
  isUnderWay: boolean;
}

const turns = new AsyncLocalStorage<Turn>();
let begun = 0;
let current = 0;

/** Runs `work` as one piece of work that begins now: all its calls belong to it. */
export async function inOneTurn<T>(work: () => T | Promise<T>): Promise<T> {
  begun += 1;
  const turn = { number: begun, isUnderWay: false };
  try {
    return await turns.run(turn, work);
  } finally {
    if (turn.isUnderWay) current -= 1;
  }
}

/** Returns how many pieces of work have asked for a call and not ended. */
export function underWay(): number {
  return current;
}

/** Returns the turn of the work that asks for a call now. Calls that belong to no work go first. */
function takeTurn(): Turn {
  const turn = turns.getStore() ?? { number: 0, isUnderWay: true };
  if (!turn.isUnderWay) {
    turn.isUnderWay = true;
    current += 1;
  }
  return turn;
}
