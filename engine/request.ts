import type { ChildProcess } from "node:child_process";
import type { FailureCause } from "./errors.ts";
import type { OperationOutcome } from "./events.ts";
import type { Json, PropertyMap, SourcePosition } from "./model/types.ts";
import type { Plan, Registration } from "./plan/types.ts";
import type { FileBackend } from "./state/backend.ts";
import type { ConfigRecord, SecretsManager, StackLock } from "./state/types.ts";

/** The request for an operation on a stack. A preview is an `up` that changes nothing; refresh and destroy have `dryRun` for that. */
export interface OperationRequest {
  kind: "preview" | "up" | "refresh" | "destroy";
  dryRun?: boolean;
  project: string;
  stack: string;
  root: string;
  /** Needed for preview and up. The other operations resolve providers from its folder. */
  program?: ProgramOptions;
  /** PULUMI_CONFIG is `values`, PULUMI_CONFIG_SECRET_KEYS is `secretKeys`. */
  config: { values: Record<string, string>; secretKeys: string[] };
  backend: FileBackend;
  secrets?: SecretsManager;
  /** A lock that the caller holds. Without it, the operation takes the lock and releases it. */
  lock?: StackLock;
  parallel?: number;
  /** URNs, or patterns with `*`. */
  targets?: string[];
  refresh?: boolean;
  /** Goes on after a failure with everything that doesn't depend on the failed resource. */
  continueOnError?: boolean;
  /** The reviewed plan. A step that is not in it fails before any call. */
  expectedPlan?: Plan;
  /** The milliseconds that a provider's call may take; a resource's own time-out may be longer. Half an hour by default. */
  patienceMs?: number;
  /** Processes that may be waiting for the program and its providers. */
  spares?: WaitingProcesses | undefined;
  /** Modules that the program probably uses as providers: their process starts ahead. */
  providerModules?: readonly string[];
  /** Further environment for the provider host. */
  hostEnv?: Record<string, string>;
  /** Starts nothing new. Work that is under way ends and is recorded. */
  cancel?: AbortSignal;
  /** Doesn't wait for work that is under way: it stays recorded as pending. */
  terminate?: AbortSignal;
  configRecord?: ConfigRecord;
}

/** Processes that start before they are needed (sdk/spares.ts). */
export interface WaitingProcesses {
  /** Returns a process that waits for this start, and tells it to begin; undefined if none waits. */
  take(start: NodeStart, args: string[], keepsChannel: boolean): ChildProcess | undefined;
  /** Announces a start: a process starts now if none waits. */
  expect(start: NodeStart): void;
}

/** The start of a Node process, without the data that it gets when its work begins. */
export interface NodeStart {
  script: string;
  nodeArgs: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Packages that a waiting process has loaded, resolved from its folder. */
  preload: readonly string[];
}

/** A program that needs no process: it registers its resources by calls, resolves with the stack's outputs, and throws ProgramError. */
export type DirectProgram = (engine: DirectEngine) => Promise<PropertyMap>;

export interface DirectEngine {
  readonly dryRun: boolean;
  /** The URN of the stack, the parent of all resources. */
  readonly stackUrn: string;
  urn(type: string, name: string): string;
  /** Throws a failure or a stop, which the program passes on. The user has the message already. */
  register(registration: DirectRegistration): Promise<{ urn: string; id: string; outputs: PropertyMap }>;
  warn(message: string): void;
}

/** A registration. The SDK's defaults fill the gaps. */
export type DirectRegistration = Pick<Registration, "type" | "name" | "inputs"> &
  Partial<Omit<Registration, "custom" | "source" | "stored" | "parent">> & {
    place?: SourcePosition | undefined;
  };

export interface ProgramOptions {
  /** A file or a folder, absolute or below the project's folder (`main` of Pulumi.yaml). Default: the folder itself. */
  entry?: string;
  /** `runtime.options.typescript` of Pulumi.yaml: false leaves TypeScript to Node itself. True by default, as in Pulumi. */
  typescript?: boolean;
  tsconfig?: string;
  /** `runtime.options.nodeargs`, split. */
  nodeArgs?: string[];
  env?: Record<string, string>;
  /** Packages that the program needs: they load while the run begins. Undefined: the process starts when its environment is known. */
  preload?: readonly string[] | undefined;
  /** The program itself, if it needs no process. */
  direct?: DirectProgram | undefined;
}

export interface Failure {
  cause: FailureCause;
  message: string;
  urn?: string;
  source?: SourcePosition;
}

export interface OperationResult {
  result: OperationOutcome;
  /** Steps by operation, such as `{create: 3, same: 1}`, without providers that the engine manages. */
  summary: Record<string, number>;
  /** The outputs of the stack, in the clear. `secret`: the value is or holds a secret, and nobody may show it. */
  outputs: Record<string, { value: Json; secret: boolean }>;
  /** The steps that were done or would be, in the order of their decisions, with their diffs. */
  plan: Plan;
  failures: Failure[];
  /** True for a preview whose run would leave all resources, outputs and the recorded order. The program did not ask if it is a preview. */
  unchanged: boolean;
}

export type { Plan };
