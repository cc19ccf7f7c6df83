/** Finds where the parts of a YAML text begin and end, line by line. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  YAMLMap,
  type YAMLSeq,
} from "yaml";
import { keyOf, type Path } from "../../source/reader.ts";

/** The key or dash of a value, and its column. */
export interface Owner {
  /** The offset behind the colon or the dash. */
  readonly end: number;
  readonly column: number;
  /** True inside of brackets. */
  readonly flow: boolean;
  readonly isDash: boolean;
  readonly path: Path;
}

/** A node that stands in the text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the stretch of a value without the comment behind it. */
export function rangeOf(node: Node): Range {
  const [start = 0, end = 0] = node.range ?? [];
  return { start, end };
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Returns the offset behind the end of the line. */
export function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline + 1;
}

/** Returns the offset behind the line of an end. If the end is a line's end, returns it. */
export function behindLine(text: string, end: number): number {
  return end > 0 && text[end - 1] === "\n" ? end : nextLine(text, end);
}

export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

export function isFlow(node: Node): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

export function isBlockScalar(node: Node | null | undefined): node is Scalar<string> {
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}

export function pairAt(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyOf(pair) === key || (isScalar(pair.key) && pair.key.source === key));
}

/** Returns the offset behind the last character of a node, without the comments and blank lines that follow. */
export function contentEnd(text: string, node: Node): number {
  const { start, end } = rangeOf(node);
  if (isBlockScalar(node)) return hasBlankLines(text, node) ? end : trimmedEnd(text, start, end);
  const last = isFlow(node) ? undefined : lastPart(node);
  return last === undefined ? trimmedEnd(text, start, end) : last.end;

  function lastPart(of: Node): { end: number } | undefined {
    if (isMap(of)) {
      const pair = of.items.at(-1);
      return pair && { end: pairEnd(text, pair) };
    }
    const item = isSeq(of) ? (of.items.at(-1) as Node | null | undefined) : undefined;
    return item ? { end: contentEnd(text, item) } : undefined;
  }
}

export function pairEnd(text: string, pair: Pair): number {
  const colon = colonOf(pair);
  const value = pair.value as Node | null;
  const end = value?.range ? contentEnd(text, value) : 0;
  return Math.max(end, colon ?? 0, rangeOf(pair.key as Node).end);
}

/** Returns the offset behind the colon of a pair; undefined if there is none. */
function colonOf(pair: Pair): number | undefined {
  const { srcToken } = pair as { srcToken?: { sep?: readonly { type: string; offset: number; source: string }[] } };
  const colon = srcToken?.sep?.find(({ type }) => type === "map-value-ind");
  return colon && colon.offset + colon.source.length;
}

/** Returns the offsets of the dashes of a list in block style. */
export function dashesOf(list: YAMLSeq): number[] {
  const { srcToken } = list as unknown as {
    srcToken?: { items?: readonly { start: readonly { type: string; offset: number }[] }[] };
  };
  return (srcToken?.items ?? []).flatMap(
    ({ start }) => start.find(({ type }) => type === "seq-item-ind")?.offset ?? [],
  );
}

/** Tells if the blank lines below a text belong to it, which only |+ says. */
export function hasBlankLines(text: string, node: Node): boolean {
  return isBlockScalar(node) && /^[|>]\d?\+/.test(text.slice(rangeOf(node).start));
}

function trimmedEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length;
}

export function ownerOf(text: string, pair: Pair, map: YAMLMap, path: Path): Owner {
  const { start, end } = rangeOf(pair.key as Node);
  return { end: colonOf(pair) ?? end, column: columnOf(text, start), flow: isFlow(map), isDash: false, path };
}

export function ownerOfItem(text: string, list: YAMLSeq, index: number, path: Path): Owner {
  const { start } = rangeOf(list.items[index] as Node);
  if (isFlow(list)) return { end: start, column: 0, flow: true, isDash: true, path };
  const dash = dashesOf(list)[index] ?? start;
  return { end: dash + 1, column: columnOf(text, dash), flow: false, isDash: true, path };
}

export const PARSING = {
  uniqueKeys: false,
  keepSourceTokens: true,
  merge: true,
  logLevel: "error",
  prettyErrors: false,
} as const;

export function nested(path: Path, value: Node): Node {
  return [...path].reverse().reduce<Node>((inner, step) => {
    const map = new YAMLMap();
    map.items.push(new Pair(new Scalar(String(step)), inner));
    return map;
  }, value);
}

export function setIn(map: YAMLMap, path: Path, value: Node): void {
  const [step = "", ...rest] = path;
  const pair = pairAt(map, String(step));
  if (!pair) map.items.push(new Pair(new Scalar(String(step)), nested(rest, value)));
  else if (rest.length > 0 && isMap(pair.value)) setIn(pair.value, rest, value);
  else pair.value = nested(rest, value);
}

export function assign(target: unknown, path: Path, value: unknown): void {
  let here = target as Record<string, unknown>;
  for (const step of path.slice(0, -1)) {
    const next = Object.hasOwn(here, step) ? here[step] : undefined;
    const inner = typeof next === "object" && next !== null ? (next as Record<string, unknown>) : {};
    here[step] = inner;
    here = inner;
  }
  here[String(path.at(-1))] = value;
}

/** Returns JSON in which no two places share a value. */
export function plainOf(node: Document | Node, document?: Document): unknown {
  if ("contents" in node && "directives" in node) return unshared(node.toJS({ maxAliasCount: -1 }));
  const holder = document ?? parseDocument("");
  return unshared(node.toJS(holder, { maxAliasCount: -1 }));
}

/** Returns undefined if the text is no sound YAML, or refers to a missing anchor. */
export function plainIn(text: string): unknown {
  const document = parseDocument(text, PARSING);
  try {
    return document.errors.length > 0 ? undefined : plainOf(document);
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

function unshared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshared);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unshared(item)]));
}

export function remove(target: unknown, path: Path): void {
  const holder = path.slice(0, -1).reduce<unknown>((here, step) => Reflect.get(Object(here) as object, step), target);
  Reflect.deleteProperty(Object(holder) as object, path.at(-1) ?? "");
}

export function below(node: unknown, step: string | number): unknown {
  if (isMap(node)) return pairAt(node, String(step))?.value;
  return isSeq(node) ? node.items[Number(step)] : undefined;
}

export function valueOf(pair: Pair): Node {
  return (pair.value as Node | null) ?? new Scalar(null);
}

/** Tells if a node is empty, or brackets with nothing in them. */
export function isEmpty(node: Node): boolean {
  return (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0);
}

export function hasMerge(map: YAMLMap): boolean {
  return map.items.some((pair) => keyOf(pair) === "<<");
}

/** Starts from the value of an alias, so that a change adds to it. */
export function startOf(node: Node): YAMLMap {
  const map = new YAMLMap();
  if (isAlias(node)) map.items.push(new Pair(new Scalar("<<"), node));
  return map;
}
