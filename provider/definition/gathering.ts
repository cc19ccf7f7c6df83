/** How objects are published together: one gathers others, which a run first writes as drafts. */
import type { Json, JsonMap } from "../values/json.ts";

export interface Gathering {
  readonly members: string;
  /** The input in which the members tell of their drafts, in their order. Nobody declares it. */
  readonly drafts: string;
  readonly filledIn: <Id, Drafts>(ids: readonly Id[], drafts: Drafts) => Record<string, readonly object[] | Drafts>;
  readonly memberIds: (inputs: JsonMap) => string[];
  /** Tells if a member was written since it was last published. `notes`: those of the gathering object. */
  readonly isDue: (notes: JsonMap, id: string, draft: unknown) => boolean;
}

export interface Gathered {
  /** The output that tells of the draft. Only a gathered object has it. */
  readonly draft: string;
  /** An output that every state has, and that no preview of an update knows. */
  readonly toldByState: string;
  /** Returns the one that the declared publication waits for; undefined if it waits for none. */
  readonly waitsFor: (inputs: JsonMap) => Json | undefined;
  /** Returns the outputs that tell the place where the draft will be public. */
  readonly placeIn: (outputs: JsonMap) => object | undefined;
  /** Returns the public values and, by the same names, those of the draft; undefined if nothing is public. */
  readonly valuesIn: (outputs: JsonMap) => { readonly then: JsonMap; readonly now: JsonMap } | undefined;
}
