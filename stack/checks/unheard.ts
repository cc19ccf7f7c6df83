/** What a plan asks of the account, and gets no answer to: told once each, since the plan is silent about it then. */
import { ApiError, ForbiddenError, MissingOperationError } from "../../provider/api/index.ts";

export class Unheard {
  readonly #reasons = new Set<string>();

  /** For a `catch`. What the key may not ask is told with its scopes, what the service doesn't have with its paths. */
  readonly note = (error: unknown): undefined => {
    const isTold = error instanceof ForbiddenError || error instanceof MissingOperationError;
    if (error instanceof ApiError && !isTold) this.#reasons.add(error.message);
    return undefined;
  };

  warnings(): string[] {
    return [...this.#reasons].map((reason) => `not all of the plan could be checked: ${reason}`);
  }
}
