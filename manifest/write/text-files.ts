/** Texts that are too long to read in the middle of code, in files of their own: content/pages/offer/hero.text.txt. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { registry } from "../../provider/kinds/registry.ts";
import { unique } from "./keys.ts";
import { StandIn, type Resource } from "../match/model.ts";

const MAX_LENGTH = 240;
const MAX_LINES = 4;

/** A file drops a byte order mark at its beginning, with a NUL it is no text, and half a character is none of UTF-8. */
export function fitsFile(text: string): boolean {
  return !text.startsWith("\uFEFF") && !text.includes("\0") && text.isWellFormed();
}

export function isLong(text: string): boolean {
  if (!fitsFile(text)) return false;
  return text.length > MAX_LENGTH || text.split("\n", MAX_LINES + 2).length > MAX_LINES + 1;
}

export class TextFiles {
  /** Texts by path, relative to the folder of the code, with slashes. */
  readonly files = new Map<string, string>();
  /** Those of them that stand in for what somebody else writes, and may have written. */
  readonly standIns = new Set<string>();
  readonly #taken: Set<string>;
  readonly #textOf: (path: string) => string | undefined;

  /** `taken` are files that are there already, `textOf` what they say: one that says the same serves as it is. */
  constructor(taken: Iterable<string> = [], textOf: (path: string) => string | undefined = () => undefined) {
    this.#taken = new Set([...taken].map((path) => path.toLowerCase()));
    this.#textOf = textOf;
  }

  /** For code that is written into a folder for the first time: what is there is somebody's. `own`: but for these. */
  static beside(folder: string, own: (path: string) => boolean = () => false): TextFiles {
    const there = textFilesIn(folder).filter((path) => !own(path));
    return new TextFiles(there, (path) => (there.includes(path) ? textIn(join(folder, path)) : undefined));
  }

  /** What fails leaves no files behind. */
  undoing<Result>(work: () => Result): Result {
    const before = new Set(this.files.keys());
    try {
      return work();
    } catch (error) {
      for (const path of [...this.files.keys()].filter((one) => !before.has(one))) this.#drop(path);
      throw error;
    }
  }

  #drop(path: string): void {
    this.files.delete(path);
    this.standIns.delete(path);
    this.#taken.delete(path.toLowerCase());
  }

  /** The path of a new file for the text of a field. */
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

function textIn(path: string): string | undefined {
  return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
}

/** Those that are there already, whatever for: by path relative to the folder. */
export function textFilesIn(folder: string): string[] {
  const content = join(folder, "content");
  if (!existsSync(content)) return [];
  const names = readdirSync(content, { recursive: true, encoding: "utf8" });
  return names.map((name) => `content/${name.replaceAll("\\", "/")}`);
}
