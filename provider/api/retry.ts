/**
 * Decides if a failed attempt is made again, and after how long. Pure: the caller hands in time and chance.
 *
 * undici's own retry interceptor does not serve: it resumes bodies with Range, caps Retry-After, has no jitter and never retries PATCH.
 */
import type { Effect } from "./operations.ts";

/** The trouble with one attempt, as far as a repetition is concerned. */
export type Trouble =
  /** No connection was made: the service has seen nothing. */
  | { readonly kind: "unsent" }
  /** The request was sent, but no readable answer has come. */
  | { readonly kind: "lost" }
  /** Answered with an error status. */
  | { readonly kind: "status"; readonly status: number; readonly retryAfterMs?: number }
  /** No repetition would help. */
  | { readonly kind: "final" };

export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly effect: Effect;
  /** The time that is left of the call's deadline. */
  readonly remainingMs: number;
}

export type Decision =
  { readonly action: "wait"; readonly delayMs: number; readonly cost: number } | { readonly action: "give-up" };

/** Shared by all calls of a client: repetitions must stay a small part of the traffic when a service is in trouble. */
export interface RetryBudget {
  readonly tokens: number;
}

const capacity = 100;
const refundPerSuccess = 0.5;
const maxAttempts = 6;
/** A 429 costs no budget (the throttle slows all calls down instead) and is worth more patience. */
const maxThrottledAttempts = 12;
const firstDelayMs = 200;
const maxDelayMs = 5_000;

export const fullBudget: RetryBudget = { tokens: capacity };

export const spend = (budget: RetryBudget, cost: number): RetryBudget => ({ tokens: budget.tokens - cost });

export const refund = (budget: RetryBudget): RetryBudget =>
  budget.tokens >= capacity ? budget : { tokens: Math.min(capacity, budget.tokens + refundPerSuccess) };

export function decide(attempt: Attempt, trouble: Trouble, budget: RetryBudget, random: () => number): Decision {
  if (!mayRepeat(attempt.effect, trouble)) return { action: "give-up" };
  const throttled = isThrottling(trouble);
  const cost = throttled ? 0 : 1;
  if (attempt.number >= (throttled ? maxThrottledAttempts : maxAttempts)) return { action: "give-up" };
  if (budget.tokens < cost) return { action: "give-up" };
  const delayMs = delay(attempt.number, trouble, random);
  return delayMs < attempt.remainingMs ? { action: "wait", delayMs, cost } : { action: "give-up" };
}

export const isThrottling = (trouble: Trouble): boolean => trouble.kind === "status" && trouble.status === 429;

/** Retry-After in milliseconds: seconds or an HTTP date. Undefined when absent or unreadable. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function mayRepeat(effect: Effect, trouble: Trouble): boolean {
  switch (trouble.kind) {
    case "final":
      return false;
    case "unsent":
      return true;
    case "lost":
      return effect !== "create";
    case "status":
      return trouble.status === 429 || (trouble.status >= 500 && effect !== "create");
  }
}

/** Full jitter. A little of it comes on top of Retry-After, so that calls that were told the same time don't come at once. */
function delay(attempt: number, trouble: Trouble, random: () => number): number {
  const asked = trouble.kind === "status" ? trouble.retryAfterMs : undefined;
  if (asked !== undefined) return asked + random() * firstDelayMs;
  return random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
}
