/** What a definition is asked before anything is written: what of a planned change or deletion is sure to fail. */
import type { ForeignEditsSettings } from "../messages/foreign-edits.ts";
import type { Json } from "../values/json.ts";
import type { ObjectKey } from "../ledger/identity.ts";

/** A change that a plan tells of, for `foresee`. */
export interface PlannedChange {
  readonly op: "create" | "adopt" | "update" | "replace" | "delete";
  readonly id?: string;
  /** All objects that the plan changes. */
  readonly planned: ReadonlySet<ObjectKey>;
  /** A run that was interrupted began to create it: what is in its way may be what that made. */
  readonly isBegun: () => Promise<boolean>;
  /** An earlier run failed on it: what the code says may be known to the state, and never have come to the object. */
  readonly carriesOn: boolean;
  /** Visitors see it already. */
  readonly isPublic: boolean;
  /** What the run and its stack say about edits of others: the word of the object itself stands between the two. */
  readonly foreignEdits: Pick<ForeignEditsSettings, "option" | "stack">;
  /** Undefined where it doesn't change, or isn't known yet. */
  readonly value: (...path: string[]) => Json | undefined;
  /** As the code has it, changed or not; undefined where it isn't there, or isn't known yet. */
  readonly declared: (...path: string[]) => Json | undefined;
  /** Whether the code has something there that is not known here: it comes from what is planned, or is secret. */
  readonly hides: (...path: string[]) => boolean;
  /** The objects that a declared reference may stand for, where they are there already: several, where one of them is it. */
  readonly stands: (...path: string[]) => readonly string[];
  /** Keys of a map that are new in the code. */
  readonly added: (field: string) => string[];
}

/** What exists already, and a creation takes over. */
export interface TakenOver {
  readonly id: string;
  /** Where it is and stays, since the API can't move it. */
  readonly project: string | null;
}

/** A deletion that a plan tells of, for `foreseeDeletion`. */
export interface PlannedDeletion {
  readonly id: string;
  /** The objects that the plan deletes or replaces, and that don't stay. */
  readonly going: ReadonlySet<ObjectKey>;
  /** The objects whose reference to this one the plan changes to another. */
  readonly moving: ReadonlySet<ObjectKey>;
  /** STACK of the markers (identity.ts) of this stack's own leftovers, which the run removes. */
  readonly stack: string;
}

/** The deletion of one object and of nothing else. */
export function aloneOf(id: string): PlannedDeletion {
  return { id, going: new Set(), moving: new Set(), stack: "" };
}

export interface ForeseenDeletion {
  /** Why it is sure to fail, a sentence each. */
  readonly refused: readonly string[];
  /** The API can't delete it as things stand, so that it is left in the account. */
  readonly stays: boolean;
}
