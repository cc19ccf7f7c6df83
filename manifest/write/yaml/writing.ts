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

  remove(from: YAMLMap, gone: ReadonlySet<number>): void {
    for (const { start, end } of removals(this.#text, from, gone)) this.#splice(start, end, "", 0);
  }

  /** Writes a list with other items: the index of one that stays as it is written, with what stands above it, or a new one. */
  arrange(list: YAMLSeq, items: readonly (number | Node)[]): void {
    const inLines = !isFlow(list);
    const ranges = inLines ? this.#linesOf(list) : (list.items as Node[]).map(rangeOf);
    const written: string[] = [];
    // Comments above an item that goes stay where they are.
    let above = "";
    for (const [index, { start, end }] of ranges.entries()) {
      const gap = this.#text.slice(ranges[index - 1]?.end ?? start, start);
      above += inLines || gap.includes("#") ? gap.replace(inLines ? "" : ",", "") : "";
      if (!items.includes(index)) continue;
      const text = this.#text.slice(start, end);
      written[index] = above + (inLines && !text.endsWith("\n") ? text + this.#eol : text);
      above = "";
    }
    const column = columnOf(this.#text, dashesOf(list)[0] ?? 0);
    const all = items.map((item) => {
      if (typeof item === "number") return written[item] ?? "";
      return inLines ? this.#withEnds(renderItem(item, column, this.#styles.below(list))) : renderFlow(item);
    });
    this.#splice(ranges[0]?.start ?? 0, ranges.at(-1)?.end ?? 0, all.join(inLines ? "" : ", ") + above, 0);
  }

  /**
   * Returns the lines of each item, with the comments below that stand deeper. Comments above the first item may be about the whole list. They belong to
   * the item if another item has comments, too.
   */
  #linesOf(list: YAMLSeq): Range[] {
    const dashes = dashesOf(list);
    const starts = dashes.map((dash) => lineStart(this.#text, dash));
    const column = columnOf(this.#text, dashes[0] ?? 0);
    const ends = (list.items as Node[]).map((item, index) =>
      this.#behind(Math.max(contentEnd(this.#text, item), (dashes[index] ?? 0) + 1), column),
    );
    const isCommented = starts.some(
      (start, index) => index > 0 && this.#text.slice(ends[index - 1], start).includes("#"),
    );
    if (isCommented) starts[0] = withComments(this.#text, dashes[0] ?? 0);
    return starts.map((start, index) => ({ start, end: ends[index] ?? start }));
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

/** Returns the stretches to cut out. At least one entry has to stay. */
function removals(text: string, from: YAMLMap, gone: ReadonlySet<number>): Range[] {
  const parts = from.items.map((pair) => ({ start: rangeOf(pair.key as Node).start, end: pairEnd(text, pair) }));
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

/** Tells if items can stay as they are written: each has lines of its own, and those that change places mean the same elsewhere. */
export function canArrange(text: string, list: YAMLSeq, earlier: readonly (number | undefined)[]): boolean {
  const stay = earlier.filter((index) => index !== undefined);
  const isInOrder = stay.every((index, at) => at === 0 || index > (stay[at - 1] ?? 0));
  const nodes = (list.items as Node[]).flatMap((item) => [item, ...nodesBelow(item)]);
  const isBound = (node: Node): boolean =>
    isAlias(node) || (node as { anchor?: string }).anchor !== undefined || hasBlankLines(text, node);
  return (isInOrder || !nodes.some(isBound)) && (isFlow(list) || haveLines(text, list));
}

function haveLines(text: string, list: YAMLSeq): boolean {
  const dashes = dashesOf(list);
  const isFirst = (dash: number): boolean => text.slice(lineStart(text, dash), dash).trim() === "";
  return dashes.length === list.items.length && dashes.every(isFirst);
}

/** Returns the start of the comments right above an item, or of its line. */
function withComments(text: string, dash: number): number {
  const comment = `${" ".repeat(columnOf(text, dash))}#`;
  let start = lineStart(text, dash);
  while (start > 0 && text.startsWith(comment, lineStart(text, start - 1))) start = lineStart(text, start - 1);
  return start;
}
