import type { DetailedDiff } from "../model/difference.ts";
import type { PropertyMap, ResourceState, SourcePosition } from "../model/types.ts";

/** The operations of Pulumi's engine, by its own names. */
export type StepOp =
  | "same"
  | "create"
  | "update"
  | "delete"
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  | "discard"
  | "discard-replaced"
  | "remove-pending-replace"
  | "refresh";

/** An alias as the program wrote it: a whole URN, or what differs from today's. */
export type Alias =
  | { urn: string }
  | { name?: string; type?: string; project?: string; stack?: string; parent?: string; noParent?: true };

/** What the program wants of one resource. */
export interface Registration {
  type: string;
  name: string;
  custom: boolean;
  parent?: string;
  inputs: PropertyMap;
  /** Reference of the provider that manages it; absent for components and for providers. */
  provider?: string;
  /** By package, for whatever is in it and names none: of a component, those of what it is in, too. */
  providers?: Readonly<Record<string, string>>;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  aliases: Alias[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  additionalSecretOutputs: string[];
  hideDiffs: string[];
  /** This and the next two are taken from the parent where the program leaves them open. */
  protect?: boolean;
  retainOnDelete?: boolean;
  deletedWith?: string;
  deleteBeforeReplace?: boolean;
  customTimeouts?: { create?: number; update?: number; delete?: number };
  source?: SourcePosition;
  /** The same as the state has it. */
  stored?: Pick<ResourceState, "sourcePosition" | "stackTrace">;
}

/** One thing to do. States are never changed in place: applying a step yields a new one. */
export interface Step {
  op: StepOp;
  urn: string;
  type: string;
  /** The state before; absent for a plain create. */
  old?: ResourceState;
  /** The state to reach, still without what only the provider can tell; absent for deletes. */
  new?: ResourceState;
  /** Answers a registration of the program, or counts in the summary by itself. */
  logical: boolean;
  /** Properties that force the replacement. */
  keys: string[];
  /** Top-level properties that differ. */
  diffs: string[];
  detailedDiff: DetailedDiff;
  /** A resource the targets leave out: it is not created, and nothing may depend on it. */
  skipped?: true;
  /** The step belongs to a replacement whose old resource outlives it, or (for a delete) goes first. */
  pending?: true;
  ignoreChanges?: string[];
}

/** What planning needs to know and cannot know by itself. Whoever drives it answers. */
export type Ask = CheckAsk | DiffAsk;
export interface CheckAsk {
  kind: "check";
  urn: string;
  type: string;
  provider: string;
  olds: PropertyMap;
  news: PropertyMap;
  /** May hold unknowns. */
  unknowns: boolean;
}
export interface DiffAsk {
  kind: "diff";
  urn: string;
  type: string;
  provider: string;
  id: string;
  oldInputs: PropertyMap;
  oldOutputs: PropertyMap;
  newInputs: PropertyMap;
  ignoreChanges: string[];
  unknowns: boolean;
}

export type Answer = CheckAnswer | DiffAnswer;
export interface CheckAnswer {
  kind: "check";
  inputs: PropertyMap;
  failures: { property: string; reason: string }[];
}
export interface DiffAnswer {
  kind: "diff";
  changes: "none" | "some" | "unknown";
  replaceKeys: string[];
  deleteBeforeReplace: boolean;
}

/** A computation that stops at each question and goes on with its answer. It does no I/O by itself. */
export type Planning<Result> = Generator<Ask, Result, Answer>;

/** What a plan says of one resource, as data that can be saved and compared. */
export interface PlannedStep {
  op: StepOp;
  urn: string;
  type: string;
  detailedDiff: DetailedDiff;
  keys: string[];
  /** A digest of each input that is known, of secrets with the stack's key, so that a saved plan holds an apply to what was reviewed. */
  inputs: Record<string, string>;
  /** A provider that the engine manages by itself: not shown, not counted. */
  internal?: true;
  protect?: true;
  retainOnDelete?: true;
}

/** Saved by a preview and passed to `up` as `expectedPlan`. */
export interface Plan {
  steps: PlannedStep[];
}

export interface PlannerOptions {
  project: string;
  stack: string;
  dryRun: boolean;
  targets?: readonly string[];
  targetDependents?: boolean;
}
