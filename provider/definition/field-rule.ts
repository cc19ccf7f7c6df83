import type { Json, JsonMap } from "../values/json.ts";

export interface FieldRule {
  /**
   * The effect of a changed value on an existing object (default `update`): `replace` makes a new one, `refuse` fails with the definition's
   * reason, `none` has no effect on the service.
   */
  readonly onChange?: "update" | "replace" | "refuse" | "none";
  /** Returns this input as the service shows it in its answer (outputs). Absent: the service never shows it, so the last sent value counts. */
  readonly shownValue?: (answer: JsonMap, declared: Json) => Json | undefined;
  /** The outputs that `shownValue` looks at, if not the one of the input's name. */
  readonly shownBy?: readonly string[];
  /** Outputs that change with this input alone, and that nobody compares. */
  readonly carries?: readonly string[];
  /** An output, such as a count, that changes with an input which the service never shows. If it changes, somebody edited the input. */
  readonly proxyOutput?: string;
  /** Tells if such an answer may come of the declared value, where the value as a whole doesn't tell. */
  readonly comesOf?: (declared: Json, answer: JsonMap) => boolean;
  /** The value is a map compared key by key; keys that nobody declared are left alone. */
  readonly perKey?: boolean;
  /** Tells if this value is merged into the existing map, so that keys it no longer names stay. For a map that is compared key by key. */
  readonly merges?: (value: Json) => boolean;
  /** The value that is sent if the program no longer declares the input. */
  readonly cleared?: Json;
  /** Nothing is sent if the program no longer declares the input: the object keeps its value, and the input is no longer managed. */
  readonly stays?: true;
  /** No value means "none": the service reads an empty text as something else. */
  readonly neverEmpty?: true;
  /** Tells if the service has to show such a value. If it shows nothing, that is drift, even if it showed nothing before. */
  readonly missingIsDrift?: (declared: Json | undefined) => boolean;
  /** The kind's own `diff` decides what happens if the input is no longer declared. */
  readonly removalReplaces?: boolean;
  /** The reason why the input can't be left out once the object was made with it, with the remedy. */
  readonly removalRefused?: string;
  /** For `replace`: an object that was made without the input can't be given one. */
  readonly emptyStays?: true;
  /** Tells if the object shows a value that a killed run of ours leaves on its way. Such a value is nobody's edit. */
  readonly isPassing?: (id: string, live: Json | undefined) => boolean;
  /** Answers to writes show the input and reads don't, so a refresh can't see it. */
  readonly shownOnWrites?: boolean;
  readonly changeDoc?: string;
}

/** The fate of an input that leaves the code. Every definition states it for each optional input. */
export type Leaving =
  | { readonly cleared: Json }
  | { readonly stays: true }
  | { readonly removalReplaces: true }
  | { readonly onChange: "replace" | "refuse" | "none" };

export interface FieldRules {
  rule(field: string): FieldRule;
}
