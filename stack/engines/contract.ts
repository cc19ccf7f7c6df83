/** One interface for both engines: the same request, the same stream of events, the same result. */
import type {
  EngineEvent,
  FailureCause,
  Json,
  OperationResult,
  ProgramOptions,
  ResourceState,
  SecretsManager,
} from "../../engine/index.ts";
import { guideTo } from "../../provider/messages/failures.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";
import type { Restore } from "../../provider/history/kept.ts";
import type { ForeignEditsSettings } from "../../provider/messages/foreign-edits.ts";
import type { PreviewFacts } from "../../provider/preview/facts.ts";
import type { ChangeOp, Failure, Outcome } from "../report/model.ts";
import type { StackLedger } from "./ledger.ts";
import type { StateResource } from "./recorded.ts";

export type OperationKind = "preview" | "up" | "refresh" | "destroy";

export const CHANGES_THE_ACCOUNT: ReadonlySet<OperationKind> = new Set(["up", "destroy"]);

export const RUNS_A_PROGRAM: ReadonlySet<OperationKind> = new Set(["preview", "up"]);

/** One change of the plan that a run carries out. */
export interface PlannedStep {
  readonly urn: string;
  /** As the engine has it. */
  readonly type: string;
  readonly op: ChangeOp;
  /** As the program declares them: those that an engine asks for. */
  readonly inputs: Partial<Record<"adoptId" | "publish" | "reuse", Json>>;
}

export interface RunRequest {
  kind: OperationKind;
  /** Of a refresh or a destroy: change nothing. */
  dryRun?: boolean;
  parallel?: number;
  targets?: string[];
  /** Read what exists before planning. */
  refresh?: boolean;
  /** After a failure, go on with what doesn't depend on it. */
  continueOnError?: boolean;
  /** Read everything, also where nothing seems to have changed. */
  full?: boolean;
  /** Hold the run to the plan that was reviewed; what `run` gave as `plan`. */
  expected?: unknown;
  /** Give the plan in the result. */
  wantsPlan?: boolean;
  /** About edits in drafts that are not the program's. */
  foreignEdits?: Pick<ForeignEditsSettings, "option" | "reviewed">;
  /** Where the provider's host keeps what objects held before, and the key that it seals it with. */
  record?: { readonly file: string; readonly key: string };
  /** Runs in the place of the stack's own program. */
  program?: ProgramOptions;
  /** What is written beyond what the program declares; needs `record`, or for a preview a key. */
  restore?: { readonly values: Restore; readonly key: string };
  /** What was planned, where the run follows its plan. */
  planned?: readonly PlannedStep[];
  /** The program runs as a preview of itself. */
  preview?: PreviewFacts | undefined;
  /** The commit whose reviewed plan it applies, for `updates`. */
  reviewed?: string;
  /** Look at the public page after each publication. */
  verify?: boolean | undefined;
  /** Start nothing new; what is under way ends and is recorded. */
  cancel?: AbortSignal;
  /** Do not wait for what is under way either. */
  terminate?: AbortSignal;
}

export interface RunResult {
  result: Outcome;
  outputs: Record<string, { value: unknown; secret: boolean }>;
  failures: Failure[];
  /** Operations of an interrupted run. */
  pending: { urn: string; operation: string }[];
  /** By id, the URNs of the state's entries that have one object. */
  shared?: ReadonlyMap<ObjectKey, readonly string[]>;
  /** By URN, the URN that the option `deletedWith` names. */
  goesWith?: ReadonlyMap<string, string>;
  /** For `expected`. */
  plan?: unknown;
  /** Of a preview: an apply would leave everything recorded as it is. Left out where the engine doesn't tell. */
  unchanged?: boolean;
}

/** By URN, inputs. */
export type SecretKeys = ReadonlyMap<string, readonly string[]>;

/** What has changed a stack, as the engine's own history has it. */
export interface Update {
  /** ISO-8601. */
  readonly at: string;
  /** The commit whose reviewed plan it applied. */
  readonly reviewed?: string;
}

