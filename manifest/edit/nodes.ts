/** Of the nodes of a YAML document. Pure. */
import { isAlias, isMap, isScalar, isSeq, Pair, Scalar, YAMLMap, type Node } from "yaml";
import { keyOf, pairAt } from "./places.ts";

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
