/**
 * A ledger as a file of the stack: one line a change. Lines are only ever added, since several processes may have the file open.
 * It stands beside the state where that is a folder, so that it goes wherever the state goes; elsewhere it is tags of the stack
 * (tag-store.ts), and under plain `pulumi up` a file in Pulumi's own folder of this machine.
 */
import { landform } from "../values/command-line.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Change, changed, type Kept, NOTHING_KEPT, type Store, type Unended } from "./ledger.ts";
import { append, appendDurably, Flushes, isThere, lineOf, OwnedFileError, UnwrittenFileError } from "./owned-files.ts";

const VERSION = 4;
const HEAD = { ledger: VERSION };

type Line = typeof HEAD | { readonly run: Unended | "ended" } | Change;

export class OldLedgerError extends OwnedFileError {
  override readonly name = "OldLedgerError";

  constructor(path: string) {
    super(
      `${path} is the ledger of another version of Landform, and this version can't read it. If no run of the stack was killed, delete the file. Otherwise first run ${landform("up")} with the version that wrote it.`,
    );
  }
}

export function ledgerFileIn(folder: string, stack: string): string {
  return join(folder, `${stack}.jsonl`);
}

/** `isTrusted`: the file goes where the state goes, and was there before this run. */
export class FileStore implements Store {
  readonly #path: string;
  readonly #isTrusted: boolean;
  #waiting: string[] = [];
  readonly #flushes = new Flushes(() => this.#flush());

  constructor(path: string, isTrusted = true) {
    this.#path = path;
    this.#isTrusted = isTrusted;
  }

  read(): Kept {
    if (!isThere(this.#path)) return NOTHING_KEPT;
    const lines = linesIn(readFileSync(this.#path, "utf8"));
    if (lines.some(isOfAnotherVersion)) throw new OldLedgerError(this.#path);
    const run = lines.findLast((line) => "run" in line)?.run;
    const entries = changed(
      [],
      lines.filter((line): line is Change => "key" in line),
    );
    return { entries, run: run === "ended" ? undefined : run, isThere: this.#isTrusted, isWhole: this.#isTrusted };
  }

  write(changes: readonly Change[]): Promise<void> {
    return this.#flushed(changes.map(lineOf));
  }

  #flushed(lines: readonly string[]): Promise<void> {
    this.#waiting.push(...lines);
    return this.#flushes.next();
  }

  note(changes: readonly Change[]): void {
    try {
      this.begin(changes);
    } catch (error) {
      // A plan finds out which entries are settled, and may run where nothing can be written.
      if (!(error instanceof UnwrittenFileError)) throw error;
    }
  }

  /** Begins a run, for a caller who has the whole state. The file shows a later run that this one kept the ledger. */
  begin(changes: readonly Change[]): void {
    append(this.#path, this.#text(changes.map(lineOf)));
  }

  mark(run: Unended | "ended"): Promise<void> {
    return this.#flushed([lineOf({ run })]);
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    await appendDurably(this.#path, this.#text(lines));
  }

  #text(lines: readonly string[]): string {
    return [...(isThere(this.#path) ? [] : [lineOf(HEAD)]), ...lines].join("");
  }
}

/** Records of version 1 had no head. */
function isOfAnotherVersion(line: Line): boolean {
  return "own" in line || ("ledger" in line && line.ledger !== VERSION);
}

/** A line that was broken off was not durable, and nobody relied on it. */
function linesIn(text: string): Line[] {
  return text.split("\n").flatMap((line): Line[] => {
    try {
      const parsed = JSON.parse(line) as Line | null;
      return typeof parsed === "object" && parsed !== null ? [parsed] : [];
    } catch {
      return [];
    }
  });
}
