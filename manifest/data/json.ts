/** Reads JSON as strictly as JSON.parse, and notes the place of each value. */
import { isMap, isSeq, type Node } from "yaml";
import { type Diagnostics, tellRepeated, Told, unlessTold } from "../source/diagnostics.ts";
import type { Place, SourceFile } from "../source/file.ts";
import { parse } from "../source/parse.ts";
import { Exhausted, keepsDigits, Reader } from "../source/reader.ts";
import type { DataEntry, DataScalar, DataValue } from "./value.ts";

const MAX_DEPTH = 100;
const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const WORD = /true|false|null/y;

export function readJson(file: SourceFile, diagnostics: Diagnostics): DataValue | undefined {
  return unlessTold(() => new Scan(file, diagnostics).whole());
}

class Scan {
  readonly #file: SourceFile;
  readonly #diagnostics: Diagnostics;
  #at = 0;

  constructor(file: SourceFile, diagnostics: Diagnostics) {
    this.#file = file;
    this.#diagnostics = diagnostics;
  }

  whole(): DataValue {
    this.#take(BLANK);
    const value = this.#value(0);
    this.#take(BLANK);
    if (this.#at < this.#file.text.length) this.#fault("the file goes on behind its value");
    return value;
  }

  #value(depth: number): DataValue {
    if (depth > MAX_DEPTH) this.#fault(`values are nested more than ${MAX_DEPTH} levels deep`, "nested-too-deep");
    const sign = this.#file.text[this.#at];
    if (sign === "{") return this.#map(depth);
    if (sign === "[") return this.#list(depth);
    return this.#scalar();
  }

  #map(depth: number): DataValue {
    const start = this.#at;
    const entries = new Map<string, DataEntry>();
    this.#each("{", "}", () => {
      const { value: key, place: keyPlace } = this.#string();
      this.#checkKey(key, keyPlace, entries);
      this.#take(BLANK);
      this.#expect(":");
      this.#take(BLANK);
      entries.set(key, { keyPlace, value: this.#value(depth + 1) });
    });
    return { kind: "map", entries, place: this.#place(start) };
  }

  #list(depth: number): DataValue {
    const start = this.#at;
    const items: DataValue[] = [];
    this.#each("[", "]", () => items.push(this.#value(depth + 1)));
    return { kind: "list", items, place: this.#place(start) };
  }

  #each(opening: string, closing: string, one: () => void): void {
    this.#expect(opening);
    this.#take(BLANK);
    if (this.#file.text[this.#at] !== closing) {
      for (;;) {
        one();
        this.#take(BLANK);
        if (this.#file.text[this.#at] !== ",") break;
        this.#at++;
        this.#take(BLANK);
      }
    }
    this.#expect(closing);
  }

  #scalar(): DataScalar {
    const start = this.#at;
    if (this.#file.text[start] === '"') return { kind: "scalar", ...this.#string() };
    const word = this.#take(WORD);
    if (word !== undefined)
      return { kind: "scalar", value: JSON.parse(word) as boolean | null, place: this.#place(start) };
    const number = this.#take(NUMBER);
    if (number === undefined) this.#fault("this is not JSON");
    if (/\d/.test(this.#file.text[this.#at] ?? "")) {
      this.#at = start;
      this.#fault("a JSON number can't begin with 0; put a text in double quotes");
    }
    const value = Number(number);
    if (!Number.isFinite(value) || !keepsDigits(value, number)) {
      this.#at = start;
      this.#fault("this number has more digits than a number can keep");
    }
    return { kind: "scalar", value: value === 0 ? 0 : value, place: this.#place(start) };
  }

  #string(): { value: string; place: Place } {
    const start = this.#at;
    const end = this.#endOfString(start);
    const value = end === undefined ? undefined : unquoted(this.#file.text.slice(start, end));
    if (end === undefined || value === undefined)
      this.#fault("a text in double quotes is missing here, or isn't closed");
    if (!value.isWellFormed()) this.#fault("half of a surrogate pair is not a character");
    this.#at = end;
    return { value, place: this.#place(start) };
  }

  /** Returns the offset behind the closing quote. A quote behind an odd number of backslashes is part of the text. */
  #endOfString(start: number): number | undefined {
    const { text } = this.#file;
    if (text[start] !== '"') return undefined;
    for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      let slashes = 0;
      while (text[quote - 1 - slashes] === "\\") slashes++;
      if (slashes % 2 === 0) return quote + 1;
    }
    return undefined;
  }

  #checkKey(key: string, place: Place, known: ReadonlyMap<string, DataEntry>): void {
    const earlier = known.get(key)?.keyPlace;
    if (earlier) {
      tellRepeated(this.#diagnostics, key, place, earlier);
      throw new Told();
    }
    if (key === "__proto__") this.#fault("a key named __proto__ can't be stored");
  }

  #expect(sign: string): void {
    if (this.#file.text[this.#at] !== sign) this.#fault(`"${sign}" is missing here`);
    this.#at++;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#file.text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #place(start: number): Place {
    return { file: this.#file, start, end: this.#at };
  }

  #fault(message: string, code: "data" | "nested-too-deep" = "data"): never {
    const place = { file: this.#file, start: this.#at, end: Math.min(this.#at + 1, this.#file.text.length) };
    this.#diagnostics.error(code, place, message);
    throw new Told();
  }
}

function unquoted(written: string): string | undefined {
  try {
    return JSON.parse(written) as string;
  } catch {
    return undefined;
  }
}

export function readYaml(file: SourceFile, diagnostics: Diagnostics): DataValue | undefined {
  const parsed = parse(file, diagnostics);
  if (!parsed) return undefined;
  return unlessTold(() => dataOf(new Reader(parsed, diagnostics), parsed.document.contents), Exhausted);
}

export function dataOf(reader: Reader, node: Node | null, depth = 0): DataValue {
  const real = reader.follow(node);
  reader.checkDepth(depth, real);
  const place = reader.place(real);
  if (isSeq(real))
    return { kind: "list", items: real.items.map((item) => dataOf(reader, item as Node | null, depth + 1)), place };
  if (isMap(real)) {
    const entries = reader
      .entries(real)
      .map(({ key, keyPlace, value }) => [key, { keyPlace, value: dataOf(reader, value, depth + 1) }] as const);
    return { kind: "map", entries: new Map(entries), place };
  }
  const value = real === null ? null : (reader.scalar(real, "this value") as DataScalar["value"]);
  return { kind: "scalar", value, place };
}
