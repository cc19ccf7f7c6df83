import { randomBytes } from "node:crypto";
import { copyFile, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Small file operations whose results survive a crash of the process or of the machine. */

export async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Readers see the old content or the new one, never a part. */
export async function writeAtomic(file: string, content: Uint8Array | string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeDurably(temporary, content);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await forgetAttributes(file);
  await syncFolder(folder);
}

/** Copies where the source exists. */
export async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await forgetAttributes(to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
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

async function writeDurably(file: string, content: Uint8Array | string): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Pulumi's file store keeps an MD5 of each file beside it, which our content would contradict; it needs none. */
async function forgetAttributes(file: string): Promise<void> {
  await rm(`${file}.attrs`, { force: true });
}
