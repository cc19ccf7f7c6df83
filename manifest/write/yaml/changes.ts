/**
 * The changes of a YAML text that its changed nodes ask for: a value on its line, an entry that comes or goes, or else the smallest entry around the
 * change, written anew.
 */
import { type Document, isScalar, type Node, type Pair, type YAMLMap } from "yaml";
import { applySplices } from "../splices.ts";
import { isAlone, lineStart } from "../../source/file.ts";
import { behindLine, endsOf, type Spot } from "./places.ts";
import { columnOf, entryText, nodeText, type Style, styleOf, withoutLead } from "./text.ts";

/** A change of the text. It falls away if an entry around it is written anew. */
interface Due {
  readonly start: number;
  readonly end: number;
  readonly text: () => string;
  readonly within: readonly Pair[];
}

export class TextChanges {
  readonly #text: string;
  readonly #document: Document;
  readonly #style: Style;
  /** The place of the contents in the text. */
  readonly #range: readonly [number, number, number];
  /** The end of each entry in the text, without and with the comments that belong to it. */
  readonly #ends: ReadonlyMap<Pair, { readonly end: number; readonly whole: number }>;
  /** The entries to write anew, each with those around it. */
  readonly #anew = new Map<Pair, readonly Pair[]>();
  #due: Due[] = [];
  #isWholeAnew = false;

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#document = document;
    this.#style = styleOf(text, document);
    this.#range = document.contents?.range ?? [text.length, text.length, text.length];
    this.#ends = endsOf(text, document);
  }

  print(): string {
    const isAnew = (one: Pair): boolean => this.#anew.has(one);
    const due = this.#due.filter(({ within }) => !within.some(isAnew));
    const anew = [...this.#anew].filter(([, around]) => !around.some(isAnew)).map(([pair]) => this.#entryAnew(pair));
    const splices = this.#isWholeAnew ? [this.#wholeAnew()] : [...due, ...anew];
    const ends = this.#text.includes("\r\n") ? "\r\n" : "\n";
    return applySplices(
      this.#text,
      splices.map(({ start, end, text, within }) => ({
        start,
        end,
        text: text().replaceAll(/\r*\n/g, ends),
        depth: within.length,
      })),
    );
  }

  /** Writes a value in place of another one on its line. */
  inLine({ within }: Spot, [start, end]: readonly [number, number, ...unknown[]], text: string): void {
    this.#due.push({ start, end, text: () => text, within });
  }

  /** Writes an entry that has come into a map. */
  enter(spot: Spot, map: YAMLMap, pair: Pair, apart: boolean): void {
    const text = this.#text;
    const others = map.items.filter((one) => one !== pair);
    const before = map.items.slice(0, map.items.indexOf(pair)).findLast((one) => this.#ends.has(one));
    const first = (others[0]?.key as Node | undefined)?.range?.[0];
    const isInLines = !spot.flow && map.flow !== true && first !== undefined;
    if (!isInLines || (!before && !isAlone(text, first))) {
      this.writeAnew(spot);
      return;
    }
    const column = columnOf(text, first);
    const at = before ? behindComments(text, this.#ends.get(before)?.end ?? 0, column) : lineStart(text, first);
    const isOpen = at > 0 && text[at - 1] !== "\n";
    const lead = `${isOpen ? "\n" : ""}${apart ? "\n" : ""}`;
    const lines = (): string => lead + commentText(pair, column) + entryText(pair, column, this.#style);
    this.#due.push({ start: at, end: at, text: lines, within: spot.within });
  }

  /** Takes out an entry that has left its map. */
  cut(spot: Spot, map: YAMLMap, pair: Pair): void {
    const start = (pair.key as Node).range?.[0] ?? 0;
    const end = this.#ends.get(pair)?.end;
    if (spot.flow || map.flow === true || end === undefined || !isAlone(this.#text, start)) {
      this.writeAnew(spot);
      return;
    }
    this.#due = this.#due.filter(({ within }) => !within.includes(pair));
    for (const [one, around] of this.#anew) if (one === pair || around.includes(pair)) this.#anew.delete(one);
    const lines = { start: lineStart(this.#text, start), end: behindLine(this.#text, end) };
    this.#due.push({ ...lines, text: () => "", within: spot.within });
  }

  /** Writes the smallest entry around a place anew. One that came in by an earlier edit is written as it is at the end. */
  writeAnew({ within }: Spot): void {
    const smallest = within.at(-1);
    if (!smallest) this.#isWholeAnew = true;
    else if (this.#ends.has(smallest)) this.#anew.set(smallest, within.slice(0, -1));
  }

  #wholeAnew(): Due {
    const { contents } = this.#document;
    const [start, , end] = this.#range;
    const text = contents ? nodeText(withoutLead(contents), this.#style) : "";
    return { start, end, text: () => text, within: [] };
  }

  #entryAnew(pair: Pair): Due {
    const text = this.#text;
    const start = (pair.key as Node).range?.[0] ?? 0;
    const end = this.#ends.get(pair)?.whole ?? start;
    const lines = entryText(pair, columnOf(text, start), this.#style).trimStart();
    const isWhole = text.slice(0, end).endsWith("\n");
    return { start, end, text: () => (isWhole ? lines : lines.replace(/\r*\n$/, "")), within: [] };
  }
}

/** Returns the offset behind a line and the comments below it that stand deeper than a column. */
function behindComments(text: string, end: number, column: number): number {
  let at = behindLine(text, end);
  for (let line = at; line < text.length; line = behindLine(text, line + 1)) {
    const words = text.slice(line, behindLine(text, line + 1));
    const depth = words.search(/\S/);
    if (depth === -1) continue;
    if (words[depth] !== "#" || depth <= column) break;
    at = line + words.length;
  }
  return at;
}

function commentText({ key }: Pair, column: number): string {
  const lines = isScalar(key) && key.commentBefore ? key.commentBefore.split("\n") : [];
  return lines.map((line) => `${" ".repeat(column)}#${line}\n`).join("");
}
