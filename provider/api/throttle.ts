/**
 * How many calls may be under way: halved when the service answers 429, grown by one after as many successes in a row as
 * calls are allowed. Pure; gate.ts applies it.
 */
export interface Throttle {
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
