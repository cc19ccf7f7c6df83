/** What goes from a map or a list: whole lines where they are its own, otherwise what leads up to what stays. */
import { isMap, type Node, type Pair, type YAMLMap, type YAMLSeq, isAlias } from "yaml";
import {
  behindLine,
  contentEnd,
  dashesOf,
  isFlow,
  lineStart,
  nextLine,
  pairEnd,
  rangeOf,
  type Range,
  columnOf,
  hasBlankLines,
} from "./places.ts";
import { below as nodesBelow } from "./anchors.ts";

/** The stretches to cut out; some item has to stay. */
export function removals(text: string, from: YAMLMap | YAMLSeq, gone: ReadonlySet<number>): Range[] {
  const parts = partsOf(text, from);
  return runsOf(gone).map(([first, last]) => {
    const run = parts.slice(first, last + 1);
    if (run.every((part) => isAlone(text, part, isFlow(from)))) return wholeLines(text, run);
    const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0];
    const before = parts[first - 1];
    const next = parts[last + 1];
    if (!before) return { start, end: next?.start ?? end };
    const behindBefore = text.slice(before.end, start);
    return { start: behindBefore.includes("#") ? start : before.end, end };
  });
}

function partsOf(text: string, from: YAMLMap | YAMLSeq): Range[] {
  if (isMap(from))
    return from.items.map((pair: Pair) => ({ start: rangeOf(pair.key as Node).start, end: pairEnd(text, pair) }));
  const dashes = isFlow(from) ? [] : dashesOf(from);
  return (from.items as Node[]).map((item, index) => ({
    start: dashes[index] ?? rangeOf(item).start,
    end: Math.max(contentEnd(text, item), (dashes[index] ?? -1) + 1),
  }));
}

/** Neighbours that go together. */
function runsOf(gone: ReadonlySet<number>): [number, number][] {
  const runs: [number, number][] = [];
  for (const index of [...gone].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

function isAlone(text: string, { start, end }: Range, inBrackets: boolean): boolean {
  if (text.slice(lineStart(text, start), start).trim() !== "") return false;
  return !inBrackets || /^\s*,?\s*(#|$)/.test(text.slice(end, nextLine(text, end)));
}

/** From the first to the last, what stands in lines between them not counted. */
function wholeLines(text: string, run: readonly Range[]): Range {
  return { start: lineStart(text, run[0]?.start ?? 0), end: behindLine(text, run.at(-1)?.end ?? 0) };
}

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
