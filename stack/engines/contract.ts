/** One interface for both engines: the same request, the same stream of events, the same result. */
import type {
  EngineEvent,
  FailureCause,
  OperationResult,
  ProgramOptions,
  ResourceState,
  SecretsManager,
  Spares,
} from "../../engine/index.ts";
import { guideTo } from "../../provider/messages/failures.ts";
import type { Restore } from "../../provider/history/kept.ts";
import type { ForeignEditsSettings } from "../../provider/messages/foreign-edits.ts";
import type { AccountOfKey, RunFacts } from "../../provider/pulumi/run-facts.ts";
import type { PreviewFacts } from "../../provider/preview/facts.ts";
import type { Failure } from "../report/model.ts";
import type { StackLedger } from "./ledger.ts";
import type { PlannedStep, RunResult } from "../report/run-result.ts";
import type { StateResource } from "./recorded.ts";

export type OperationKind = "preview" | "up" | "refresh" | "destroy";

export const CHANGES_THE_ACCOUNT: ReadonlySet<OperationKind> = new Set(["up", "destroy"]);

export const RUNS_A_PROGRAM: ReadonlySet<OperationKind> = new Set(["preview", "up"]);

export interface RunRequest {
  kind: OperationKind;
  /** For a refresh or a destroy: changes nothing. */
  dryRun?: boolean;
  parallel?: number;
  targets?: string[];
  /** Reads the existing objects before planning. */
  refresh?: boolean;
  /** Reads the objects only to learn the stack's own work: what people have changed stays for a later run to meet. */
  goesOn?: true;
  continueOnError?: boolean;
  /** Reads everything, even if nothing seems to have changed. */
  full?: boolean;
  /** The reviewed plan that the run has to follow: the `plan` that `run` returned. */
  expected?: unknown;
  wantsPlan?: boolean;
  foreignEdits?: Omit<ForeignEditsSettings, "stack">;
  /** The pages that make way, as the plan has seen them. */
  makesWay?: RunFacts["makesWay"];
  /** The file where the provider's host keeps the earlier values of objects, and the key that seals it. */
  record?: { readonly file: string; readonly key: string };
  /** The accounts of keys that the plan has asked just now. */
  keys?: readonly AccountOfKey[];
  /** A program that runs in place of the stack's own. */
  program?: ProgramOptions;
  /** Values to write beyond the declared ones. It needs `record`, or a key for a preview. */
  restore?: { readonly values: Restore; readonly key: string };
  /** The planned changes, if the run follows its plan. */
  planned?: readonly PlannedStep[];
  preview?: PreviewFacts | undefined;
  /** The commit whose reviewed plan the run applies, for `updates`. */
  reviewed?: string;
  verify?: boolean | undefined;
  /** Starts nothing new. Work that is under way ends and is recorded. */
  cancel?: AbortSignal;
  /** Doesn't wait for work that is under way either. */
  terminate?: AbortSignal;
}

/** Inputs by URN. */
export type SecretKeys = ReadonlyMap<string, readonly string[]>;

export interface Update {
  /** ISO-8601. */
  readonly at: string;
  readonly reviewed?: string;
}

export interface EngineOptions {
  verbose?: boolean;
  /** The processes of a caller who runs the program more than once. */
  spares?: Spares | undefined;
  /** The program will run at once, so its process starts while the state is read. */
  runsProgram?: boolean | undefined;
}

export interface Engine {
  readonly name: "embedded" | "pulumi";
  readonly version: string;
  readonly notes: readonly string[];
  /** The stack's secrets, if this process has opened them. */
  readonly secrets?: SecretsManager;
  /** The folder that holds the state; undefined where it isn't in one. */
  readonly stateFolder: string | undefined;
  run(request: RunRequest, onEvent: (event: EngineEvent) => void): Promise<RunResult>;
  /** The URNs of the stack's state. Undefined where it can't be read. */
  resources(): Promise<readonly string[] | undefined>;
  /** The resources of the stack's state, secrets in the clear. Undefined where it can't be read. */
  records(): Promise<readonly StateResource[] | undefined>;
  /** Objects that a killed run was creating, as the state tells. A run takes them out of the state. */
  underWay(): Promise<readonly StateResource[]>;
  ledger(): Promise<StackLedger>;
  /** URNs that an update looks at first because a run was killed. The update takes their drift into its plan. */
  looksFirstAt(): Promise<readonly string[]>;
  /** The resources of the state, secrets marked and in the clear. Undefined where the state can't be read. */
  states(): Promise<readonly ResourceState[] | undefined>;
  /** The texts of all secrets in the state and in these plans, as far as they can be decrypted. Landform hides these texts. */
  secretTexts(plan?: unknown): Promise<string[]>;
  /** The inputs whose secrets differ between two plans. Undefined where only a run that follows the reviewed plan can tell. */
  changedSecrets(reviewed: unknown, now: unknown): Promise<SecretKeys | undefined>;
  /** Updates that no history of Landform has, newest first, back to `since` at least. Absent where Landform's history has them all. */
  updates?(since: Date): Promise<readonly Update[]>;
  /** Removes the stack if this command made it and it is still empty. */
  forgetNew(): Promise<void>;
  /** Keeps every other run away until `close`. */
  hold(): Promise<void>;
  close(): Promise<void>;
}

/** Tells if an event is of a step that changes something. */
export function changes({ resourcePreEvent }: EngineEvent): boolean {
  return resourcePreEvent !== undefined && !["same", "refresh"].includes(resourcePreEvent.metadata.op);
}

/** By URN and input, a text that differs for different secrets. */
export type PlannedSecrets = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns the inputs whose secrets differ, or that are secret in only one plan. It looks at the resources that both plans change. */
export function changedKeys(reviewed: PlannedSecrets, now: PlannedSecrets): SecretKeys {
  const both = [...now].flatMap(([urn, today]) => {
    const then = reviewed.get(urn);
    if (then === undefined) return [];
    const keys = [...new Set([...then.keys(), ...today.keys()])].filter((key) => then.get(key) !== today.get(key));
    return keys.length === 0 ? [] : [[urn, keys] as const];
  });
  return new Map(both);
}

export function resultOf(result: OperationResult, wantsPlan: boolean): Omit<RunResult, "pending"> {
  return {
    result: result.result,
    outputs: result.outputs,
    failures: result.failures.map(failureOf),
    ...(wantsPlan ? { plan: result.plan } : {}),
    unchanged: result.unchanged,
  };
}

/** By cause of the engine, ours, and the entry of docs/troubleshooting.md. Errors of the program and of the provider explain themselves. */
const CAUSES: Record<FailureCause, readonly [Failure["cause"], entry?: string]> = {
  program: ["program"],
  registration: ["program", "registration"],
  check: ["program", "check"],
  unsupported: ["program", "unsupported"],
  protected: ["program", "protected"],
  target: ["program", "target"],
  "plan-violation": ["stale", "plan-violation"],
  provider: ["operation"],
  host: ["operation", "host"],
  state: ["operation", "state-failed"],
  internal: ["operation"],
};

function failureOf({ cause, message, urn, source }: OperationResult["failures"][number]): Failure {
  const [ours, entry] = CAUSES[cause];
  return {
    cause: ours,
    message,
    ...(entry === undefined ? {} : { guide: guideTo(entry) }),
    ...(urn === undefined ? {} : { urn }),
    ...(source === undefined ? {} : { source: `${source.file}:${source.line}:${source.column}` }),
  };
}
