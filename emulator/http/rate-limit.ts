import { Refusal } from "./errors.ts";

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket for every key, one second deep. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();

  admit(key: string, perSecond: number): void {
    if (perSecond === 0) return;
    const now = Date.now();
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: perSecond, at: now };
    const filled = Math.min(perSecond, tokens + ((now - at) / 1000) * perSecond);
    this.#buckets.set(key, { tokens: Math.max(0, filled - 1), at: now });
    if (filled >= 1) return;
    const message = `The key may make ${perSecond} calls a second. Try again after the seconds of Retry-After.`;
    throw new Refusal("rate_limited", message, { headers: { "Retry-After": "1" } });
  }
}
