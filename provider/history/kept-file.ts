/**
 * The file of a run, as the provider's host writes to it: a line an object. The command line writes to the same file, so
 * lines are only ever added, each with a line break before it, too: what a kill broke off spoils no other.
 */
import { appendDurably } from "../ledger/owned-files.ts";
import { seal } from "./sealing.ts";
import type { Keeper, Kept } from "./kept.ts";

/** `landform`, `history` in it, and the folder of the stack. */
export const OWN_FOLDERS = 3;

export class KeptFile implements Keeper {
  readonly #path: string;
  readonly #key: string;
  #waiting: string[] = [];
  /** The flush that lines added now will be part of. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string, key: string) {
    this.#path = path;
    this.#key = key;
  }

  /** Calls made while the disk is busy share the next flush. */
  keep(kept: Kept): Promise<void> {
    this.#waiting.push(lineOf({ kept: seal(this.#key, kept) }));
    this.#next ??= this.#last.catch(() => undefined).then(() => this.#flush());
    this.#last = this.#next;
    return this.#next;
  }

  async #flush(): Promise<void> {
    this.#next = undefined;
    const lines = this.#waiting;
    this.#waiting = [];
    await appendDurably(this.#path, lines.join(""), OWN_FOLDERS);
  }
}

export function lineOf(value: object): string {
  return `\n${JSON.stringify(value)}\n`;
}