export interface Engine {
  readonly name: "embedded" | "pulumi";
  readonly version: string;
  /** What the user should know about how the stack was opened. */
  readonly notes: readonly string[];
  /** The stack's secrets, where this process has opened them. */
  readonly secrets?: SecretsManager;
  /** The folder that holds the state; undefined where it isn't in one. */
  readonly stateFolder: string | undefined;
  run(request: RunRequest, onEvent: (event: EngineEvent) => void): Promise<RunResult>;
  /** The URNs of the stack's state. Undefined where it can't be read. */
  resources(): Promise<readonly string[] | undefined>;
  /** The resources of the stack's state, secrets in the clear. Undefined where it can't be read. */
  records(): Promise<readonly StateResource[] | undefined>;
  /** What a killed run was creating, as the state tells; a run takes it out of there. */
  underWay(): Promise<readonly StateResource[]>;
  /** Creations that runs of this stack began, and no state holds. */
  ledger(): Promise<StackLedger>;
  /** URNs that an update looks at before anything else, because a run was killed: it takes their drift into its plan. */
  looksFirstAt(): Promise<readonly string[]>;
  /** The resources as the state has them, secrets marked and in the clear. Undefined where it can't be read. */
  states(): Promise<readonly ResourceState[] | undefined>;
  /** The texts of all secrets in the state and in these plans, as far as they can be decrypted, so that none is shown. */
  secretTexts(plan?: unknown): Promise<string[]>;
  /**
   * The inputs of which two plans (`RunResult.plan`) hold different secrets. Undefined where they can't be compared: only
   * a run that is held to the reviewed plan itself tells then.
   */
  changedSecrets(reviewed: unknown, now: unknown): Promise<SecretKeys | undefined>;
  /** Newest first, and back to `since` at least; for what no history of ours tells. Absent where that tells of all. */
  updates?(since: Date): Promise<readonly Update[]>;
  /** Removes the stack where this command has made it, and nothing has come to it. */
  forgetNew(): Promise<void>;
  /** Keeps every other run away until `close`. */
  hold(): Promise<void>;
  close(): Promise<void>;
}

/** By URN and input, what tells a secret from another. */
export type PlannedSecrets = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Of the resources that both plan something for, the inputs whose secrets differ, or that are secret in one plan alone. */
export function changedKeys(reviewed: PlannedSecrets, now: PlannedSecrets): SecretKeys {
  const both = [...now].flatMap(([urn, today]) => {
    const then = reviewed.get(urn);
    if (then === undefined) return [];
    const keys = [...new Set([...then.keys(), ...today.keys()])].filter((key) => then.get(key) !== today.get(key));
    return keys.length === 0 ? [] : [[urn, keys] as const];
  });
  return new Map(both);
}

export function resultOf(result: OperationResult, wantsPlan: boolean): RunResult {
  return {
    result: result.result,
    outputs: result.outputs,
    failures: result.failures.map(failureOf),
    pending: result.pendingFound.map(({ urn, operation }) => ({ urn, operation })),
    ...(wantsPlan ? { plan: result.plan } : {}),
    unchanged: result.unchanged,
  };
}

/** Errors of the engine that docs/troubleshooting.md explains; the program's own and the provider's speak for themselves. */
const ENTRIES: Partial<Record<FailureCause, string>> = {
  registration: "registration",
  check: "check",
  unsupported: "unsupported",
  protected: "protected",
  target: "target",
  "plan-violation": "plan-violation",
  host: "host",
  state: "state-failed",
};

const CAUSES: Record<FailureCause, Failure["cause"]> = {
  program: "program",
  registration: "program",
  check: "program",
  unsupported: "program",
  protected: "program",
  target: "program",
  "plan-violation": "stale",
  provider: "operation",
  host: "operation",
  state: "operation",
  internal: "operation",
};

function failureOf({ cause, message, urn, source }: OperationResult["failures"][number]): Failure {
  const entry = ENTRIES[cause];
  return {
    cause: CAUSES[cause],
    message,
    ...(entry === undefined ? {} : { guide: guideTo(entry) }),
    ...(urn === undefined ? {} : { urn }),
    ...(source === undefined ? {} : { source: `${source.file}:${source.line}:${source.column}` }),
  };
}
