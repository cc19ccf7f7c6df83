/** The gate that every attempt goes through: concurrency, pace and pauses, for all calls of a client together. */
import { isEnding, takeTurn, type Turn } from "./turns.ts";
import { afterRefusal, afterSuccess, openThrottle, schedule, type Throttle } from "./throttle.ts";

/** Handed out for one attempt, handed back when it has ended. */
export interface Permit {
  readonly generation: number;
}

export type AttemptEnd = "succeeded" | "throttled" | "failed";

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
