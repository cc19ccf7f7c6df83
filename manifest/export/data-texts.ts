/**
 * Values that stand in data files, and how many places of a manifest take each: what somebody changed on one page goes back
 * into the cell that it came from, where no other page says the same by it.
 */
import { relative, sep } from "node:path";
import { EditRefused } from "../edit/yaml-edit.ts";
import { withCells, type CellChange } from "../data/write.ts";
import type { Entry } from "../declarations/model.ts";
import type { Place, SourceFile } from "../source/file.ts";
import { locate } from "../source/parse.ts";

interface Change extends CellChange {
  /** `pages.offer.content.hero.title` */
  readonly what: string;
}

export class DataTexts {
  readonly #root: string;
  /** By cell, what is made of it. */
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

  /** Whole new texts of the files by their path in the folder, what they say now, and what they can't. */
  settle(): { files: Map<string, string>; updated: string[]; kept: string[] } {
    const files = new Map<string, string>();
    const [updated, kept]: [string[], string[]] = [[], []];
    const due = new Map<SourceFile, Change[]>();
    for (const [cell, changes] of this.#changes) {
      const obstacle = this.#obstacle(cell, changes);
      const [first] = changes;
      if (obstacle !== undefined) kept.push(...changes.map(({ what }) => `${what} (${obstacle})`));
      else if (first) due.set(first.place.file, [...(due.get(first.place.file) ?? []), first]);
    }
    for (const [file, changes] of due) {
      const text = written(file, changes);
      const told = changes.flatMap(({ place }) =>
        (this.#changes.get(locate(place)) ?? []).map(({ what }) => `${what} (${locate(place)})`),
      );
      if (text === undefined) kept.push(...told.map((what) => `${what}: it can't be written there safely`));
      else {
        files.set(relative(this.#root, file.path).split(sep).join("/"), text);
        updated.push(...told);
      }
    }
    return { files, updated, kept };
  }

  #obstacle(cell: string, changes: readonly Change[]): string | undefined {
    if (this.#keys.has(cell)) return `${cell} is the key of the row, which the resource is named by`;
    const uses = this.#uses.get(cell)?.size ?? 1;
    if (changes.length < uses)
      return `${cell} says it in ${uses} places: change it there for all, or write it out for this one`;
    const isOne = changes.every(({ value }) => value === changes[0]?.value);
    return isOne ? undefined : `${cell} says it in ${uses} places, and they differ now`;
  }

  #usesOf(cell: Place): Set<string> {
    const key = locate(cell);
    const uses = this.#uses.get(key) ?? new Set<string>();
    this.#uses.set(key, uses);
    return uses;
  }
}

function written(file: SourceFile, changes: readonly Change[]): string | undefined {
  try {
    return withCells(file, changes);
  } catch (error) {
    if (error instanceof EditRefused) return undefined;
    throw error;
  }
}
