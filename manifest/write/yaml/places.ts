/** Finds nodes by their path, and where the parts of a YAML text begin and end. */
import { isAlias, isMap, isPair, isScalar, isSeq, Pair, parseDocument, Scalar, visit, YAMLMap } from "yaml";
import type { Document, Node, YAMLSeq } from "yaml";
import { lineEnd } from "../../source/file.ts";
import { keyOf, type Path } from "../../source/reader.ts";

export const PARSING = {
  uniqueKeys: false,
  keepSourceTokens: true,
  merge: true,
  logLevel: "error",
  prettyErrors: false,
} as const;

/** Returns the offset behind the line of an end. If the end is a line's end, returns it. */
export function behindLine(text: string, end: number): number {
  return end > 0 && text[end - 1] === "\n" ? end : Math.min(lineEnd(text, end) + 1, text.length);
}

/** Returns the end of each entry: without the comments and blank lines that follow, and with the comments that belong to its value. */
export function endsOf(text: string, document: Document): Map<Pair, { readonly end: number; readonly whole: number }> {
  const ends = new Map<Pair, { readonly end: number; readonly whole: number }>();
  visit(document, {
    Pair: (_key, pair) => {
      const end = pairEnd(text, pair);
      const last = Math.max(end, wholeEnd(text, pair.value as Node | null));
      const [blank = ""] = /(?<=\n)[ \t\r\n]+$/.exec(text.slice(Math.max(0, end - 1), last)) ?? [];
      ends.set(pair, { end, whole: Math.max(end, last - blank.length) });
    },
  });
  return ends;
}

function wholeEnd(text: string, node: Node | null): number {
  const [start, , end] = node?.range ?? [0, 0, 0];
  const last = (isMap(node) || isSeq(node)) && !node.comment ? lastIn(node) : undefined;
  if (last) return wholeEnd(text, isPair(last) ? (last.value as Node | null) : last);
  return isEmptyText(node) ? behindLine(text, start) : end;
}

/** Returns the last part of a block. */
function lastIn(node: Node): Node | Pair | undefined {
  if (isMap(node)) return node.flow ? undefined : node.items.at(-1);
  return isSeq(node) && !node.flow ? (node.items.at(-1) as Node | undefined) : undefined;
}

/** The library gives an empty value all comments below it (2.9, 2026-11). This gives them to what comes next. */
export function settleComments(text: string, document: Document): Document {
  let loose = "";
  visit(document, {
    Node: (key, node, path) => {
      if (loose !== "" && (key === "key" || isSeq(path.at(-1)))) {
        node.commentBefore = [loose, ...(node.commentBefore ? [node.commentBefore] : [])].join("\n");
        loose = "";
      }
      if (!isEmptyText(node) || !node.comment) return;
      const [start = 0, , end = 0] = node.range ?? [];
      const lines = node.comment.split("\n").filter((line) => line.trim() !== "");
      const behind = text.slice(start, end).split("\n");
      const above = lines.splice(0, lines.length - behind.filter((line) => line.includes("#")).length);
      node.comment = behind[0]?.includes("#") ? (lines.shift() ?? null) : null;
      if (above.length > 0) node.commentBefore = above.join("\n");
      loose = lines.join("\n");
    },
  });
  return document;
}

function isEmptyText(node: Node | null): node is Scalar {
  return isScalar(node) && node.range?.[0] === node.range?.[1];
}

function pairEnd(text: string, pair: Pair): number {
  const { srcToken } = pair as { srcToken?: { sep?: readonly { type: string; offset: number }[] } };
  const colon = srcToken?.sep?.find(({ type }) => type === "map-value-ind")?.offset ?? -1;
  const value = pair.value as Node | null;
  return Math.max(value?.range ? contentEnd(text, value) : 0, colon + 1, (pair.key as Node).range?.[1] ?? 0);
}

