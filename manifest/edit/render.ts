/** Nodes as the text that stands for them at a place: at its indentation, in a block or inside of brackets. */
import {
  Document,
  isMap,
  isScalar,
  isSeq,
  Pair,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq,
  type Node,
  type ToStringOptions,
} from "yaml";
import { needsEscapes, withEscapes } from "./raw-controls.ts";

export interface Style {
  /** Spaces that one level adds. */
  readonly indent: number;
  /** Lists stand a level deeper than their key. */
  readonly indentSeq: boolean;
}

/** A value behind its key or dash: what stands on the line of the key, and the lines below it. */
export interface Rendered {
  readonly inline: string;
  /** Whole lines, each with its end; empty where everything is on the line. */
  readonly below: string;
}

export function optionsOf({ indent, indentSeq }: Style): ToStringOptions {
  return {
    lineWidth: 0,
    indent,
    indentSeq,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    verifyAliasOrder: false,
  };
}

/** A value at a column: that of its key, or of the dash before it. */
export function renderValue(value: Node, column: number, style: Style): Rendered {
  const text = printed(mapOf(new Pair(new Scalar("k"), value)), style).slice(2);
  const newline = text.indexOf("\n");
  const below = text.slice(newline + 1);
  return { inline: text.slice(0, newline).trim(), below: below === "" ? "" : indented(below, column) };
}

/** A whole entry of a map, in lines of its own. */
export function renderPair(pair: Pair, column: number, style: Style): string {
  return indented(printed(mapOf(pair), style), column);
}

export function renderItem(item: Node, column: number, style: Style): string {
  const list = new YAMLSeq();
  list.items.push(item);
  return indented(printed(list, style), column);
}

/** As it stands inside of brackets: on one line. */
export function renderFlow(value: Node): string {
  const list = new YAMLSeq();
  list.flow = true;
  list.items.push(flowing(value));
  return printed(list, { indent: 2, indentSeq: true }).trim().slice(1, -1).trim();
}

export function renderFlowPair(pair: Pair): string {
  const map = mapOf(new Pair(pair.key, flowing(pair.value as Node)));
  map.flow = true;
  return printed(map, { indent: 2, indentSeq: true }).trim().slice(1, -1).trim();
}

function printed(node: Node, style: Style): string {
  visit(node, { Scalar: (_key, scalar) => quoteLooseEnds(scalar) });
  const document = new Document();
  document.contents = node;
  return withEscapes(document.toString(optionsOf(style)));
}

/**
 * A block that ends with blank lines takes in those below it, too. Of one whose text begins with blanks the library (2.8)
 * writes down an indentation of two, whatever it is.
 */
function quoteLooseEnds(scalar: Scalar): void {
  if (typeof scalar.value !== "string") return;
  if (/\n\n$|^\n+$|^\n*[ \t]/.test(scalar.value) || needsEscapes(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE;
}

function mapOf(pair: Pair): YAMLMap {
  const map = new YAMLMap();
  map.items.push(pair);
  return map;
}

function indented(text: string, column: number): string {
  return text.replaceAll(/(?<=^|\n)(?=[^\n])/g, " ".repeat(column));
}

/** A copy in which nothing needs a line of its own. */
function flowing(node: Node): Node {
  if (isScalar(node)) {
    const copy = new Scalar(node.value);
    const broken = typeof node.value === "string" && node.value.includes("\n");
    copy.type = broken ? Scalar.QUOTE_DOUBLE : (node.type ?? Scalar.PLAIN);
    return copy;
  }
  if (isSeq(node)) {
    const list = new YAMLSeq();
    list.flow = true;
    list.items.push(...node.items.map((item) => flowing(item as Node)));
    return list;
  }
  if (!isMap(node)) return node;
  const map = new YAMLMap();
  map.flow = true;
  map.items.push(...node.items.map(({ key, value }) => new Pair(key, flowing(value as Node))));
  return map;
}
