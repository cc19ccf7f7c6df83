/**
 * Whether the place of the state still answers while Pulumi works. Pulumi writes the state after each step, tries each write for
 * more than a minute where nobody answers, and for ever where somebody takes it and says nothing; it tells none of it. So
 * whenever a run tells nothing for a while, the place is asked; one that doesn't answer several times in a row is gone.
 */
import { setTimeout as delay } from "node:timers/promises";

export interface WatchLimits {
  /** So long a run may tell nothing before the place is asked. */
  readonly quietMs: number;
  /** An answer that takes longer is none. */
  readonly answerMs: number;
  readonly pauseMs: number;
}

/** Somebody waits for the end of an interrupted run. */
const PATIENT: WatchLimits = { quietMs: 20_000, answerMs: 30_000, pauseMs: 10_000 };
const INTERRUPTED: WatchLimits = { quietMs: 5_000, answerMs: 10_000, pauseMs: 2_000 };

const FAILURES = 3;

export class PlaceWatch {
  /** Why, once it is gone. Never, where it answers or nobody watches any more. */
  readonly gone: Promise<string>;
  readonly #closed = new AbortController();
  readonly #ask: (answerMs: number) => Promise<unknown>;
  #limits: WatchLimits;
  #hurried = new AbortController();
  #heardAt = performance.now();

  /** `ask` fails where the place fails, and after its time. */
  constructor(ask: (answerMs: number) => Promise<unknown>, limits: WatchLimits = PATIENT) {
    this.#ask = ask;
    this.#limits = limits;
    this.gone = this.#watch();
  }

  /** The run has told something. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  hurry(limits: WatchLimits = INTERRUPTED): void {
    this.#limits = limits;
    const before = this.#hurried;
    this.#hurried = new AbortController();
    before.abort();
  }

  close(): void {
    this.#closed.abort();
    this.#hurried.abort();
  }

  async #watch(): Promise<string> {
    for (let failures = 0; ;) {
      if (failures === 0) await this.#quiet();
      const reason = this.#closed.signal.aborted ? undefined : await this.#failure();
      if (this.#closed.signal.aborted) return new Promise(() => undefined);
      failures = reason === undefined ? 0 : failures + 1;
      if (reason !== undefined && failures === FAILURES) return reason;
      if (reason === undefined) this.heard();
      else await this.#rest(this.#limits.pauseMs);
    }
  }

  async #quiet(): Promise<void> {
    for (;;) {
      const left = this.#heardAt + this.#limits.quietMs - performance.now();
      if (left <= 0 || this.#closed.signal.aborted) return;
      await this.#rest(left);
    }
  }

  async #failure(): Promise<string | undefined> {
    return this.#ask(this.#limits.answerMs).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }

  /** Ended early by a change of the limits. */
  async #rest(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#hurried.signal }).catch(() => undefined);
  }
}
