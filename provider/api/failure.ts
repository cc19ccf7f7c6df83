/** Turns an exchange into a JSON value or a failure as plain data, and tells what the retry rules make of it. */
import type { Answer, Exchange } from "./client.ts";
import { parseWellFormed } from "./wire.ts";
import type { Effect, Method } from "./operations.ts";

export type Failure =
  | Exclude<Exchange, Answer>
  | { readonly kind: "redirect"; readonly status: number; readonly location: string | undefined }
  /** A body that is no JSON, or an error status whose JSON is not the service's. */
  | { readonly kind: "garbled"; readonly status: number; readonly looksLike: string }
  /** An answer with an error status: the service's own JSON error, or any body where the status alone says enough. */
  | Refusal;

export interface Refusal {
  readonly kind: "refusal";
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly retryAfterMs: number | undefined;
}

export type Reading =
  | { readonly ok: true; readonly status: number; readonly value: unknown }
  | { readonly ok: false; readonly failure: Failure };

export function readExchange(exchange: Exchange, method: Method, now: number): Reading {
  if (exchange.kind !== "answer") return { ok: false, failure: exchange };
  if (exchange.status >= 200 && exchange.status < 300) return readSuccess(exchange, method);
  return { ok: false, failure: readRefusal(exchange, now) };
}

/** Tells if a write may have been committed in spite of the failure. */
export function mayHaveReached(failure: Failure): boolean {
  if (failure.kind === "timeout") return failure.sent;
  return failure.kind === "refusal" ? failure.status >= 500 : failure.kind !== "unsent";
}

/** Tells if the service knows no such operation. If the error's code names the missing kind of object, the service knows it. */
export function isUnknownRoute(failure: Failure, kinds: readonly string[]): boolean {
  if (failure.kind !== "refusal" && failure.kind !== "garbled") return false;
  const code = failure.kind === "refusal" ? (failure.code?.toLowerCase() ?? "") : "";
  return [404, 405, 501].includes(failure.status) && !kinds.some((kind) => code.includes(kind));
}

/** A delete may be answered without a body. That says nothing about the object, not even with a 204, since a proxy can answer so, too. */
function readSuccess({ status, headers, body }: Answer, method: Method): Reading {
  if (body === "" && method === "DELETE") return { ok: true, status, value: {} };
  const parsed = parseJson(body);
  if (parsed !== undefined) return { ok: true, status, value: parsed.value };
  return { ok: false, failure: { kind: "garbled", status, looksLike: describeBody(headers, body) } };
}

function readRefusal({ status, headers, body }: Answer, now: number): Failure {
  if (status < 400) return { kind: "redirect", status, location: first(headers.location) };
  const error = parseServiceError(body);
  const speaksForItself = status === 429 || status >= 500 || ([401, 403].includes(status) && body === "");
  if (error === undefined && !speaksForItself) {
    return { kind: "garbled", status, looksLike: describeBody(headers, body) };
  }
  const retryAfterMs = parseRetryAfter(first(headers["retry-after"]), now);
  return { kind: "refusal", status, code: error?.code, message: error?.message, retryAfterMs };
}

function parseServiceError(body: string): { code: string; message: string | undefined } | undefined {
  const { error, message } = Object(parseJson(body)?.value) as { error?: unknown; message?: unknown };
  if (typeof error !== "string" || error === "") return undefined;
  return { code: error, message: typeof message === "string" ? message : undefined };
}

function parseJson(body: string): { value: unknown } | undefined {
  try {
    return { value: parseWellFormed(body) };
  } catch {
    return undefined;
  }
}

function describeBody(headers: Answer["headers"], body: string): string {
  const start = body.trimStart();
  if (start === "") return "nothing at all";
  if (/^<(!doctype|html|head|body|\?xml|!--)/i.test(start) || first(headers["content-type"])?.includes("text/html")) {
    return "an HTML page";
  }
  return /^[[{]/.test(start) ? "JSON that is incomplete or not the service's own error" : "text that is no JSON";
}

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

// Decides if a failed attempt is made again, and after how long. undici's own retry interceptor does not serve: it resumes bodies with Range,
// caps Retry-After, has no jitter and never retries PATCH.

interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly effect: Effect;
  /** The time that is left of the call's deadline. */
  readonly remainingMs: number;
  /** The client's budget for repetitions. */
  readonly budget: number;
}

/** Shared by all calls of a client: repetitions must stay a small part of the traffic when a service is in trouble. */
export const fullBudget = 100;
const refundPerSuccess = 0.5;
const maxAttempts = 6;
/** A 429 costs no budget (the throttle slows all calls down instead) and is worth more patience. */
const maxThrottledAttempts = 12;
const firstDelayMs = 200;
const maxDelayMs = 5_000;

export const refunded = (budget: number): number => Math.min(fullBudget, budget + refundPerSuccess);

/** Returns the wait before the next attempt, and its cost; undefined if there is to be none. */
export function repetition(
  { number, effect, remainingMs, budget }: Attempt,
  failure: Failure,
): { readonly delayMs: number; readonly cost: number } | undefined {
  const [cost, most] = isThrottling(failure) ? [0, maxThrottledAttempts] : [1, maxAttempts];
  if (!mayRepeat(effect, failure) || number >= most || budget < cost) return undefined;
  const delayMs = delay(number, failure);
  return delayMs < remainingMs ? { delayMs, cost } : undefined;
}

export const isThrottling = (failure: Failure): boolean => failure.kind === "refusal" && failure.status === 429;

/** Retry-After in milliseconds: seconds or an HTTP date. Undefined when absent or unreadable. */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function mayRepeat(effect: Effect, failure: Failure): boolean {
  if (failure.kind === "unsent" || isThrottling(failure)) return true;
  return effect !== "create" && isPassing(failure);
}

/** Tells if the same request may get an answer next time. */
function isPassing(failure: Failure): boolean {
  if (failure.kind === "garbled") return failure.status < 300;
  return failure.kind === "lost" || (failure.kind === "refusal" && failure.status >= 500);
}

/** Full jitter. A little of it comes on top of Retry-After, so that calls that were told the same time don't come at once. */
function delay(attempt: number, failure: Failure): number {
  const asked = failure.kind === "refusal" ? failure.retryAfterMs : undefined;
  if (asked !== undefined) return asked + Math.random() * firstDelayMs;
  return Math.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
}
