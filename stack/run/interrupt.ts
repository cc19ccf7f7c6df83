/** Ctrl-C: once to stop in good order, twice to stop at once. A CI's SIGTERM counts like the first. */
import { exitCodes } from "../exit/codes.ts";

export class Interruption {
  readonly #cancel = new AbortController();
  readonly #terminate = new AbortController();
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
    process.on("SIGINT", this.#onSignal);
    process.on("SIGTERM", this.#onSignal);
  }

  get cancel(): AbortSignal {
    return this.#cancel.signal;
  }

  get terminate(): AbortSignal {
    return this.#terminate.signal;
  }

  close(): void {
    process.off("SIGINT", this.#onSignal);
    process.off("SIGTERM", this.#onSignal);
  }

  readonly #onSignal = (): void => {
    if (this.#terminate.signal.aborted) process.exit(exitCodes.failed);
    if (this.#cancel.signal.aborted) {
      this.#tell("Stopping at once: what was under way is recorded as unfinished,\nand the next run looks into it.");
      this.#terminate.abort();
      return;
    }
    this.#tell("Stopping: nothing new is begun; what is under way ends and is saved.\nCtrl-C again stops at once.");
    this.#cancel.abort();
  };
}