function contentEnd(text: string, node: Node): number {
  const [start, end] = node.range ?? [0, 0];
  const last = lastIn(node);
  if (isPair(last)) return pairEnd(text, last);
  if (last?.range) return contentEnd(text, last);
  return keepsBlankLines(text, node) ? end : start + text.slice(start, end).trimEnd().length;
}

/** Tells if the blank lines below a text belong to it, which only |+ says. */
function keepsBlankLines(text: string, node: Node): boolean {
  return (
    isScalar(node) && /^[|>]\d?\+/.test(text.slice(node.range?.[0] ?? 0)) && node.type?.startsWith("BLOCK") === true
  );
}

export function pairAt(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => keyOf(pair) === key || (isScalar(pair.key) && pair.key.source === key));
}

export function valueOf(pair: Pair): Node {
  return (pair.value as Node | null) ?? new Scalar(null);
}

/** Tells if a node is empty, or brackets with nothing in them. */
export function isEmpty(node: Node): boolean {
  return (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0);
}

/** Returns the map that takes the place of nothing, or of an alias: a change adds to the value of the alias. */
export function startOf(node: Node): YAMLMap {
  const map = new YAMLMap();
  if (isAlias(node)) map.items.push(new Pair(new Scalar("<<"), node));
  return map;
}

export function nested(path: Path, value: Node): Node {
  return [...path].reverse().reduce<Node>((inner, step) => {
    const map = new YAMLMap();
    map.items.push(new Pair(new Scalar(String(step)), inner));
    return map;
  }, value);
}

/** Returns a value with another one at a path. */
export function assigned(target: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  const inner = assigned(Reflect.get(Object(target) as object, step), rest, value);
  if (Array.isArray(target) && step in target) return (target as unknown[]).with(Number(step), inner);
  return { ...(typeof target === "object" ? target : {}), [step]: inner };
}

/** Returns JSON in which no two places share a value. */
export function plainOf(node: Document | Node, document?: Document): unknown {
  const options = { maxAliasCount: -1 };
  return unshared("directives" in node ? node.toJS(options) : node.toJS(document ?? parseDocument(""), options));
}

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

/** A node with the place that holds it. */
export interface Spot {
  readonly node: Node;
  readonly put: (node: Node) => void;
  /** The entries around the node, those in lines of their own. The last one is the smallest. */
  readonly within: readonly Pair[];
  /** True inside of brackets. */
  readonly flow: boolean;
}

export function belowOf({ node, within, flow }: Spot, pair: Pair): Spot {
  const isFlow = flow || (isMap(node) && node.flow === true);
  const put = (value: Node): void => {
    pair.value = value;
  };
  return { node: valueOf(pair), put, within: isFlow ? within : [...within, pair], flow: isFlow };
}

export function itemOf({ node, within, flow }: Spot, index: number): Spot | undefined {
  const item = isSeq(node) ? (node.items[index] as Node | undefined) : undefined;
  if (!isSeq(node) || item === undefined) return undefined;
  const put = (value: Node): void => {
    node.items[index] = value;
  };
  return { node: item, put, within, flow: flow || node.flow === true };
}

/**
 * Comments above an item that goes stay where they are: above the next one. Comments above the first item may be about the whole list. They belong to
 * the item if another item has comments, too.
 */
export function keepComments(list: YAMLSeq, items: readonly Node[], stays: readonly Node[]): void {
  const [first, ...others] = items;
  if (first && others.some((item) => item.commentBefore)) {
    first.commentBefore ??= list.commentBefore;
    list.commentBefore = null;
  }
  let above: string[] = [];
  for (const item of items) {
    above.push(item.commentBefore ?? "");
    if (!stays.includes(item)) continue;
    item.commentBefore = above.filter((one) => one !== "").join("\n");
    above = [];
  }
  const left = [...above, list.comment ?? ""].filter((one) => one !== "");
  if (above.length > 0 && left.length > 0) list.comment = left.join("\n");
}
