/** What goes from a map or a list: whole lines where they are its own, otherwise what leads up to what stays. */
import { isMap, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
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
} from "./places.ts";

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
