/** What a run keeps of an object before it writes over it or deletes it, and what an undo puts back. Data alone. */
import type { JsonMap } from "../values/json.ts";
import type { ObjectKey } from "../definition/object-key.ts";

export interface Held {
  /** Inputs as the object had them right before. Of a map that is compared key by key: the keys that are written. */
  readonly then: JsonMap;
  /** What was about to be written in their place; nothing for a deletion. */
  readonly sent: JsonMap;
  /** What is written over and nobody can know: the service doesn't show it, and nobody had declared it. */
  readonly hidden: readonly string[];
  /** Content keys whose value no visitor got: an edit in the draft of a published page. */
  readonly unpublished?: readonly string[];
  /** Where the content map shows what is live: texts by content key that were in the draft alone, beside those of `then`. */
  readonly draft?: JsonMap;
  /** Content keys whose text in the draft was another one, and isn't known. */
  readonly draftUnknown?: readonly string[];
  /** What the program had changed last was held back: visitors had the revision before. */
  readonly waited?: true;
}

export interface Kept extends Held {
  /** STACK and OWN of the resource's identity. */
  readonly own: string;
  readonly kind: string;
  readonly id: string;
  readonly step: "update" | "adopt" | "delete";
  readonly account?: string;
  /** Why the object could not be read: then these are the values that the state knew. */
  readonly unread?: string;
}

export interface Keeper {
  /** Durable when the promise resolves. */
  keep(kept: Kept): Promise<void>;
}

/** What an undo writes beyond what the program declares. */
export interface Restore {
  /** Of objects that exist. */
  readonly objects: Readonly<Record<ObjectKey, RestoredObject>>;
  /** By OWN, inputs of objects that are made anew. */
  readonly anew: Readonly<Record<string, JsonMap>>;
  /** Of the same, what was in their drafts alone. */
  readonly anewDrafts: Readonly<Record<string, JsonMap>>;
}

export interface RestoredObject {
  /** Inputs to write. */
  readonly values: JsonMap;
  /** Inputs to write when the object is published: they were in its draft alone, and stay there. */
  readonly draft?: JsonMap;
  /** Outputs that are recorded as they were before: they had drifted then, and drift is told again. */
  readonly recorded: JsonMap;
  /** The resource goes, and the object stays: it had been taken over. */
  readonly letGo?: true;
}
