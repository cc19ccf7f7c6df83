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

/** An edit that can't be made without touching something else. */
export class EditRefused extends Error {
  override readonly name = "EditRefused";
  /** `shared`: an anchor gives the same value to another place. `unsafe`: what would come out is not what was meant. `layered`: no map is there to take it. */
  readonly reason: "shared" | "unsafe" | "layered";
  /** Offsets in the text of the places that play a part. */
  readonly places: readonly number[];

  constructor(reason: EditRefused["reason"], places: readonly number[]) {
    super(reason);
    this.reason = reason;
    this.places = places;
  }
}
