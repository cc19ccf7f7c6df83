/** The plan of an undo as data. */
import type { Json, PropertyMap, ResourceState } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { type JsonMap, same } from "../../provider/values/json.ts";
import type { RunValues } from "../history/run-file.ts";
import type { Leaf } from "./leaves.ts";

/** A value that goes back. */
export interface Write {
  readonly leaf: Leaf;
  /** The earlier declared value; undefined if it wasn't declared. */
  readonly declared: Json | undefined;
  /** The value that the object showed before the run; undefined if nobody knows it. */
  readonly live: Json | undefined;
  /** The value that the run wrote, if nothing else is known about the run's result. */
  readonly sent: Json | undefined;
  /** True if the state still has the run's change. */
  readonly inState: boolean;
  /** True if the value has to be written separately, because it wasn't declared, or not with this value. */
  readonly restore: boolean;
  /** True if the value was only in the draft. It is written there after the publication of the others. */
  readonly unpublished?: true;
  /** The text of the draft that visitors did not see. It is written there after the publication of the others. */
  readonly draft?: Json;
  /** True if it refers to an object that is made anew. Its declaration stays. */
  readonly follows?: true;
  /** The value in the state, if the object had another one. */
  readonly recorded: Json | undefined;
}

/** Tells if a value is written beside the declared ones. */
export function isRestored({ restore, draft }: Pick<Write, "restore" | "draft">): boolean {
  return restore || draft !== undefined;
}

/** Tells if the run published a text of the draft as it was. Its declaration is the same before and after. */
export function wentAlong({ sent, draft }: Pick<Write, "sent" | "draft">): boolean {
  return draft !== undefined && same(sent, draft);
}

/** Tells if the undo writes a text into the draft that visitors don't see. */
export function putsIntoDraft({ due, anewDraft }: SettledStep): boolean {
  const isOfDraft = ({ draft, restore, unpublished }: Write): boolean =>
    draft !== undefined || (restore && unpublished === true);
  return Object.keys(anewDraft).length > 0 || due.some(isOfDraft);
}

type StepKind = "revert" | "remake" | "remove" | "let go";

export interface UndoStep {
  readonly kind: StepKind;
  /** The URN that the resource will have again. */
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly definition: AnyDefinition | undefined;
  readonly now: ResourceState | undefined;
  readonly before: ResourceState | undefined;
  readonly writes: readonly Write[];
  /** For an object that is made anew: its undeclared values. */
  readonly anew: JsonMap;
  /** The values that were only in its draft. They come back in the draft. */
  readonly anewDraft: JsonMap;
  /** Ids of other objects of the resource before the run, which others may still refer to. */
  readonly knownAs?: readonly string[];
  /** True if the declaration is already back, and work is left that an earlier undo could not do. */
  readonly carriesOn?: true;
  /** True if it is made anew only because an object that it refers to is made anew. */
  readonly isAnew?: true;
  /** For an object that comes back: the last run of the code declared it. */
  readonly isDeclared?: boolean;
}

/** Returns the inputs of both sides, with their marks of secrets. */
export function inputsAround({ before, now }: Pick<UndoStep, "before" | "now">): PropertyMap[] {
  return [before?.inputs ?? {}, now?.inputs ?? {}];
}

/** Tells if the object that the undo brings back never went: the code said to leave it in the account (`retainOnDelete`). */
export function isLeft({ before, now }: UndoStep): boolean {
  return before?.retainOnDelete === true && (before.id ?? "") !== "" && before.id !== now?.id;
}

export interface SettledStep extends UndoStep {
  readonly due: readonly Write[];
  readonly target: ResourceState | undefined;
}

/** A resource that the undo doesn't change otherwise, and that refers to an object that may be made anew. */
export interface Follower extends UndoStep {
  /** The present URNs of the resources that it refers to. */
  readonly follows: readonly string[];
  /** The earlier object that the new one will be like, if it is made anew. */
  readonly like: ResourceState | undefined;
}

/** No later run in the history reached the resource. */
export const UNKEPT = "changed by a run that is not in this history";

export interface Conflict {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Absent for the resource as a whole. */
  readonly leaf?: Leaf;
  readonly code:
    | "changed by a later run"
    | typeof UNKEPT
    | "changed by hand"
    | "deleted since"
    | "made again since"
    | "edited since";
  readonly now?: Json;
}

/** A value or an object that an undo can't bring back. */
export interface Lost {
  readonly type: string;
  readonly name: string;
  readonly text: string;
}

export interface UndoPlan {
  /** The values of the run, with the present ids. */
  readonly values: RunValues;
  readonly steps: readonly UndoStep[];
  readonly conflicts: readonly Conflict[];
  readonly lost: readonly Lost[];
}
