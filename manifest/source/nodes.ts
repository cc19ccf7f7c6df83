/** The values of a YAML text by where they begin, with every path that leads to them: aliases share what they stand for. */
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Pair } from "yaml";

export type Path = readonly (string | number)[];

/** The key of a pair as JSON has it. */
export function keyOf({ key }: Pair): string | undefined {
  if (!isScalar(key)) return undefined;
  const value = key.value as string | number | boolean | null;
  return value === null ? "" : String(value);
}

export interface NodeIndex {
  at(start: number): Node | undefined;
  pathsTo(start: number): readonly Path[];
}

export function indexOf(text: string): NodeIndex {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: "error", prettyErrors: false });
  const nodes = new Map<number, Node>();
  const paths = new Map<number, Path[]>();
  walk(document.contents, [], document, (node, path) => {
    const start = node.range?.[0];
    if (start === undefined) return;
    nodes.set(start, node);
    paths.set(start, [...(paths.get(start) ?? []), path]);
  });
  return { at: (start) => nodes.get(start), pathsTo: (start) => paths.get(start) ?? [] };
}

/** Leaves, and maps small enough to stand for a value. */
function walk(node: unknown, path: Path, document: Document, tell: (node: Node, path: Path) => void): void {
  if (isAlias(node)) {
    const target = node.resolve(document);
    if (target && !isMap(target) && !isSeq(target)) tell(target, path);
    return;
  }
  if (isMap(node)) {
    const [only, other] = node.items;
    if (only && !other && keyOf(only) === "file") tell(node, path);
    for (const pair of node.items) walk(pair.value, [...path, keyOf(pair) ?? ""], document, tell);
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) walk(item, [...path, index], document, tell);
  } else if (node !== null && node !== undefined) tell(node as Node, path);
}
