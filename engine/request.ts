import type { ChildProcess } from "node:child_process";
import type { FailureCause } from "./errors.ts";
import type { OperationOutcome } from "./events.ts";
import type { CallType, Json, PropertyMap, SourcePosition } from "./model/types.ts";
import type { Plan, PlannedStep, Registration } from "./plan/types.ts";
import type { FileBackend } from "./state/backend.ts";
import type { ConfigRecord, SecretsManager, StackLock } from "./state/types.ts";

/** What to do with a stack. A preview is an `up` that changes nothing; refresh and destroy have `dryRun` for that. */
export interface OperationRequest {
  kind: "preview" | "up" | "refresh" | "destroy";
  dryRun?: boolean;
  project: string;
  stack: string;
  /** What the program sees as its organization; `organization` when left out, as Pulumi's file backend has it. */
  organization?: string;
  /** The folder of the project (of Pulumi.yaml). */
  root: string;
  /** Needed for preview and up. The others take it for the folder that providers are resolved from. */
  program?: ProgramOptions;
  config: { values: Record<string, string>; secretKeys: string[] };
  backend: FileBackend;
  secrets?: SecretsManager;
  /** Held by the caller; without it the operation takes the lock and releases it. */
  lock?: StackLock;
  /** How many provider calls may be under way at once. */
  parallel?: number;
  /** URNs, or patterns with `*`. */
  targets?: string[];
  targetDependents?: boolean;
  /** Refresh before an up, a preview or a destroy. */
  refresh?: boolean;
  /** Go on after a failure with what does not depend on the failed resource. */
  continueOnError?: boolean;
  /** Refresh: forget the recorded creates whose outcome is not known. */
  clearPendingCreates?: boolean;
  /** The plan that was reviewed: a step that is not in it fails before anything is called. */
  expectedPlan?: Plan;
  /** Milliseconds in which a provider has to answer a call; a resource's own time-out may be longer. Half an hour by default. */
  patienceMs?: number;
  /** Where processes for the program and its providers may be waiting. */
  spares?: WaitingProcesses | undefined;
  /** Modules whose exports the program is likely to use as providers: their process is started ahead. */
  providerModules?: readonly string[];
  /** Further environment for the provider host. */
  hostEnv?: Record<string, string>;
  /** Start nothing new; what is under way ends and is recorded. */
  cancel?: AbortSignal;
  /** Do not wait for what is under way either: it stays recorded as pending. */
  terminate?: AbortSignal;
  /** For the history. */
  message?: string;
  environment?: Record<string, string>;
  configRecord?: ConfigRecord;
}

/** Processes that are started before they are needed (host/spares.ts). */
export interface WaitingProcesses {
  /** One that waits for this, told to begin; undefined where there is none. */
  take(start: NodeStart, args: string[], keepsChannel: boolean): ChildProcess | undefined;
  /** One will be taken: it starts now, where none waits. */
  expect(start: NodeStart): void;
}

/** How a Node process is started, apart from what it is told when its work begins. */
export interface NodeStart {
  script: string;
  nodeArgs: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Packages that one that waits has loaded, found from its folder. */
  preload: readonly string[];
}

/**
 * A program that needs no process: what it declares is known, and it registers by calls. Resolves with the stack's outputs;
 * throws ProgramError for what is wrong with the program itself.
 */
export type DirectProgram = (engine: DirectEngine) => Promise<PropertyMap>;

export interface DirectEngine {
  readonly dryRun: boolean;
  /** Of the stack, whose children all resources are. */
  readonly stackUrn: string;
  /** Of such a child. */
  urn(type: string, name: string): string;
  /** What failed, or came when the run was stopped, is thrown for the program to pass on; it was told before. */
  register(registration: DirectRegistration): Promise<{ urn: string; id: string; outputs: PropertyMap }>;
  warn(message: string): void;
}

/** What is left out is as the SDK leaves it out. */
export type DirectRegistration = Pick<Registration, "type" | "name" | "inputs"> &
  Partial<Omit<Registration, "custom" | "source" | "stored" | "parent">> & {
    /** Where it is declared. */
    place?: SourcePosition | undefined;
  };

export interface ProgramOptions {
  /** A file or a folder, absolute or below the project's folder (`main` of Pulumi.yaml). The folder itself by default. */
  entry?: string;
  /** `runtime.options.typescript` of Pulumi.yaml: false leaves TypeScript to Node itself. True by default, as in Pulumi. */
  typescript?: boolean;
  /** `runtime.options.tsconfig`. */
  tsconfig?: string;
  /** `runtime.options.nodeargs`, split. */
  nodeArgs?: string[];
  env?: Record<string, string>;
  /** Packages that it will need: they are loaded while the run begins. Undefined: it starts when all that it is told is known. */
  preload?: readonly string[] | undefined;
  /** The program itself, where it needs no process. */
  direct?: DirectProgram | undefined;
}

/** One thing that went wrong. */
export interface Failure {
  cause: FailureCause;
  message: string;
  urn?: string;
  source?: SourcePosition;
}

/** An operation of an earlier run whose outcome is not known. */
export interface PendingOperation {
  urn: string;
  type: string;
  operation: CallType;
}

export interface OperationResult {
  result: OperationOutcome;
  /** Steps by operation, such as `{create: 3, same: 1}`; providers the engine manages by itself are not counted. */
  summary: Record<string, number>;
  /** Of the stack, in the clear. `secret`: the value is one, or holds one, and must not be shown. */
  outputs: Record<string, { value: Json; secret: boolean }>;
  /** What was done, or would be: the steps in the order they were decided, with their diffs. */
  plan: Plan;
  failures: Failure[];
  pendingFound: PendingOperation[];
  /** Of a preview: the run would leave every resource, the outputs and the order of things recorded as they are, and the program did not ask whether it is one. */
  unchanged: boolean;
  durationMs: number;
}

export type { Plan, PlannedStep };
