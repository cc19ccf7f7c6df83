/**
 * Writes several files as one: each is complete under a temporary name before the first one takes its place, so a full disk or a kill leaves the old
 * files. It doesn't write over a file that somebody has changed meanwhile.
 */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { registry } from "../../provider/kinds/registry.ts";
import { type Resource, StandIn } from "../match/model.ts";

const MARK = "\uFEFF";

interface Due {
  readonly name: string;
  /** The real path: a link stays a link. */
  readonly path: string;
  readonly temporary: string;
}

/** Returns the names of the changed files. `base` holds the texts that were read before the new ones were made. */
export function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  base: ReadonlyMap<string, string>,
): string[] {
  mkdirSync(folder, { recursive: true });
  const due: Due[] = [];
  try {
    for (const [name, text] of files) {
      const [given, read] = [join(folder, name), base.get(name)];
      const path = existsSync(given) ? realpathSync(given) : given;
      const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
      if (read !== undefined && before !== read && before !== MARK + read)
        throw new ExportError(`${name} was changed by somebody else meanwhile. Nothing was written: run it again.`);
      // A byte order mark belongs to the file and not to its text.
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

/** An export or a comparison that is not possible now. The message gives the next step. */
export class ExportError extends Error {
  override readonly name = "ExportError";
}

/**
 * Makes logical keys from names: short, unique in their section, and the same for every export of an account. A key begins with a letter and holds
 * letters, digits and dashes, so no YAML reader takes it for a number, a date or a keyword.
 */
const KEYWORDS = new Set(["true", "false", "null", "yes", "no", "on", "off", "y", "n", "constructor"]);
const LONGEST_KEY = 50;

/** Returns a name as a key, or `fallback` if it has no letter or digit. */
export function slug(name: string, fallback: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_KEY)
    .replaceAll(/^-+|-+$/g, "");
  if (plain === "") return fallback;
  return /^[a-z]/.test(plain) && !KEYWORDS.has(plain) ? plain : `${fallback}-${plain}`;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string | null;
}

/**
 * Returns keys by id. Ids keep the key that they have; of several objects of one name the oldest gets the plain key. `reserved` are the keys of other
 * things.
 */
export function assignKeys(
  objects: readonly Named[],
  fallback: string,
  known: ReadonlyMap<string, string>,
  reserved: Iterable<string> = [],
): Map<string, string> {
  const taken = new Set([...reserved, ...known.values()].map(folded));
  return new Map(
    [...objects].sort(byAge).map(({ id, name }) => [id, known.get(id) ?? unique(slug(name, fallback), taken)] as const),
  );
}

/** Returns `wanted`, or its first free numbered form. Case doesn't count, because files may get the name. */
export function unique(
  wanted: string,
  taken: Set<string>,
  numbered: (n: number) => string = (n) => `${wanted}-${n}`,
): string {
  let free = wanted;
  for (let n = 2; taken.has(folded(free)); n++) free = numbered(n);
  taken.add(folded(free));
  return free;
}

function folded(key: string): string {
  return key.toLowerCase();
}

/** Sorts the oldest first, so that the order doesn't depend on the service's lists. */
export function byAge(a: Named, b: Named): number {
  return compare(a.createdAt ?? "", b.createdAt ?? "") || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const MAX_LENGTH = 240;
const MAX_LINES = 4;

/** Tells if a text survives in a file: a file drops a byte order mark at its start, a NUL makes it no text, and UTF-8 can't hold half a character. */
export function fitsFile(text: string): boolean {
  return !text.startsWith("\uFEFF") && !text.includes("\0") && text.isWellFormed();
}

export function isLong(text: string): boolean {
  if (!fitsFile(text)) return false;
  return text.length > MAX_LENGTH || text.split("\n", MAX_LINES + 2).length > MAX_LINES + 1;
}

export class TextFiles {
  /** Texts by path relative to the folder of the code, with slashes. */
  readonly files = new Map<string, string>();
  /** Files that stand in for somebody else's, who may have written them already. */
  readonly standIns = new Set<string>();
  readonly #taken: Set<string>;
  readonly #textOf: (path: string) => string | undefined;

  /** `taken` are existing files, and `textOf` returns their texts: a file with an equal text is used as it is. */
  constructor(taken: Iterable<string> = [], textOf: (path: string) => string | undefined = () => undefined) {
    this.#taken = new Set([...taken].map((path) => path.toLowerCase()));
    this.#textOf = textOf;
  }

  /** Makes the files of code that is new in a folder, where existing files are somebody else's. `own` tells the exceptions. */
  static beside(folder: string, own: (path: string) => boolean = () => false): TextFiles {
    const there = textFilesIn(folder).filter((path) => !own(path));
    return new TextFiles(there, (path) => {
      const isThere = there.includes(path) && statSync(join(folder, path)).isFile();
      return isThere ? readFileSync(join(folder, path), "utf8") : undefined;
    });
  }

  /** Removes the new files if the work fails. */
  undoing<Result>(work: () => Result): Result {
    const before = new Set(this.files.keys());
    try {
      return work();
    } catch (error) {
      for (const path of [...this.files.keys()].filter((one) => !before.has(one))) {
        this.files.delete(path);
        this.standIns.delete(path);
        this.#taken.delete(path.toLowerCase());
      }
      throw error;
    }
  }

  /** Returns the first numbered form of a name, such as `content/pages`, that no file or folder begins with. */
  free(wanted: string): string {
    const isTaken = (stem: string): boolean =>
      [...this.#taken].some((path) => path.startsWith(stem) && /^[./-]/.test(path.slice(stem.length)));
    let stem = wanted;
    for (let n = 2; isTaken(stem); n++) stem = `${wanted}-${n}`;
    this.#taken.add(`${stem}.csv`);
    return stem;
  }

  add({ kind, key, inputs }: Resource, field: string, text: string): string {
    const folder = `content/${registry[kind].section}/${fileName(key, kind)}`;
    const stem = `${folder}/${fileName(field, "text")}`;
    const extension = /<[a-z][^<>]*>/i.test(text) ? ".html" : ".txt";
    const wanted = stem + extension;
    const isThere = !this.files.has(wanted) && this.#textOf(wanted) === text;
    const path = isThere ? wanted : unique(wanted, this.#taken, (n) => `${stem}-${n}${extension}`);
    this.files.set(path, text);
    if (inputs[field] instanceof StandIn) this.standIns.add(path);
    return path;
  }
}

function fileName(name: string, fallback: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 60)
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return plain === "" || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain)
    ? `${fallback}-${plain}`.replace(/-$/, "")
    : plain;
}

/** Returns the existing text files, by path relative to the folder. */
export function textFilesIn(folder: string): string[] {
  const content = join(folder, "content");
  if (!existsSync(content)) return [];
  const names = readdirSync(content, { recursive: true, encoding: "utf8" });
  return names.map((name) => `content/${name.replaceAll("\\", "/")}`);
}
