/** Hears what happens. The command line has a terminal. A library tells nobody and asks nobody. */
import type { Activity } from "../report/collect.ts";
import { exitCodes } from "../exit/codes.ts";

export interface Teller {
  /** True if a person can be asked. */
  readonly interactive: boolean;
  readonly line: (text?: string) => void;
  /** Prints a line that says why the command fails. */
  readonly fault: (text: string) => void;
  readonly note: (text: string) => void;
  /** Prints a text at any time, without breaking live lines. */
  readonly aside: (text: string) => void;
  /** Shows live lines until its end. */
  progress(about: ProgressAbout): Progress;
}

export interface ProgressAbout {
  /** The steps to come, as far as they are known. */
  readonly total?: number | undefined;
  readonly redact: (text: string) => string;
  /** Tells nothing about single steps, because a plan follows that shows them all. */
  readonly quiet: boolean;
  /** True if a program runs. It may never end. */
  readonly program: boolean;
}

export interface Progress {
  add(activity: Activity): void;
  /** The engine has told anything at all. */
  heard(): void;
  end(): void;
}

const nothing = (): void => undefined;

export const SILENT: Teller = {
  interactive: false,
  line: nothing,
  fault: nothing,
  note: nothing,
  aside: nothing,
  progress: () => ({ add: nothing, heard: nothing, end: nothing }),
};

/** The last one comes when the terminal is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export class Interruption {
  readonly #cancel = new AbortController();
  readonly #terminate = new AbortController();
  readonly cancel: AbortSignal = this.#cancel.signal;
  readonly terminate: AbortSignal = this.#terminate.signal;
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  close(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (): void => {
    if (this.terminate.aborted) process.exit(exitCodes.failed);
    if (this.cancel.aborted) {
      this.#tell("Stopping at once: what was under way is recorded as unfinished,\nand the next run looks into it.");
      this.#terminate.abort();
      return;
    }
    this.#tell("Stopping: nothing new is begun; what is under way ends and is saved.\nCtrl-C again stops at once.");
    this.#cancel.abort();
  };
}
