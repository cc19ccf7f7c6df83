/** Gathers replacements in a text and makes them at once, or gives the reason for a refusal. */
import type { Place, SourceFile } from "../source/file.ts";
import { locate } from "../source/parse.ts";

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** If several begin at one place, the deepest comes first, because the inner text comes before the text that follows it. */
  readonly depth?: number;
}

export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || (b.depth ?? 0) - (a.depth ?? 0));
  let result = "";
  let at = 0;
  for (const { start, end, text: replacement } of ordered) {
    if (start < at) throw new EditRefused("unsafe", [start]);
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** The reason why a value is not written into the code. */
export type Refusal =
  /** The value names the resource. */
  | { readonly code: "key of the row"; readonly place: Place }
  /** More places take the value than have changed. `used`: tells how many. `apart`: how to give this one a value of its own. */
  | { readonly code: "said elsewhere"; readonly used: string; readonly apart: string }
  /** The new text says the value that a variable has here, and has another one elsewhere. */
  | { readonly code: "of a variable"; readonly used: string; readonly apart: string }
  | { readonly code: "said differently"; readonly used: string; readonly apart: string }
  /** The entry stands for several rows. */
  | { readonly code: "said for all"; readonly place: Place; readonly of: string; readonly row: string }
  | { readonly code: "one text"; readonly place: Place }
  | { readonly code: "alias" }
  | { readonly code: "anchor"; readonly places: readonly Place[] }
  | { readonly code: "files" }
  | { readonly code: "unsafe"; readonly place: Place };

/** Says where a row of an `each` has a value of its own. */
export function ofRow(row: string): string {
  return `write it under rows: { ${JSON.stringify(row)}: … }`;
}

export function refusalText(refusal: Refusal): string {
  switch (refusal.code) {
    case "key of the row":
      return `${locate(refusal.place)} is the key of the row, and names the resource`;
    case "said elsewhere":
      return `${refusal.used}. To change all of them, change it there. To change this one, ${refusal.apart}`;
    case "of a variable":
      return `${refusal.used}, and the text says the value that a variable has here alone. To change all of them, write it there with the {{variable}}. To change this one, ${refusal.apart}`;
    case "said differently":
      return `${refusal.used}, and they differ now. To tell them apart, ${refusal.apart}`;
    case "said for all": {
      const { place, of, row } = refusal;
      return `${locate(place)} is used for all of ${of}. To change this one, ${ofRow(row)}`;
    }
    case "one text":
      return `${locate(refusal.place)} holds one text`;
    case "alias":
      return "written by an alias";
    case "anchor":
      return `${refusal.places.map(locate).join(" and ")} share one value: write it out for each`;
    case "files":
      return "it comes from files: write it into a map behind them in the list";
    case "unsafe":
      return `${locate(refusal.place)}: the value would be read as something else there, or change the text beside it`;
  }
}

/** A YAML edit that would touch another place. */
export class EditRefused extends Error {
  override readonly name = "EditRefused";
  /**
   * `shared`: an anchor gives the same value to another place. `unsafe`: the result would not be the intended one. `layered`: no map is there to take
   * the value.
   */
  readonly reason: "shared" | "unsafe" | "layered";
  /** Offsets of the places that matter. */
  readonly places: readonly number[];

  constructor(reason: EditRefused["reason"], places: readonly number[]) {
    super(reason);
    this.reason = reason;
    this.places = places;
  }
}

export function refusalOf({ reason, places }: EditRefused, file: SourceFile): Refusal {
  const at = places.map((start) => ({ file, start, end: start }));
  if (reason === "layered") return { code: "files" };
  return reason === "shared" ? { code: "anchor", places: at } : { code: "unsafe", place: at[0] ?? file.whole };
}
