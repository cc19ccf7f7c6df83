/** The questions that a definition answers before anything is written: which parts of a planned change or deletion are sure to fail. */
import type { ForeignEditsSettings } from "../messages/foreign-edits.ts";
import type { Json, JsonMap } from "../values/json.ts";
import type { Path } from "../values/paths.ts";
import type { ObjectKey } from "../ledger/identity.ts";

export interface PlannedChange {
  readonly op: "create" | "adopt" | "update" | "replace" | "delete";
  readonly id?: string;
  readonly planned: ReadonlySet<ObjectKey>;
  /** Tells if an interrupted run began to create it. That run may have made the object that is now in its way. */
  readonly isBegun: () => Promise<boolean>;
  /** True if an earlier run failed on it: the state may know the declared value although the object never got it. */
  readonly carriesOn: boolean;
  readonly isPublic: boolean;
  /** The settings of the run and its stack about edits of others. The setting of the object itself ranks between the two. */
  readonly foreignEdits: Pick<ForeignEditsSettings, "option" | "stack">;
  /** Returns the new value; undefined if it doesn't change, or isn't known yet. */
  readonly value: (...path: string[]) => Json | undefined;
  /** Returns the declared value, changed or not; undefined if there is none, or if it isn't known yet. */
  readonly declared: (...path: string[]) => Json | undefined;
  /** Tells if the code has a value there that is not known here: it comes from a planned object, or is secret. */
  readonly hides: (...path: string[]) => boolean;
  /** Returns the existing objects that a declared reference may mean. It means exactly one of them. */
  readonly stands: (...path: string[]) => readonly string[];
  readonly added: (field: string) => string[];
}

/** A part of a planned change that is sure to fail: a sentence, and the input that it is about. */
export interface Foreseen {
  readonly text: string;
  readonly at: Path;
  readonly holder?: Holder;
}

export interface Holder {
  readonly key: ObjectKey;
  readonly id: string;
}

export interface TakenOver {
  readonly id: string;
  /** The project where it is and stays, since the API can't move it. */
  readonly project: string | null;
  /** Landform retired it, and gives it a new name and content. Otherwise it has that name already, and stays as it is. */
  readonly retired?: true;
}

export interface PlannedCreation {
  readonly name: string;
  /** Undefined without a project; null if it isn't known yet. */
  readonly projectId: string | null | undefined;
}

export interface PlannedDeletion {
  readonly id: string;
  /** Returns what the service shows of it; undefined if it is gone. A listed answer that is not accepted is read by its id. */
  readonly answer: (accept: (answer: JsonMap) => boolean) => Promise<JsonMap | undefined>;
  /** The objects that the plan deletes or replaces, without those that stay in the account. */
  readonly going: ReadonlySet<ObjectKey>;
  /** The objects whose reference to this one the plan changes to another. */
  readonly moving: ReadonlySet<ObjectKey>;
  /** The objects that the plan gives up and leaves in the account: nobody wants them deleted. */
  readonly left: ReadonlySet<ObjectKey>;
  /** STACK of the markers (identity.ts) of this stack's own leftovers, which the run removes. */
  readonly stack: string;
}

export interface ForeseenDeletion {
  /** The reasons why it is sure to fail, a sentence each. */
  readonly refused: readonly string[];
  /** True if the API can't delete it as things stand, so that it stays in the account. */
  readonly stays: boolean;
}
