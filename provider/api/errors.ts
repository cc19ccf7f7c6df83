/**
 * The errors of the client: one class a cause. A message names the method and the path, never the query, the body or the key. After a failed
 * write, `outcome` tells what may have happened. "refused": the service certainly did nothing (its own JSON 4xx, a 429, no connection), or
 * the call only reads. "unknown": the answer was lost or unreadable, came too late, or was a 5xx.
 */
export type Outcome = "refused" | "unknown";

export interface ErrorDetails {
  /** Absent when the fault was found before a call was made. */
  readonly method?: string;
  /** Path below the base URL, without the query. */
  readonly path?: string;
  readonly status?: number;
  readonly code?: string;
  /** The event: a clause without a full stop. */
  readonly what: string;
  /** The next step for the reader: a sentence. */
  readonly remedy: string;
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override name = "ApiError";
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly remedy: string;
  readonly outcome: Outcome;
  /** The message without the remedy, for errors that have one of their own. */
  readonly brief: string;

  constructor(details: ErrorDetails) {
    const { method, path = "", what, remedy, cause } = details;
    const brief = `${method === undefined ? "" : `${method} ${path}: `}${what}`;
    super(`${brief}. ${remedy}`, cause === undefined ? undefined : { cause });
    this.brief = brief;
    this.method = method;
    this.path = details.path;
    this.status = details.status;
    this.code = details.code;
    this.remedy = remedy;
    this.outcome = details.outcome;
  }
}

/** 401: the key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
}

/** 403: the key lacks a scope, or the call comes from an address outside the key's list. */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}

/** The service's own JSON error for something that does not exist. Never an HTML page, an empty list or a failed call. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409, such as `project_in_use`. */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** Any other 4xx with the service's JSON error. */
export class InvalidRequestError extends ApiError {
  override name = "InvalidRequestError";
}

/** An id that cannot be put into a path without changing which resource the path names. Nothing was sent. */
export class PathError extends ApiError {
  override name = "PathError";
}

/** The account's plan does not include the operation. */
export class PlanRequiredError extends ApiError {
  override name = "PlanRequiredError";
}

/** 429, when the time of the call is used up, or the wait would use it up. */
export class RateLimitedError extends ApiError {
  override name = "RateLimitedError";
  /** How long the service asked to wait, when it said so. */
  readonly retryAfterMs: number | undefined;

  constructor(details: ErrorDetails & { readonly retryAfterMs?: number }) {
    super(details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** 5xx. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

/** A 3xx: never followed, since the key would go along. */
export class RedirectError extends ApiError {
  override name = "RedirectError";
}

/** The connection could not be made, or was lost before the whole answer had come. */
export class NetworkError extends ApiError {
  override name = "NetworkError";
}

/** The call, with its retries and its answer's body, took longer than it may. */
export class TimeoutError extends ApiError {
  override name = "TimeoutError";
}

/** The answer is no JSON, or not of the shape that the specification promises. */
export class MalformedResponseError extends ApiError {
  override name = "MalformedResponseError";
  /** The place in the record where the answer departs from its shape, such as `[3].name`; empty for the answer as a whole. */
  readonly at: string;

  constructor(details: ErrorDetails & { readonly at?: string }) {
    super(details);
    this.at = details.at ?? "";
  }
}

/** A list that can't be read to its end: its pages repeat, or there is always another one. */
export class EndlessListError extends ApiError {
  override name = "EndlessListError";
}

/** The answer is larger than the client is willing to hold. */
export class ResponseTooLargeError extends ApiError {
  override name = "ResponseTooLargeError";
}

/** The service does not offer an operation whose path the specification leaves open. */
export class MissingOperationError extends ApiError {
  override name = "MissingOperationError";
}

/** The service answered with success, but also said that it did not do the write. */
export class NotDoneError extends ApiError {
  override name = "NotDoneError";
}

/** The process may only read, and the call would have changed something. */
export class ReadOnlyError extends ApiError {
  override name = "ReadOnlyError";
}

/** A setting is missing or wrong. Nothing was sent. */
export class ConfigurationError extends ApiError {
  override name = "ConfigurationError";
  readonly setting: string;

  constructor(setting: string, what: string, remedy: string) {
    super({ what: `${setting} ${what}`, remedy, outcome: "refused" });
    this.setting = setting;
  }
}
