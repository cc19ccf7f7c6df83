/**
 * Several files written as one: each is complete under a name of its own before the first takes its place, so that a
 * full disk or a kill leaves the old ones. A file that somebody has changed meanwhile is not overwritten.
 */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const MARK = "\uFEFF";

interface Due {
  readonly name: string;
  /** Where it really is: a link stays a link. */
  readonly path: string;
  readonly temporary: string;
}

/** Names of the files that have changed. `base` holds texts as they were read, before what is written came of them. */
export function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  base: ReadonlyMap<string, string>,
): string[] {
  mkdirSync(folder, { recursive: true });
  const due: Due[] = [];
  try {
    for (const [name, text] of files) {
      const path = realPath(join(folder, name));
      const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
      refuseChanged(name, before, base.get(name));
      // A byte order mark is no part of the text, and of the file it is.
      const whole = before?.startsWith(MARK) && !text.startsWith(MARK) ? MARK + text : text;
      if (before === whole) continue;
      due.push({ name, path, temporary: prepare(path, whole) });
    }
    for (const { path, temporary } of due) renameSync(temporary, path);
  } finally {
    for (const { temporary } of due) rmSync(temporary, { force: true });
  }
  return due.map(({ name }) => name);
}

function prepare(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${randomUUID()}.landform`);
  try {
    writeFileSync(temporary, text);
    if (existsSync(path)) chmodSync(temporary, statSync(path).mode);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return temporary;
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function refuseChanged(name: string, now: string | undefined, read: string | undefined): void {
  if (read === undefined || now === read || now === MARK + read) return;
  throw new ExportError(`${name} was changed by somebody else meanwhile. Nothing was written: run it again.`);
}

/** An export, or a comparison, that can't be done as things are. The message says what to do. */
export class ExportError extends Error {
  override readonly name = "ExportError";
}
