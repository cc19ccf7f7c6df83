/**
 * Line-wise three-way merge. A YAML document is printed in one style, whatever the style it was written in; what an edit
 * changes in the print is carried over to the text as it was written, and the rest of it stays as it is, to the byte.
 */

/** How many differing lines are looked for before a text counts as written anew. */
const MAX_DISTANCE = 2_000;

/** `base` with the changes of both; where both changed the same lines, those of `theirs`. */
export function mergeLines(base: string, mine: string, theirs: string): string {
  const [original, left, right] = [base, mine, theirs].map((text) => text.split("\n")) as [
    string[],
    string[],
    string[],
  ];
  const inMine = matchLines(original, left);
  const inTheirs = matchLines(original, right);
  if (!inMine || !inTheirs) return theirs;
  const merged: string[] = [];
  let [fromBase, fromMine, fromTheirs] = [0, 0, 0];
  for (let line = 0; line <= original.length; line++) {
    const end = line === original.length;
    const mineLine = end ? left.length : inMine.get(line);
    const theirLine = end ? right.length : inTheirs.get(line);
    if (mineLine === undefined || theirLine === undefined) continue;
    const before = original.slice(fromBase, line);
    const theirChunk = right.slice(fromTheirs, theirLine);
    const untouched = before.length === theirChunk.length && before.every((text, index) => text === theirChunk[index]);
    merged.push(...(untouched ? left.slice(fromMine, mineLine) : theirChunk));
    if (!end) merged.push(original[line] ?? "");
    [fromBase, fromMine, fromTheirs] = [line + 1, mineLine + 1, theirLine + 1];
  }
  return merged.join("\n");
}

/** Lines of `a` that are in `b` too, in order (Myers, "An O(ND) difference algorithm"); undefined for too different texts. */
function matchLines(a: readonly string[], b: readonly string[]): Map<number, number> | undefined {
  const matches = new Map<number, number>();
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) matches.set(start, start++);
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) matches.set(--endA, --endB);
  const middle = matchMiddle(a.slice(start, endA), b.slice(start, endB));
  for (const [lineA, lineB] of middle ?? []) matches.set(start + lineA, start + lineB);
  return middle && matches;
}

function matchMiddle(a: readonly string[], b: readonly string[]): [number, number][] | undefined {
  /** Furthest line of `a` on each diagonal, one map for each distance. */
  const trace: Map<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let distance = 0; distance <= MAX_DISTANCE; distance++) {
    trace.push(new Map(furthest));
    const next = new Map(furthest);
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = stepDown(furthest, diagonal, distance) ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, a.length, b.length);
    }
    furthest = next;
  }
  return undefined;
}

function walkBack(trace: readonly Map<number, number>[], endA: number, endB: number): [number, number][] {
  const matches: [number, number][] = [];
  let [x, y] = [endA, endB];
  for (let distance = trace.length - 1; distance >= 0; distance--) {
    const furthest = trace[distance] ?? new Map<number, number>();
    const diagonal = x - y;
    const before = stepDown(furthest, diagonal, distance) ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = [at(furthest, before), at(furthest, before) - before];
    while (x > fromX && y > fromY && x > 0 && y > 0) matches.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return matches;
}

function stepDown(furthest: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean {
  if (diagonal === -distance) return true;
  return diagonal !== distance && at(furthest, diagonal - 1) < at(furthest, diagonal + 1);
}

function at(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? 0;
}
