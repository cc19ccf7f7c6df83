/** What edits say apart from any text: values as JSON, and maps that are made on the way to one. */
import { Pair, isMap, parseDocument, Scalar, YAMLMap, type Document, type Node, isAlias, isScalar, isSeq } from "yaml";
import { pairAt } from "./places.ts";
import { type Path, keyOf } from "../../source/nodes.ts";

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

/** As JSON, nothing shared by two places. */
export function plainOf(node: Document | Node, document?: Document): unknown {
  if ("contents" in node && "directives" in node) return unshared(node.toJS({ maxAliasCount: -1 }));
  const holder = document ?? parseDocument("");
  return unshared(node.toJS(holder, { maxAliasCount: -1 }));
}

/** Nothing, where it is no sound YAML, or refers to what isn't there. */
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

/** Nothing, or brackets with nothing in them. */
export function isEmpty(node: Node): boolean {
  return (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0);
}

export function hasMerge(map: YAMLMap): boolean {
  return map.items.some((pair) => keyOf(pair) === "<<");
}

/** What stands by an alias is taken in, so that a change adds to it. */
export function startOf(node: Node): YAMLMap {
  const map = new YAMLMap();
  if (isAlias(node)) map.items.push(new Pair(new Scalar("<<"), node));
  return map;
}
