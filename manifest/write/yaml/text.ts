/** Writes nodes as YAML text. */
import { Document, isMap, isScalar, isSeq, Pair, parse, Scalar, stringify, visit } from "yaml";
import { type Node, YAMLMap, YAMLParseError, YAMLSeq } from "yaml";
import { lineStart } from "../../source/file.ts";

export interface Style {
  /** The spaces of one level. */
  readonly indent: number;
  /** True if lists stand a level deeper than their key. */
  readonly indentSeq: boolean;
}

/** YAML's library indents no document deeper than this. */
const MAX_INDENT = 8;

/** Returns the style that the first map and the first list below a key have. */
export function styleOf(text: string, document: Document): Style {
  const found: { indent?: number; indentSeq?: boolean } = {};
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!(isMap(value) || isSeq(value)) || value.flow === true || !value.range) return;
      const step = columnOf(text, value.range[0]) - columnOf(text, (key as Node).range?.[0] ?? 0);
      if (isSeq(value)) found.indentSeq ??= step > 0;
      else if (step > 0 && step <= MAX_INDENT) found.indent ??= step;
    },
  });
  return { indent: 2, indentSeq: true, ...found };
}

/** Returns an entry of a map in lines of its own, at a column, without the comments above it. */
export function entryText(pair: Pair, column: number, style: Style): string {
  const map = new YAMLMap();
  map.items.push(new Pair(withoutLead(pair.key as Node), pair.value));
  return nodeText(map, style).replaceAll(/(?<=^|\n)(?=[^\n])/g, " ".repeat(column));
}

export function nodeText(node: Node, style: Style): string {
  visit(node, { Scalar: (_key, scalar) => quoteLooseEnds(scalar) });
  const document = new Document();
  document.contents = node;
  return withEscapes(
    document.toString({
      lineWidth: 0,
      indent: style.indent,
      indentSeq: style.indentSeq,
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
      verifyAliasOrder: false,
    }),
  );
}

/** Returns a value as it stands on the line of its key, or inside of brackets; undefined if it needs more lines. */
export function inlineText(value: Scalar, inBrackets: boolean): string | undefined {
  const bare = new Scalar(value.value);
  if (value.type !== undefined) bare.type = value.type;
  if (value.minFractionDigits !== undefined) bare.minFractionDigits = value.minFractionDigits;
  const holder = inBrackets ? new YAMLSeq() : new YAMLMap();
  holder.flow = inBrackets;
  if (isMap(holder)) holder.items.push(new Pair(new Scalar("k"), bare));
  else holder.items.push(bare);
  const text = nodeText(holder, { indent: 2, indentSeq: true }).trim();
  if (text.includes("\n")) return undefined;
  return inBrackets ? text.slice(1, -1).trim() : text.slice(2).trim();
}

/** Returns a node without the comments and the blank line above it. */
export function withoutLead(node: Node): Node {
  const bare = node.clone() as Node;
  delete bare.commentBefore;
  delete bare.spaceBefore;
  return bare;
}

export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

/**
 * A block that ends with blank lines takes in those below it, too. If a block's text begins with blanks, the library (2.8) always writes an
 * indentation of two.
 */
function quoteLooseEnds(scalar: Scalar): void {
  if (typeof scalar.value !== "string") return;
  if (/\n\n$|^\n+$|^\n*[ \t]/.test(scalar.value) || scalar.value.search(UNHELD) !== -1)
    scalar.type = Scalar.QUOTE_DOUBLE;
}

/** Characters that YAML can't hold as they are (1.2.2, 5.1), although the library writes them so (2.9, 2026-11-24). Double quotes escape them. */
const UNHELD = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g;

/** Escapes such characters in YAML of the library. They must stand in double quotes. */
export function withEscapes(yaml: string): string {
  return yaml.replace(UNHELD, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code}`;
  });
}

/** Returns the decimals of a number that is written as money. A value that comes in its place keeps them: 13.50 becomes 12.50, and 13.5 becomes 13. */
export function decimalsIn(written: string): number {
  return /^[+-]?\d+\.(\d{2,})$/.exec(written.trim())?.[1]?.length ?? 0;
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
