import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { UnwrittenFileError } from "./errors.ts";

/** File operations whose results survive a crash. Only the owner can read the files: a state names everything that a team has. */

export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Node's own recursive mkdir says ENOENT on a read-only disk. It never ends if a place like /proc wrongly reports a missing parent. */
export async function makeFolder(folder: string): Promise<void> {
  let error = await tryFolder(folder);
  if (isMissing(error)) {
    // If the folder above is there by now, another process has just made it.
    if (!existsSync(dirname(folder))) await makeFolder(dirname(folder));
    error = await tryFolder(folder);
  }
  if (error) throw new UnwrittenFileError(folder, error);
}

/** Returns the reason why there is no such folder now; undefined if there is one. */
async function tryFolder(folder: string): Promise<Error | undefined> {
  try {
    await mkdir(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (!("code" in error && error.code === "EEXIST")) return error;
  }
  return undefined;
}

/** Adds the file's name to the system's error, because the errors of a handle lack it. */
export async function written<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error) || isMissing(error)) throw error;
    throw new UnwrittenFileError(file, error);
  }
}

/** Resolves with undefined if the file or folder of the work is missing. */
export async function ifThere<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function readIfThere(file: string): Promise<Buffer | undefined> {
  return ifThere(readFile(file));
}

export async function namesIn(folder: string): Promise<string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}

type Content = Uint8Array | string | readonly Uint8Array[];

/** Writes atomically: readers see the old content or the new one, never a part. */
export async function writeAtomic(file: string, content: Content, mode = FILE_MODE): Promise<void> {
  await makeFolder(dirname(file));
  await written(file, () => takePlace(file, (temporary) => writeDurably(temporary, content, mode)));
  await syncFolder(dirname(file));
}

export async function copyIfThere(from: string, to: string): Promise<void> {
  const copy = async (temporary: string): Promise<void> => {
    await copyFile(from, temporary);
    await chmod(temporary, FILE_MODE);
  };
  await ifThere(written(to, () => takePlace(to, copy)));
}

export async function findLink(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await ifThere(lstat(path)))?.isSymbolicLink() === true) return path;
  return undefined;
}

export async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true });
  await forgetAttributes(file);
}

/** Makes created, renamed and removed names of a folder durable. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Writes a file that is whole from its first moment. It begins in the folder above: Pulumi takes every file in a folder of locks for a lock. */
export async function writeNew(file: string, content: string): Promise<void> {
  const above = dirname(dirname(file));
  await makeFolder(dirname(file));
  await written(file, () => takePlace(file, (temporary) => writeDurably(temporary, content), above));
}

/** Writes beside the file and renames. This replaces the old file, or a link, and doesn't follow the link. */
async function takePlace(
  file: string,
  write: (temporary: string) => Promise<void>,
  folder = dirname(file),
): Promise<void> {
  const temporary = join(folder, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await write(temporary);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await forgetAttributes(file);
}

async function writeDurably(file: string, content: Content, mode = FILE_MODE): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes the MD5 that Pulumi's file store keeps beside a file: it would contradict our content, and Pulumi needs none. */
async function forgetAttributes(file: string): Promise<void> {
  await rm(`${file}.attrs`, { force: true });
}

/**
 * Removes an empty attributes file. Pulumi writes it after the file and reads it first. A killed run can leave it empty, and Pulumi then refuses the
 * whole state with "failed to load checkpoint: EOF" (3.245). If the folder is read-only, Pulumi reports it.
 */
export async function forgetTornAttributes(file: string): Promise<void> {
  const attributes = await readIfThere(`${file}.attrs`);
  if (attributes === undefined || isJson(attributes)) return;
  await forgetAttributes(file).catch((error: unknown) => {
    if (!READ_ONLY.has((error as NodeJS.ErrnoException).code)) throw error;
  });
}

const READ_ONLY = new Set<string | undefined>(["EACCES", "EPERM", "EROFS"]);

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
