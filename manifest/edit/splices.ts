/** Replacements of stretches of a text, gathered and made at once. */

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Of several that begin at one place, the deepest comes first: what belongs to the inner stands before what follows it. */
  readonly depth: number;
}

export class Overlap extends Error {
  override readonly name = "Overlap";
}

export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || b.depth - a.depth);
  let result = "";
  let at = 0;
  for (const { start, end, text: replacement } of ordered) {
    if (start < at) throw new Overlap();
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
