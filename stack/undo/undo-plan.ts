/** The plan of an undo, as data. */
import type { Json, ResourceState } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type { Leaf } from "./leaves.ts";

/** A value that goes back to what it was. */
export interface Write {
  readonly leaf: Leaf;
  /** What was declared; undefined where it wasn't. */
  readonly declared: Json | undefined;
  /** How the object showed it before the run: undefined where nobody knows. */
  readonly live: Json | undefined;
  /** What the run wrote, where only that is known of what it left. */
  readonly sent: Json | undefined;
  /** The run's change is still in the state. */
  readonly inState: boolean;
  /** It has to be written by itself: it wasn't declared, or was not as declared. */
  readonly restore: boolean;
  /** It was in the draft alone: it is written there when the rest is published. */
  readonly unpublished?: true;
  /** What the draft said beside what visitors got: it is written there when the rest is published. */
  readonly draft?: Json;
  /** It refers to an object that is made anew, and stays as it is declared. */
  readonly follows?: true;
  /** How the state knew it, where the object wasn't so. */
  readonly recorded: Json | undefined;
}

/** Something is written beside what is declared. */
export function isRestored({ restore, draft }: Pick<Write, "restore" | "draft">): boolean {
  return restore || draft !== undefined;
}

type StepKind = "revert" | "remake" | "remove" | "let go";

export interface UndoStep {
  readonly kind: StepKind;
  /** Of the resource as it is to be called again. */
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly definition: AnyDefinition | undefined;
  readonly now: ResourceState | undefined;
  readonly before: ResourceState | undefined;
  readonly writes: readonly Write[];
  /** Of an object that is made anew: what it held beyond what was declared. */
  readonly anew: JsonMap;
  /** What was in its draft alone, and comes back there. */
  readonly anewDraft: JsonMap;
  /** Ids of other objects that stood for it before the run, and that something may have referred to by then. */
  readonly knownAs?: readonly string[];
  /** It is declared as before already, and what it left for a later run is still to be done. */
  readonly carriesOn?: true;
  /** Not for what it declares, but for what it refers to: that is made anew, and this one with it. */
  readonly isAnew?: true;
}

export interface SettledStep extends UndoStep {
  readonly due: readonly Write[];
  readonly target: ResourceState | undefined;
}

/** Of a resource that the undo is not about, and that refers to an object that may be made anew. */
export interface Follower extends UndoStep {
  /** URNs, as they are now, of what it refers to. */
  readonly follows: readonly string[];
  /** Where it is made anew: the object that was there before the run, and that the new one is to be like. */
  readonly like: ResourceState | undefined;
}

/** The history tells of no later run that came to the resource. */
export const UNKEPT = "changed by a run that is not in this history";

export interface Conflict {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Absent: the resource as a whole. */
  readonly leaf?: Leaf;
  readonly code:
    | "changed by a later run"
    | typeof UNKEPT
    | "changed by hand"
    | "deleted since"
    | "made again since"
    | "edited since";
  /** What stands there now. */
  readonly now?: Json;
}

/** What an undo can't bring back. */
export interface Lost {
  readonly type: string;
  readonly name: string;
  readonly text: string;
}

export interface UndoPlan {
  readonly steps: readonly UndoStep[];
  readonly conflicts: readonly Conflict[];
  readonly lost: readonly Lost[];
}
