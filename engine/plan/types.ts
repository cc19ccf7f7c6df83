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

/** An alias as the program wrote it: a whole URN, or the parts that differ from today's. */
export type Alias =
  | { urn: string }
  | { name?: string; type?: string; project?: string; stack?: string; parent?: string; noParent?: true };

/** The program's request for one resource. The parent protects it, retains it, or takes it with it, if the program leaves that open. */
export interface Registration extends Pick<
  ResourceState,
  "deletedWith" | "protect" | "retainOnDelete" | "customTimeouts"
> {
  type: string;
  name: string;
  custom: boolean;
  parent?: string;
  inputs: PropertyMap;
  /** Reference of the provider that manages it; absent for components and providers. */
  provider?: string;
  /** Providers by package, for resources that name none. A component also has those of its parents. */
  providers?: Readonly<Record<string, string>>;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  aliases: Alias[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  additionalSecretOutputs: string[];
  hideDiffs: string[];
  deleteBeforeReplace?: boolean;
  source?: SourcePosition;
  /** The place as the state has it. */
  stored?: Pick<ResourceState, "sourcePosition" | "stackTrace">;
}

/** One thing to do. A step never changes a state in place: it yields a new one. */
export interface Step {
  op: StepOp;
  urn: string;
  type: string;
  /** The state before; absent for a plain create. */
  old?: ResourceState;
  /** The state to reach, without the values of the provider; absent for deletes. */
  new?: ResourceState;
  /** True if the step answers a registration of the program, or counts in the summary by itself. */
  logical: boolean;
  /** Properties that force the replacement. */
  keys: string[];
  /** Top-level properties that differ. */
  diffs: string[];
  detailedDiff: DetailedDiff;
  /** True for a resource that the targets leave out: it is not created, and nothing may depend on it. */
  skipped?: true;
  /** True for a step of a replacement whose old resource outlives it, or for a deletion that goes first. */
  pending?: true;
  ignoreChanges?: string[];
}

/** The questions of planning. The driver answers them. */
export type Ask = CheckAsk | DiffAsk;
interface Asked {
  urn: string;
  type: string;
  provider: string;
  /** True if the inputs may hold unknowns. */
  unknowns: boolean;
}
export interface CheckAsk extends Asked {
  kind: "check";
  olds: PropertyMap;
  news: PropertyMap;
}
export interface DiffAsk extends Asked {
  kind: "diff";
  id: string;
  oldInputs: PropertyMap;
  oldOutputs: PropertyMap;
  newInputs: PropertyMap;
  ignoreChanges: string[];
}

export type Answer = CheckAnswer | DiffAnswer;
export interface CheckAnswer {
  inputs: PropertyMap;
  failures: { property: string; reason: string }[];
}
export interface DiffAnswer {
  changes: "none" | "some" | "unknown";
  replaceKeys: string[];
  deleteBeforeReplace: boolean;
}

/** A computation that stops at each question and goes on with the answer. It does no I/O by itself. */
export type Planning<Result> = Generator<Ask, Result, Answer>;

/** The plan of one resource, as data that can be saved and compared. */
export interface PlannedStep {
  op: StepOp;
  urn: string;
  type: string;
  detailedDiff: DetailedDiff;
  keys: string[];
  /** A digest of each known input, with the stack's key for secrets, so that a saved plan holds a run to the reviewed values. */
  inputs: Record<string, string>;
  /** True for a provider that the engine manages by itself: it is not shown and not counted. */
  internal?: true;
  protect?: true;
  retainOnDelete?: true;
}

/** A plan that a preview saves and `up` gets as `expectedPlan`. */
export interface Plan {
  steps: PlannedStep[];
}

export interface PlannerOptions {
  project: string;
  stack: string;
  dryRun: boolean;
  targets?: readonly string[];
}
