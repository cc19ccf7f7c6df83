/**
 * Files that a run keeps beside a state. Only their owner may read them, and none is a link. Otherwise somebody who can put a link into a project could
 * make Landform read or change any file of the machine or the CI job.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Windows has no such flag; the look before serves there. */
const NO_LINK = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

export class OwnedFileError extends Error {
  override readonly name: string = "OwnedFileError";
}

export class LinkedFileError extends OwnedFileError {
  override readonly name = "LinkedFileError";

  constructor(path: string) {
    super(
      `${path} is a symbolic link, and what a run records is never read or written through one. Put the file or folder itself there, or take the link away.`,
    );
  }
}

/** The disk is full, or nothing may be written there. */
export class UnwrittenFileError extends OwnedFileError {
  override readonly name = "UnwrittenFileError";

  constructor(path: string, cause: Error) {
    super(
      `${path} can't be written: ${cause.message}. Make room there, or see to it that this user may write, and run again: the next run finds what was done, and does not make it twice.`,
      { cause },
    );
  }
}

/** Refuses links in the place of the file and of the folders that are ours. The file stands `depth` folders below one that is the user's. */
export function refuseLinks(path: string, depth = 1): void {
  let place = path;
  for (let left = depth; left >= 0; left--, place = dirname(place)) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw new LinkedFileError(place);
  }
}

export function isThere(path: string, depth?: number): boolean {
  refuseLinks(path, depth);
  return existsSync(path);
}

/** With `durably`, the text is on the disk when this returns. */
export function append(
  path: string,
  content: string | Uint8Array,
  options: { depth?: number; durably?: true } = {},
): void {
  const file = openToAppend(path, options.depth);
  try {
    written(path, () => {
      addWhole(file, content);
      if (options.durably) fdatasyncSync(file);
    });
  } finally {
    closeSync(file);
  }
}

/** Appends a text, so that a caller who waits for it can rely on it. */
export async function appendDurably(path: string, text: string, depth?: number): Promise<void> {
  const file = openToAppend(path, depth);
  try {
    written(path, () => addWhole(file, text));
    await promisify(fdatasync)(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes of one process. Those who come while one is under way share the next one. */
export class Flushes {
  readonly #flush: () => Promise<void>;
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Resolves when a flush that begins after this call has ended. */
  next(): Promise<void> {
    this.#next ??= this.#last
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#flush();
      });
    this.#last = this.#next;
    return this.#next;
  }
}

/** Puts a line break before the line, too, so that a line that a kill or a full disk broke off spoils no other. */
export function lineOf(value: object): string {
  return `\n${JSON.stringify(value)}\n`;
}

/** Errors of the system come through as they are. */
export function write(path: string, content: string): void {
  refuseLinks(path, 0);
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_LINK, FILE_MODE);
  try {
    fchmodSync(file, FILE_MODE);
    addWhole(file, content);
  } finally {
    closeSync(file);
  }
}

function openToAppend(path: string, depth?: number): number {
  refuseLinks(path, depth);
  return written(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_LINK, FILE_MODE);
    // Somebody who copied the project may have left it open to others.
    fchmodSync(file, FILE_MODE);
    return file;
  });
}

/** A disk that is nearly full takes a part, and tells of it by the number of bytes alone. */
function addWhole(file: number, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

function written<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw new UnwrittenFileError(path, error);
    throw error;
  }
}
