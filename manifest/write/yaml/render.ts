/** Renders nodes as text for a place: with its indentation, in a block or inside of brackets. */
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
  parse,
  stringify,
  YAMLParseError,
} from "yaml";
import { columnOf, dashesOf, isFlow, rangeOf } from "./places.ts";

interface Style {
  /** The spaces of one level. */
  readonly indent: number;
  /** True if lists stand a level deeper than their key. */
  readonly indentSeq: boolean;
}

/** A value behind its key or dash: the text on the key's line, and the lines below. */
interface Rendered {
  readonly inline: string;
  /** Whole lines, each with its end; empty if everything is on the key's line. */
  readonly below: string;
}

function optionsOf({ indent, indentSeq }: Style): ToStringOptions {
  return {
    lineWidth: 0,
    indent,
    indentSeq,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    verifyAliasOrder: false,
  };
}

/** Renders a value at the column of its key, or of the dash before it. */
export function renderValue(value: Node, column: number, style: Style): Rendered {
  const text = printed(mapOf(new Pair(new Scalar("k"), value)), style).slice(2);
  const newline = text.indexOf("\n");
  const below = text.slice(newline + 1);
  return { inline: text.slice(0, newline).trim(), below: below === "" ? "" : indented(below, column) };
}

/** Renders a whole entry of a map in lines of its own. */
export function renderPair(pair: Pair, column: number, style: Style): string {
  return indented(printed(mapOf(pair), style), column);
}

export function renderItem(item: Node, column: number, style: Style): string {
  const list = new YAMLSeq();
  list.items.push(item);
  return indented(printed(list, style), column);
}

/** Renders a node inside of brackets, on one line. */
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
 * A block that ends with blank lines takes in those below it, too. If a block's text begins with blanks, the library (2.8) always writes an
 * indentation of two.
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

/** Returns a copy in which no node needs a line of its own. */
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

/**
 * Characters that YAML can't hold as they are (1.2.2, 5.1), although the library writes them so (2.9, 2026-11-24). Double quotes escape them. Pure.
 */
const UNHELD = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;

function needsEscapes(text: string): boolean {
  return text.search(UNHELD) !== -1;
}

/** Escapes such characters in YAML of the library. They must stand in double quotes. */
export function withEscapes(yaml: string): string {
  return yaml.replace(UNHELD, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code}`;
  });
}

/** Returns a value in the style of the old one, or in double quotes if that style can't hold it. */
export function scalarLike(old: unknown, value: string | number | boolean): Scalar {
  const scalar = new Scalar(value);
  if (typeof value !== "string") return scalar;
  if (isScalar(old) && old.type !== undefined) scalar.type = old.type;
  if (!holds(scalar, value)) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/**
 * Tells if a style holds a text. A block loses blanks before the first line break and folds others, and a blank line above the text may be indented
 * more (yaml 2.9, 2026-11).
 */
function holds(scalar: Scalar, value: string): boolean {
  try {
    const [read] = parse(stringify([scalar], { lineWidth: 0 })) as unknown[];
    const { key } = parse(stringify({ key: scalar }, { lineWidth: 0 })) as { key: unknown };
    return read === value && key === value;
  } catch (error) {
    if (error instanceof YAMLParseError) return false;
    throw error;
  }
}

/** YAML's library indents no document deeper than this. */
const MAX_INDENT = 8;
const USUAL: Style = { indent: 2, indentSeq: true };

/** The style below a map: the first one that it, or the document, uses. */
export class Styles {
  readonly #text: string;
  readonly #indents = new Map<Node, number>();
  readonly #usual: Style;

  constructor(text: string, document: Document) {
    this.#text = text;
    let indent: number | undefined;
    let indentSeq: boolean | undefined;
    visit(document, {
      Pair: (_key, pair, ancestors) => {
        const map = ancestors.at(-1);
        const step = this.#step(pair);
        if (step === undefined) return;
        if (isMap(pair.value)) {
          indent ??= step;
          if (isMap(map) && !this.#indents.has(map)) this.#indents.set(map, step);
        } else indentSeq ??= step > 0;
      },
    });
    this.#usual = { indent: indent ?? USUAL.indent, indentSeq: indentSeq ?? USUAL.indentSeq };
  }

  below(node: Node): Style {
    return { ...this.#usual, indent: this.#indents.get(node) ?? this.#usual.indent };
  }

  /** Returns the extra indentation of a block below its key; undefined for other values. */
  #step({ key, value }: Pair): number | undefined {
    if (!(isMap(value) || isSeq(value)) || isFlow(value) || value.items.length === 0) return undefined;
    const first = isMap(value) ? rangeOf(value.items[0]?.key as Node).start : (dashesOf(value)[0] ?? 0);
    const step = columnOf(this.#text, first) - columnOf(this.#text, rangeOf(key as Node).start);
    return step >= (isMap(value) ? 1 : 0) && step <= MAX_INDENT ? step : undefined;
  }
}
