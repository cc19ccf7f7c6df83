/**
 * Values in data files, and the number of places that take each. A change on one page goes back into its cell, if no other page takes the same cell.
 */
import { dirname, join, relative, sep } from "node:path";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { withCells, type CellChange } from "./data.ts";
import { refusalText, type Refusal } from "./splices.ts";
import type { Entry, Declared, Loaded } from "../declare/model.ts";
import type { Place, SourceFile } from "../source/file.ts";
import { locate } from "../source/parse.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import { Reader } from "../source/reader.ts";

interface Change extends CellChange {
  /** `pages.offer.content.hero.title` */
  readonly what: string;
}

export class DataTexts {
  readonly #root: string;
  /** The inputs that each cell makes. */
  readonly #uses = new Map<string, Set<string>>();
  readonly #keys = new Set<string>();
  readonly #changes = new Map<string, Change[]>();

  constructor(root: string, entries: readonly Entry[]) {
    this.#root = root;
    for (const { address, places, one } of entries) {
      for (const key of one?.row.keys ?? []) this.#keys.add(locate(key));
      for (const [input, spot] of places) {
        const cells = spot.by ? [spot.place] : (spot.from ?? []);
        for (const cell of cells) this.#usesOf(cell).add(`${address} ${input}`);
      }
    }
  }

  change(cell: Place, value: CellChange["value"], what: string): void {
    const key = locate(cell);
    this.#changes.set(key, [...(this.#changes.get(key) ?? []), { place: cell, value, what }]);
  }

  /** Returns the whole new texts of the files by path in the folder, the updated values, and those that could not be written. */
  settle(): { files: Map<string, string>; updated: string[]; kept: string[] } {
    const files = new Map<string, string>();
    const [updated, kept]: [string[], string[]] = [[], []];
    const due = new Map<SourceFile, Change[]>();
    for (const [cell, changes] of this.#changes) {
      const [first] = changes;
      const refusal = first && this.#refused(cell, first.place, changes);
      if (refusal) kept.push(...changes.map(({ what }) => `${what} (${refusalText(refusal)})`));
      else if (first) due.set(first.place.file, [...(due.get(first.place.file) ?? []), first]);
    }
    for (const [file, changes] of due) {
      const text = withCells(file, changes);
      const told = changes.flatMap(({ place }) => this.#changes.get(locate(place)) ?? []);
      if (typeof text === "string") {
        files.set(relative(this.#root, file.path).split(sep).join("/"), text);
        updated.push(...told.map(({ what, place }) => `${what} (${locate(place)})`));
      } else kept.push(...told.map(({ what }) => `${what} (${refusalText(text)})`));
    }
    return { files, updated, kept };
  }

  #refused(cell: string, place: Place, changes: readonly Change[]): Refusal | undefined {
    if (this.#keys.has(cell)) return { code: "key of the row", place };
    const uses = this.#uses.get(cell)?.size ?? 1;
    if (changes.length < uses) return { code: "said elsewhere", place, uses };
    const isOne = changes.every(({ value }) => value === changes[0]?.value);
    return isOne ? undefined : { code: "said differently", place, uses };
  }

  #usesOf(cell: Place): Set<string> {
    const key = locate(cell);
    const uses = this.#uses.get(key) ?? new Set<string>();
    this.#uses.set(key, uses);
    return uses;
  }
}

interface TextChange {
  readonly text: string;
  /** Writes the text for this place only. */
  readonly apart: () => void;
}

export class SharedTexts {
  readonly #folder: string;
  readonly #uses: ReadonlyMap<string, number>;
  readonly #changes = new Map<string, TextChange[]>();

  constructor({ folder, parts }: Pick<Loaded, "folder" | "parts">) {
    this.#folder = folder.root;
    const uses = new Map<string, number>();
    for (const part of parts.values()) {
      for (const declared of part.values()) {
        for (const path of filesIn(declared)) uses.set(path, (uses.get(path) ?? 0) + 1);
      }
    }
    this.#uses = uses;
  }

  /** Notes a new text for a place that takes a file, which the manifest names. */
  change(from: string, name: string, change: TextChange): void {
    const path = join(dirname(from), name);
    this.#changes.set(path, [...(this.#changes.get(path) ?? []), change]);
  }

  /** Returns the files to write, by path in the folder. A file keeps its text while another place takes it unchanged. */
  settle(): Map<string, string> {
    const files = new Map<string, string>();
    for (const [path, changes] of this.#changes) {
      const [first] = changes;
      const together =
        changes.length >= (this.#uses.get(path) ?? 1) && changes.every(({ text }) => text === first?.text);
      if (together && first) files.set(relative(this.#folder, path).split(sep).join("/"), first.text);
      else for (const { apart } of changes) apart();
    }
    return files;
  }
}

function* filesIn({ reader, value }: Declared): Generator<string> {
  const file = reader.parsed.file.path;
  for (const name of namesIn(value, new Reader(reader.parsed, new Diagnostics()))) yield join(dirname(file), name);
}

function* namesIn(node: Node | null, reader: Reader): Generator<string> {
  const real = reader.follow(node);
  if (isSeq(real)) for (const item of real.items) yield* namesIn(item as Node | null, reader);
  if (!isMap(real)) return;
  const entries = reader.entries(real);
  const [only] = entries;
  if (entries.length === 1 && only?.key === "file" && isScalar<string>(only.value)) yield only.value.value;
  else for (const { key, value } of entries) if (key !== "literal") yield* namesIn(value, reader);
}
