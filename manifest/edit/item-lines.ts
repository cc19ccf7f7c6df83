/** The lines of an item of a list, with the comments that are about it. */
import { isAlias, type Node, type YAMLSeq } from "yaml";
import { below as nodesBelow } from "./anchors.ts";
import { behindLine, columnOf, contentEnd, dashesOf, hasBlankLines, isFlow, lineStart, type Range } from "./places.ts";

/** An item takes its lines along where they are its own, and mean the same elsewhere. */
export function canReorder(text: string, list: YAMLSeq): boolean {
  const nodes = (list.items as Node[]).flatMap((item) => [item, ...nodesBelow(item)]);
  const isBound = (node: Node): boolean =>
    isAlias(node) || (node as { anchor?: string }).anchor !== undefined || hasBlankLines(text, node);
  return haveLines(text, list) && !nodes.some(isBound);
}

function haveLines(text: string, list: YAMLSeq): boolean {
  const dashes = dashesOf(list);
  if (isFlow(list) || dashes.length !== list.items.length) return false;
  return dashes.every((dash) => text.slice(lineStart(text, dash), dash).trim() === "");
}

export function linesOf(text: string, list: YAMLSeq, index: number): Range {
  const dash = dashesOf(list)[index] ?? 0;
  const end = Math.max(contentEnd(text, list.items[index] as Node), dash + 1);
  return { start: startOfLines(text, list, index), end: behindLine(text, end) };
}

/**
 * With the comments directly above it. Above the first item they may be about the whole list: they are about the item where
 * another one has its own, too.
 */
export function startOfLines(text: string, list: YAMLSeq, index: number): number {
  const starts = dashesOf(list).map((dash) => withComments(text, dash));
  const isPerItem = index > 0 || starts.slice(1).some(({ commented }) => commented);
  const { line = 0, start = 0 } = starts[index] ?? {};
  return isPerItem ? start : line;
}

function withComments(text: string, dash: number): { line: number; start: number; commented: boolean } {
  const line = lineStart(text, dash);
  const comment = `${" ".repeat(columnOf(text, dash))}#`;
  let start = line;
  while (start > 0) {
    const above = lineStart(text, start - 1);
    if (!text.startsWith(comment, above)) break;
    start = above;
  }
  return { line, start, commented: start < line };
}
