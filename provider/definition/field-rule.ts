/** How one input of a kind is compared with the service, and what a change of it does. */
import type { Json, JsonMap } from "../values/json.ts";

export interface FieldRule {
  /**
   * What a changed value does to an existing object (default `update`): `replace` makes a new one, `refuse` fails with
   * the definition's reason, `none` has no effect on the service.
   */
  readonly onChange?: "update" | "replace" | "refuse" | "none";
  /** How the service shows this input in its answer (outputs). Absent: it never does, so the last sent value counts. */
  readonly live?: (answer: JsonMap, declared: Json) => Json | undefined;
  /** The outputs that `live` looks at, where it isn't the one of the input's name. */
  readonly shownBy?: readonly string[];
  /** The output that tells of an input which the service never answers, such as a count: a changed one means an edit. */
  readonly witness?: string;
  /** Whether such an answer may come of what was declared, where the value as a whole doesn't tell. */
  readonly comesOf?: (declared: Json, answer: JsonMap) => boolean;
  /** The value is a map compared key by key; keys that nobody declared are left alone. */
  readonly perKey?: boolean;
  /** Of a map that is compared key by key: this value is merged into what is there, so that what it no longer names stays. */
  readonly merges?: (value: Json) => boolean;
  /** What is sent when the program no longer declares the input. */
  readonly cleared?: Json;
  /** Nothing is sent then: the object keeps what it has, and the input is no longer managed. */
  readonly stays?: true;
  /** Of a map: what is said of an entry that nothing of the object uses. */
  readonly noUse?: string;
  /** An empty text stands for something else to the service, so that nothing stands for none. */
  readonly neverEmpty?: true;
  /** Such a value has to be shown: where nothing is, that is drift even where nothing was shown before. */
  readonly unmet?: (declared: Json | undefined) => boolean;
  /** The kind's own `diff` says what it means when the input is no longer declared. */
  readonly removalReplaces?: boolean;
  /** Why the input can't be left out once the object was made with it, with the remedy. */
  readonly removalRefused?: string;
  /** Of `replace`: what was made without it can't be given one. */
  readonly emptyStays?: true;
  /** Answers to writes show it, reads don't: a refresh can't see it. */
  readonly shownOnWrites?: boolean;
  /** What a change does, where one word doesn't say it. */
  readonly changeDoc?: string;
}

/** What becomes of an input that leaves the code. Every definition says so of each that may. */
export type Leaving =
  | { readonly cleared: Json }
  | { readonly stays: true }
  | { readonly removalReplaces: true }
  | { readonly onChange: "replace" | "refuse" | "none" };

/** The rules of a kind, by input. */
export interface FieldRules {
  rule(field: string): FieldRule;
}
