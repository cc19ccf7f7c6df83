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
