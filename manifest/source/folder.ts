/** The folder of a manifest. All its files must be inside. */
import { reasonOf } from "../../provider/values/wording.ts";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { z } from "zod";
import { dirname, isAbsolute, parse, posix, relative, resolve, sep } from "node:path";
import type { DiagnosticCode, Diagnostics, Faulty } from "./diagnostics.ts";
import { didYouMean, nearest } from "../../provider/values/nearest.ts";
import { escaped } from "./file.ts";

/** The largest file that Landform reads, in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface Problem {
  readonly code: DiagnosticCode;
  readonly problem: string;
  readonly hint: string;
}

type ReadResult = { readonly path: string; readonly text: string } | Problem;
type ListResult = { readonly files: readonly string[] } | Problem;

export class Folder {
  readonly root: string;
  readonly #cwd: string;
  readonly #read = new Map<string, ReadResult>();

  /** `root` has to exist. */
  constructor(root: string, cwd: string) {
    this.root = realpathSync(root);
    this.#cwd = realpathSync(cwd);
  }

  /** Returns a file's name for messages: relative if it is below the user's folder, otherwise in full. */
  nameOf(path: string): string {
    const name = relative(this.#cwd, path);
    return isBelow(name) ? name.split(sep).join("/") : path;
  }

  /** Reads a file that `from` (a file of this folder) names. It follows links, and they must end inside, too. */
  read(from: string, name: string): ReadResult {
    const path = resolve(dirname(from), name);
    if (isAbsolute(name) || !this.#holds(path)) return outside(name);
    const known = this.#read.get(path);
    if (known) return known;
    const result = this.#readInside(path, name);
    this.#read.set(path, result);
    return result;
  }

  has(from: string, name: string): boolean {
    const path = resolve(dirname(from), name);
    return !isAbsolute(name) && this.#holds(path) && existsSync(path);
  }

  /** Lists the files that match a pattern, sorted by name. A `*` stands for part of one name. */
  matching(from: string, pattern: string): ListResult {
    const path = resolve(dirname(from), pattern);
    if (isAbsolute(pattern) || !this.#holds(path)) return outside(pattern);
    if (pattern.includes("**")) return unreadable(pattern, "has **, and a * stands for one name");
    let found = [""];
    for (const step of posix.normalize(pattern).split("/"))
      found = found.flatMap((folder) =>
        this.#named(resolve(dirname(from), folder), step).map((name) => posix.join(folder, name)),
      );
    if (found.length > 0) return { files: found };
    return unreadable(pattern, "matches no file", RELATIVE);
  }

  #named(folder: string, step: string): string[] {
    if (!step.includes("*")) return existsSync(resolve(folder, step)) ? [step] : [];
    const form = new RegExp(`^${step.split("*").map(escaped).join(".*")}$`, "u");
    return this.#siblings(resolve(folder, step))
      .filter((name) => form.test(name) && !name.startsWith("."))
      .sort();
  }

  /** Lists the files of a folder that `from` names, sorted by name, without hidden ones. */
  list(from: string, name: string): ListResult {
    const path = resolve(dirname(from), name);
    if (isAbsolute(name) || !this.#holds(path)) return outside(name);
    try {
      if (!this.#holds(realpathSync(path))) return outside(name);
      if (!statSync(path).isDirectory()) return unreadable(name, "is not a folder");
      const names = readdirSync(path).filter((one) => !one.startsWith("."));
      return { files: names.sort().map((one) => posix.join(name, one)) };
    } catch (error) {
      return failed(error, name);
    }
  }

  #readInside(path: string, name: string): ReadResult {
    try {
      const real = realpathSync(path);
      if (!this.#holds(real)) return outside(name);
      return readText(real, name);
    } catch (error) {
      return failed(error, name, () => suggestionFor(name, this.#siblings(path)));
    }
  }

  /** Lists no names behind a link that leads outside. */
  #siblings(path: string): string[] {
    try {
      const real = realpathSync(dirname(path));
      return real === this.root || this.#holds(real) ? readdirSync(real) : [];
    } catch {
      return [];
    }
  }

  #holds(path: string): boolean {
    return isBelow(relative(this.root, path));
  }
}

function failed(error: unknown, name: string, suggestion = (): string => ""): Problem {
  const reason = (error as NodeJS.ErrnoException).code ?? "unknown";
  if (reason !== "ENOENT" && reason !== "ENOTDIR") return unreadable(name, `can't be read (${reason})`);
  return unreadable(name, `does not exist${suggestion()}`, RELATIVE);
}

const RELATIVE = "Paths are relative to the file that names them.";

/** Reads a text without its byte order mark. */
export function readText(path: string, name: string): ReadResult {
  const stats = statSync(path);
  const { size } = stats;
  if (!stats.isFile()) return unreadable(name, "is not a file");
  if (size > MAX_FILE_BYTES)
    return unreadable(name, `has ${size} bytes, and at most ${MAX_FILE_BYTES} are read`, "Split it, or include parts.");
  const bytes = readFileSync(path);
  const isTable = /\.[ct]sv$/i.test(name);
  const hint = isTable ? 'Save it as UTF-8: in Excel, "CSV UTF-8 (Comma delimited)".' : "Save it as UTF-8.";
  if (isUtf16(bytes)) return unreadable(name, "is UTF-16, and Landform reads UTF-8", hint);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const at = text.indexOf("\0");
    return at === -1
      ? { path, text }
      : unreadable(name, `is no text: it has NUL characters, the first in line ${lineOf(text.slice(0, at))}`, hint);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return unreadable(name, `is not UTF-8 text: see line ${lineOf(validStart(bytes))}`, hint);
  }
}

function lineOf(before: string): number {
  return before.split(/\r\n|\r|\n/).length;
}

/** Returns the text up to the first byte that can't be part of one. */
function validStart(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  const again = Buffer.from(text);
  const at = bytes.findIndex((byte, index) => byte !== again[index]);
  return bytes.subarray(0, at).toString("utf8");
}

/** Tells by the mark, or by every second byte of the start being zero. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString("hex");
  const signs = [...bytes.subarray(0, 8)].map((byte) => byte === 0);
  const zeros = (start: number): boolean =>
    signs.length >= 4 && signs.every((zero, index) => zero === (index % 2 === start));
  return mark === "fffe" || mark === "feff" || zeros(0) || zeros(1);
}

/** Compares names without their extension, because every file may be a .txt file. */
function suggestionFor(name: string, files: readonly string[]): string {
  const stem = (file: string): string => parse(file).name;
  const near = nearest(stem(name), new Set(files.map(stem)), files.length);
  const candidates = files.filter((file) => near.includes(stem(file)));
  return didYouMean(
    name,
    candidates.map((file) => posix.join(posix.dirname(name), file)),
  );
}

function isBelow(name: string): boolean {
  return name !== "" && name !== ".." && !name.startsWith(`..${sep}`) && !isAbsolute(name);
}

function outside(name: string): Problem {
  return {
    code: "file-outside",
    problem: `${name} is outside the folder of the manifest`,
    hint: "Move the file into the folder and name it relative to the file that refers to it.",
  };
}

export function unreadable(name: string, what: string, hint = ""): Problem {
  return { code: "file-unreadable", problem: `${name} ${what}`, hint };
}

export function tellProblem(diagnostics: Diagnostics, { code, problem, hint }: Problem, { place, path }: Faulty): void {
  diagnostics.error(code, place, problem, { path, hint: hint || undefined });
}

/** A file that Landform keeps beside the code exists and can't be used. The message gives the reason. */
export class KeptFileError extends Error {
  override name = "KeptFileError";
}

/** Returns undefined if there is no such file. `remedy`: the next step for a faulty one. */
export function readKeptFile<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  remedy: string,
): z.output<Schema> | undefined {
  if (!existsSync(file)) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new KeptFileError(`${file} is not JSON: ${reasonOf(error)}`);
  }
  const { data, error } = schema.safeParse(read);
  const [issue] = error?.issues ?? [];
  if (!issue) return data;
  throw new KeptFileError(`${file}: ${issue.path.join(".") || "the file"}: ${issue.message}. ${remedy}`);
}
