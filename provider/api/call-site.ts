import type { ErrorDetails, Outcome } from "./errors.ts";
import type { Effect, Method } from "./operations.ts";

/** The call that failed, as far as messages need it. */
export interface CallSite {
  readonly method: Method;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly effect: Effect;
  /** It asks for several records: none of them is an empty list, and no failure. */
  readonly lists: boolean;
  readonly scopes: readonly string[];
  readonly origin: string;
  /** The variable that holds the key. */
  readonly keyVariable: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly attempts: number;
  /** Over all attempts. */
  readonly outcome: Outcome;
}

/** Builds the details that all errors share. */
export type Describe = (what: string, remedy: string, more?: Partial<ErrorDetails>) => ErrorDetails;
