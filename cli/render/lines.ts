/** A diff of lines, as `diff -U1` shows it. Pure. */
export interface DiffLine {
  mark: "+" | "-" | " " | "…";
  text: string;
}

/** Beyond that the table of the longest common subsequence is not worth its memory. */
const LARGEST = 2_000;

export function diffLines(olds: readonly string[], news: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < Math.min(olds.length, news.length) && olds[head] === news[head]) head++;
  let tail = 0;
  const most = Math.min(olds.length, news.length) - head;
  while (tail < most && olds[olds.length - 1 - tail] === news[news.length - 1 - tail]) tail++;
  const middle = compare(olds.slice(head, olds.length - tail), news.slice(head, news.length - tail));
  const same = (text: string): DiffLine => ({ mark: " ", text });
  return onlyNear([...olds.slice(0, head).map(same), ...middle, ...olds.slice(olds.length - tail).map(same)]);
}

function compare(olds: readonly string[], news: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ mark: "-", text });
  const added = (text: string): DiffLine => ({ mark: "+", text });
  if (olds.length * news.length > LARGEST * LARGEST) return [...olds.map(removed), ...news.map(added)];
  const lengths = commonLengths(olds, news);
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const result: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < olds.length || j < news.length) {
    const [old, now] = [olds[i], news[j]];
    if (old !== undefined && old === now) {
      result.push({ mark: " ", text: old });
      i++;
      j++;
    } else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) {
      result.push(removed(old));
      i++;
    } else if (now !== undefined) {
      result.push(added(now));
      j++;
    }
  }
  return result;
}

/** The length of the longest common subsequence of what follows each pair of places. */
function commonLengths(olds: readonly string[], news: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: olds.length + 1 }, () => new Uint16Array(news.length + 1));
  for (let i = olds.length - 1; i >= 0; i--) {
    const [row, below] = [table[i], table[i + 1]];
    if (!row || !below) continue;
    for (let j = news.length - 1; j >= 0; j--) {
      row[j] = olds[i] === news[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
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
