/**
 * Files that a run keeps beside a state: their owner's alone, and no link leads to another file. Whoever can put a link into a
 * project could have any file of the machine or the CI job read, or lines added to it.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fdatasync,
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

export class LinkedFileError extends Error {
  override readonly name = "LinkedFileError";

  constructor(path: string) {
    super(
      `${path} is a symbolic link, and what a run records is never read or written through one. Put the file or folder itself there, or take the link away.`,
    );
  }
}

/** The file and the folders that are ours: it stands `depth` folders below one that is the user's. */
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

/** A descriptor to add lines by, which the caller closes. */
export function openToAppend(path: string, depth?: number): number {
  refuseLinks(path, depth);
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_LINK, FILE_MODE);
  // An older version, or whoever copied the project, may have left it open to others.
  fchmodSync(file, FILE_MODE);
  return file;
}

/** Whoever waits for it can rely on it. */
export async function appendDurably(path: string, text: string, depth?: number): Promise<void> {
  const file = openToAppend(path, depth);
  try {
    writeSync(file, text);
    await promisify(fdatasync)(file);
  } finally {
    closeSync(file);
  }
}
