/** A folder as a place. */
import { reasonOf } from "../../provider/values/wording.ts";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, constants, link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { checkKey, DamagedError, PlaceError, type Place } from "./place.ts";

const ONLY_OWNER = 0o600;
const FOLDER_OF_OWNER = 0o700;

export class FolderPlace implements Place {
  readonly name: string;

  constructor(path: string) {
    this.name = path;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const file = this.#file(key);
    return await told(`read ${file}`, () => unlessMissing(() => readFile(file)));
  }

  async put(key: string, content: Uint8Array | string, { ifAbsent = false } = {}): Promise<boolean> {
    const file = this.#file(key);
    return await told(`write ${file}`, async () => {
      await makeFolder(dirname(file));
      const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
      try {
        await writeFile(draft, content, { flag: "wx", mode: ONLY_OWNER, flush: true });
        if (ifAbsent) return await placeOnce(draft, file);
        await rename(draft, file);
        return true;
      } finally {
        await rm(draft, { force: true });
      }
    });
  }

  async list(prefix = ""): Promise<string[]> {
    const entries = await told(`list ${this.name}`, () =>
      unlessMissing(() => readdir(this.name, { recursive: true, withFileTypes: true })),
    );
    const keys = (entries ?? [])
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.name, join(entry.parentPath, entry.name)).split(sep).join("/"));
    return keys.filter((key) => key.startsWith(prefix) && !/(^|\/)\./.test(key)).sort();
  }

  async delete(key: string): Promise<void> {
    const file = this.#file(key);
    await told(`delete ${file}`, () => rm(file, { force: true }));
  }

  #file(key: string): string {
    return join(this.name, ...checkKey(key).split("/"));
  }
}

/** Node's `mkdir` with `recursive` never ends in a place like /proc, which says that an existing parent is missing. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: FOLDER_OF_OWNER });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

/** A link is made once or not at all. File systems without links copy, also once. */
async function placeOnce(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file).catch((error: unknown) => {
      if (!["EPERM", "ENOTSUP", "ENOSYS", "EOPNOTSUPP"].includes(codeOf(error))) throw error;
      return copyFile(draft, file, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function told<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === "EISDIR")
      throw new DamagedError(`can't ${what}: a folder is there, and no file`, { cause: error });
    throw new PlaceError(`can't ${what}: ${reasonOf(error)}`, { cause: error });
  }
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
