/** A diff of lines, as `diff -U1` shows it. Pure. */
import { diffArrays } from "diff";

export interface DiffLine {
  mark: "+" | "-" | " " | "…";
  text: string;
}

/** Texts that differ in more lines are shown as gone and new. */
const MOST_DIFFERENCES = 4_000;

export function diffLines(olds: readonly string[], news: readonly string[]): DiffLine[] {
  const marked = (mark: DiffLine["mark"]) => (text: string) => ({ mark, text });
  const parts = diffArrays([...olds], [...news], { maxEditLength: MOST_DIFFERENCES });
  if (parts === undefined) return [...olds.map(marked("-")), ...news.map(marked("+"))];
  return onlyNear(parts.flatMap(({ value, added, removed }) => value.map(marked(added ? "+" : removed ? "-" : " "))));
}

/** Unchanged lines only next to changed ones; the rest is an ellipsis. */
function onlyNear(lines: readonly DiffLine[]): DiffLine[] {
  const changed = (index: number) => lines[index] !== undefined && lines[index].mark !== " ";
  const near = (index: number) => changed(index) || changed(index - 1) || changed(index + 1);
  return lines.flatMap((line, index) => {
    if (near(index)) return [line];
    return near(index - 1) || index === 0 ? [{ mark: "…" as const, text: "" }] : [];
  });
}
