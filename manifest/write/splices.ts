/** Replacements of stretches of a text, gathered and made at once; and why one is not made. */
import type { Place, SourceFile } from "../source/file.ts";
import { locate } from "../source/parse.ts";

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Of several that begin at one place, the deepest comes first: what belongs to the inner stands before what follows it. */
  readonly depth?: number;
}

export class Overlap extends Error {
  override readonly name = "Overlap";
}

export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || (b.depth ?? 0) - (a.depth ?? 0));
  let result = "";
  let at = 0;
  for (const { start, end, text: replacement } of ordered) {
    if (start < at) throw new Overlap();
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Why a value is not written where the code says it. */
export type Refusal =
  /** The resource is named by it. */
  | { readonly code: "key of the row"; readonly place: Place }
  /** More places take it than have changed. */
  | { readonly code: "said elsewhere"; readonly place: Place; readonly uses: number }
  | { readonly code: "said differently"; readonly place: Place; readonly uses: number }
  /** The entry stands for several. */
  | { readonly code: "said for all"; readonly place: Place; readonly of: string; readonly row: Place | undefined }
  | { readonly code: "one text"; readonly place: Place }
  | { readonly code: "alias" }
  | { readonly code: "anchor"; readonly places: readonly Place[] }
  | { readonly code: "files" }
  | { readonly code: "unsafe"; readonly place: Place };

export function refusalText(refusal: Refusal): string {
  switch (refusal.code) {
    case "key of the row":
      return `${locate(refusal.place)} is the key of the row, which the resource is named by`;
    case "said elsewhere":
      return `${locate(refusal.place)} says it in ${refusal.uses} places: change it there for all, or write it out for this one`;
    case "said differently":
      return `${locate(refusal.place)} says it in ${refusal.uses} places, and they differ now`;
    case "said for all": {
      const { place, of, row } = refusal;
      const where = row === undefined ? "the rows" : `the row at ${locate(row)}, and the others,`;
      return `${locate(place)} says it for all of ${of}: give ${where} a field of it`;
    }
    case "one text":
      return `${locate(refusal.place)} holds one text`;
    case "alias":
      return "written by an alias";
    case "anchor":
      return `${refusal.places.map(locate).join(" and ")} share one value: write it out for each`;
    case "files":
      return "it is made of files: write it into a map behind them";
    case "unsafe":
      return `${locate(refusal.place)}: written there, it would be read as something else, or change what stands beside it`;
  }
}

/** An edit of YAML that can't be made without touching something else. */
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

export function refusalOf({ reason, places }: EditRefused, file: SourceFile): Refusal {
  const at = places.map((start) => ({ file, start, end: start }));
  if (reason === "layered") return { code: "files" };
  return reason === "shared" ? { code: "anchor", places: at } : { code: "unsafe", place: at[0] ?? file.whole };
}
