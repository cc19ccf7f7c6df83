/** Writes nodes into a text: each is a splice at its place, in the style around it. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { applySplices, type Splice } from "../splices.ts";
import { below as nodesBelow, startWithAnchor } from "./anchors.ts";
import {
  behindLine,
  columnOf,
  contentEnd,
  dashesOf,
  hasBlankLines,
  isBlockScalar,
  isFlow,
  lineStart,
  nextLine,
  type Owner,
  pairEnd,
  type Range,
  rangeOf,
} from "./places.ts";
import { renderFlow, renderFlowPair, renderItem, renderPair, renderValue, Styles } from "./render.ts";

/** The text on the key's line comes first, then the lines of the value, then everything else. */
const [ON_ITS_LINE, BELOW_ITS_LINE] = [Infinity, Number.MAX_SAFE_INTEGER];

/** A new entry of a map. */
export interface Entering {
  readonly pair: Pair;
  /** The index of the entry before it; -1 is the beginning. */
  readonly after: number;
  readonly depth: number;
  /** True to put it behind a blank line. */
  readonly apart: boolean;
}

export class Writing {
  readonly #text: string;
  readonly #styles: Styles;
  readonly #eol: string;
  readonly #splices: Splice[] = [];

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#styles = new Styles(text, document);
    this.#eol = text.includes("\r\n") ? "\r\n" : "\n";
  }

  result(): string {
    return applySplices(this.#text, this.#splices);
  }

  remove(from: YAMLMap | YAMLSeq, gone: ReadonlySet<number>): void {
    for (const { start, end } of removals(this.#text, from, gone)) this.#splice(start, end, "", 0);
  }

  insertItem(list: YAMLSeq, after: number, item: Node, depth: number): void {
    const items = list.items as Node[];
    if (isFlow(list)) {
      const text = renderFlow(item);
      const before = items[after];
      if (before) this.#splice(rangeOf(before).end, rangeOf(before).end, `, ${text}`, 0);
      else this.#splice(rangeOf(items[0] as Node).start, rangeOf(items[0] as Node).start, `${text}, `, 0);
      return;
    }
    const column = columnOf(this.#text, dashesOf(list)[0] ?? 0);
    this.#addLines(this.#behindItem(list, after), renderItem(item, column, this.#styles.below(list)), depth);
  }

  /** Moves an item as it is written, with its comments. */
  moveItem(list: YAMLSeq, index: number, after: number, depth: number): void {
    const { start, end } = linesOf(this.#text, list, index);
    const lines = this.#text.slice(start, end);
    const at = this.#behindItem(list, after);
    this.#splice(start, end, "", 0);
    const open = at > 0 && this.#text[at - 1] !== "\n";
    this.#splice(at, at, (open ? this.#eol : "") + (lines.endsWith("\n") ? lines : lines + this.#eol), depth);
  }

  #behindItem(list: YAMLSeq, index: number): number {
    if (index < 0) return startOfLines(this.#text, list, 0);
    const column = columnOf(this.#text, dashesOf(list)[0] ?? 0);
    return this.#behind(contentEnd(this.#text, list.items[index] as Node), column);
  }

  insertPair(map: YAMLMap, { pair, after, depth, apart }: Entering): void {
    const text = this.#text;
    const { start } = rangeOf(map.items[0]?.key as Node);
    const before = map.items[after];
    if (isFlow(map)) {
      const end = before ? pairEnd(text, before) : start;
      this.#splice(end, end, before ? `, ${renderFlowPair(pair)}` : `${renderFlowPair(pair)}, `, depth);
      return;
    }
    const column = columnOf(text, start);
    const lines = renderPair(pair, column, this.#styles.below(map));
    const at = before ? this.#behind(pairEnd(text, before), column) : lineStart(text, start);
    this.#addLines(at, apart ? `\n${lines}` : lines, depth);
  }

  /** Puts a short value, with the anchor of its source, in place of an alias. */
  moveAnchor(source: Node, alias: Alias): void {
    const [from, to] = [rangeOf(alias), rangeOf(source)];
    this.#splice(from.start, from.end, `&${alias.source} ${this.#text.slice(to.start, to.end)}`, 0);
  }

  replace(node: Node, value: Node, owner: Owner, { keepAnchor = false } = {}): void {
    const text = this.#text;
    const { start, end } = rangeOf(node);
    const from = keepAnchor ? start : startWithAnchor(text, node, owner.end);
    if (owner.flow) {
      if (start === end) this.#splice(owner.end, owner.end, ` ${renderFlow(value)}`, ON_ITS_LINE);
      else this.#splice(from, end, renderFlow(value), 0);
      return;
    }
    const style = this.#styles.below(node);
    // A list below a dash stands deeper than the dash.
    const { inline, below: lines } = renderValue(
      value,
      owner.column,
      owner.isDash ? { ...style, indentSeq: true } : style,
    );
    if (isBlockScalar(node)) this.#replaceBlock(start, contentEnd(text, node), inline, lines);
    else if ((isMap(node) || isSeq(node)) && !isFlow(node)) this.#replaceLines(node, inline, lines, owner);
    else {
      const behindOwner = start === end || inline === "";
      const gap = behindOwner && inline !== "" ? " " : "";
      this.#splice(behindOwner ? owner.end : from, start === end ? owner.end : end, gap + inline, ON_ITS_LINE);
      if (lines !== "") this.#addLines(nextLine(text, Math.max(end, owner.end)), lines, BELOW_ITS_LINE);
    }
  }

  /** Keeps the comment behind the sign of a block. */
  #replaceBlock(start: number, end: number, inline: string, lines: string): void {
    const [sign = ""] = /^[|>][-+\d]*/.exec(this.#text.slice(start)) ?? [];
    const bodyStart = nextLine(this.#text, start);
    this.#splice(start, start + sign.length, inline, 0);
    const bodyEnd =
      end <= bodyStart || this.#text[end - 1] === "\n" ? Math.max(end, bodyStart) : nextLine(this.#text, end);
    this.#splice(bodyStart, bodyEnd, this.#withEnds(lines), BELOW_ITS_LINE);
  }

  #replaceLines(node: Node, inline: string, lines: string, owner: Owner): void {
    const { start } = rangeOf(node);
    const end = contentEnd(this.#text, node);
    const first = isSeq(node) ? (dashesOf(node)[0] ?? start) : start;
    const onOwnLine = this.#text.slice(owner.end, first).includes("\n");
    const gap = inline === "" ? "" : " ";
    this.#splice(owner.end, onOwnLine ? owner.end : end, gap + inline, ON_ITS_LINE);
    // Text between a block's sign and its text would become part of the text.
    const from = !onOwnLine
      ? behindLine(this.#text, end)
      : /^[|>]/.test(inline)
        ? nextLine(this.#text, owner.end)
        : lineStart(this.#text, first);
    this.#splice(from, behindLine(this.#text, end), this.#withEnds(lines), BELOW_ITS_LINE);
  }

  /** Adds whole lines before an offset that begins a line, or at the end of a text without a line end. */
  #addLines(at: number, lines: string, depth: number): void {
    const open = at > 0 && this.#text[at - 1] !== "\n";
    const added = this.#withEnds(open ? `\n${lines}` : lines);
    this.#splice(at, at, added, depth);
  }

  #splice(start: number, end: number, text: string, depth: number): void {
    this.#splices.push({ start, end, text, depth });
  }

  #withEnds(text: string): string {
    return this.#eol === "\n" ? text : text.replaceAll("\n", this.#eol);
  }

  /** Returns the offset behind a line and the comments below it that stand deeper than a column. */
  #behind(end: number, column: number): number {
    const text = this.#text;
    let at = behindLine(text, end);
    for (let line = at; line < text.length; line = nextLine(text, line)) {
      const words = text.slice(line, nextLine(text, line));
      const depth = words.search(/\S/);
      if (depth === -1) continue;
      if (words[depth] !== "#" || depth <= column) break;
      at = nextLine(text, line);
    }
    return at;
  }
}

/** Returns the stretches to cut out. At least one item has to stay. */
function removals(text: string, from: YAMLMap | YAMLSeq, gone: ReadonlySet<number>): Range[] {
  const parts = partsOf(text, from);
  return runsOf(gone).map(([first, last]) => {
    const run = parts.slice(first, last + 1);
    if (run.every((part) => isAlone(text, part, isFlow(from)))) return wholeLines(text, run);
    const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0];
    const before = parts[first - 1];
    const next = parts[last + 1];
    if (!before) return { start, end: next?.start ?? end };
    const behindBefore = text.slice(before.end, start);
    return { start: behindBefore.includes("#") ? start : before.end, end };
  });
}

function partsOf(text: string, from: YAMLMap | YAMLSeq): Range[] {
  if (isMap(from))
    return from.items.map((pair: Pair) => ({ start: rangeOf(pair.key as Node).start, end: pairEnd(text, pair) }));
  const dashes = isFlow(from) ? [] : dashesOf(from);
  return (from.items as Node[]).map((item, index) => ({
    start: dashes[index] ?? rangeOf(item).start,
    end: Math.max(contentEnd(text, item), (dashes[index] ?? -1) + 1),
  }));
}

/** Groups neighbours that go together. */
function runsOf(gone: ReadonlySet<number>): [number, number][] {
  const runs: [number, number][] = [];
  for (const index of [...gone].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

function isAlone(text: string, { start, end }: Range, inBrackets: boolean): boolean {
  if (text.slice(lineStart(text, start), start).trim() !== "") return false;
  return !inBrackets || /^\s*,?\s*(#|$)/.test(text.slice(end, nextLine(text, end)));
}

/** Returns the whole lines from the first range to the last. */
function wholeLines(text: string, run: readonly Range[]): Range {
  return { start: lineStart(text, run[0]?.start ?? 0), end: behindLine(text, run.at(-1)?.end ?? 0) };
}

/** Tells if items can move with their lines: each has lines of its own that mean the same elsewhere. */
export function canReorder(text: string, list: YAMLSeq): boolean {
  const nodes = (list.items as Node[]).flatMap((item) => [item, ...nodesBelow(item)]);
  const isBound = (node: Node): boolean =>
    isAlias(node) || (node as { anchor?: string }).anchor !== undefined || hasBlankLines(text, node);
  return haveLines(text, list) && !nodes.some(isBound);
}

function haveLines(text: string, list: YAMLSeq): boolean {
  const dashes = dashesOf(list);
  if (isFlow(list) || dashes.length !== list.items.length) return false;
  return dashes.every((dash) => text.slice(lineStart(text, dash), dash).trim() === "");
}

function linesOf(text: string, list: YAMLSeq, index: number): Range {
  const dash = dashesOf(list)[index] ?? 0;
  const end = Math.max(contentEnd(text, list.items[index] as Node), dash + 1);
  return { start: startOfLines(text, list, index), end: behindLine(text, end) };
}

/**
 * Returns the start of an item with the comments above it. Comments above the first item may be about the whole list. They belong to the item if
 * another item has comments, too.
 */
function startOfLines(text: string, list: YAMLSeq, index: number): number {
  const starts = dashesOf(list).map((dash) => withComments(text, dash));
  const isPerItem = index > 0 || starts.slice(1).some(({ commented }) => commented);
  const { line = 0, start = 0 } = starts[index] ?? {};
  return isPerItem ? start : line;
}

function withComments(text: string, dash: number): { line: number; start: number; commented: boolean } {
  const line = lineStart(text, dash);
  const comment = `${" ".repeat(columnOf(text, dash))}#`;
  let start = line;
  while (start > 0) {
    const above = lineStart(text, start - 1);
    if (!text.startsWith(comment, above)) break;
    start = above;
  }
  return { line, start, commented: start < line };
}
