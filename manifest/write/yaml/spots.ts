/** Nodes with the places that hold them. */
import { isMap, isSeq, type Node, type Pair, type YAMLSeq } from "yaml";
import { valueOf } from "./places.ts";

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
