/**
 * Time without waiting: if only waits are left, the clock goes on to the next moment that somebody waits for. All waits of provider and emulator go
 * through these functions, so neither knows, and a minute is a minute for both. A test file that imports this mocks `node:timers/promises` with
 * `sleep`.
 */
const realNow = performance.now.bind(performance);
const realDate = Date.now;

/** The skipped waits, in total. */
let skippedMs = 0;
const now = (): number => realNow() + skippedMs;

performance.now = now;
Date.now = () => realDate() + Math.floor(skippedMs);

/** A timer this long guards a call: an answer may be on its way. */
const GUARD_MS = 4_000;
/** After so many turns of the event loop without news from a connection, only waits are left. */
const QUIET_TURNS = 4;
/** The milliseconds without news while an answer may be on its way. The kernel delivers at once. */
const QUIET_MS = 3;

class Timer {
  #at = 0;
  #ref = true;
  readonly #ms: number;
  readonly #work: () => void;
  readonly #isSleep: boolean;

  constructor(work: () => void, ms: number, isSleep: boolean) {
    this.#work = work;
    this.#ms = ms;
    this.#isSleep = isSleep;
    this.refresh();
  }

  get at(): number {
    return this.#at;
  }

  get isGuard(): boolean {
    return !this.#isSleep && this.#ref && this.#ms >= GUARD_MS;
  }

  fire(): void {
    this.close();
    this.#work();
  }

  refresh(): this {
    this.#at = now() + this.#ms;
    waiting.add(this);
    watch();
    return this;
  }

  close(): this {
    waiting.delete(this);
    return this;
  }

  ref(): this {
    this.#ref = true;
    return this;
  }

  unref(): this {
    this.#ref = false;
    return this;
  }

  hasRef(): boolean {
    return this.#ref;
  }
}

const waiting = new Set<Timer>();
const { clearTimeout: clearRealTimeout } = globalThis;

globalThis.setTimeout = ((work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
  new Timer(() => work(...args), ms, false)) as unknown as typeof setTimeout;
globalThis.clearTimeout = (timer: unknown) => {
  if (timer instanceof Timer) timer.close();
  else clearRealTimeout(timer as NodeJS.Timeout);
};

/** Replaces `setTimeout` of `node:timers/promises`. */
export const sleep = <Value>(ms: number, value: Value, { ref = true }: { ref?: boolean } = {}): Promise<Value> =>
  new Promise((resolve) => {
    const timer = new Timer(() => resolve(value), ms, true);
    if (!ref) timer.unref();
  });

let watching = false;

/** Turns the event loop until nobody waits any more. */
function watch(): void {
  if (watching) return;
  watching = true;
  let seen = news();
  let quietTurns = 0;
  let quietSince = realNow();
  const turn = (): void => {
    if (waiting.size === 0) {
      watching = false;
      return;
    }
    setImmediate(turn);
    if (news() !== seen) {
      seen = news();
      quietTurns = 0;
      quietSince = realNow();
      return;
    }
    const all = [...waiting];
    const next = all.reduce((first, timer) => (timer.at < first.at ? timer : first));
    const isQuiet =
      ++quietTurns >= QUIET_TURNS && (!all.some(({ isGuard }) => isGuard) || realNow() - quietSince >= QUIET_MS);
    if (next.at > now()) {
      if (!isQuiet) return;
      skippedMs += next.at - now();
    }
    quietTurns = 0;
    next.fire();
  };
  setImmediate(turn);
}

/** Returns the number of events on connections. */
function news(): number {
  return performance.nodeTiming.uvMetricsInfo.events;
}
