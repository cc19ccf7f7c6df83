/** One interface for both engines: the same request, the same stream of events, the same result. */
import type { EngineEvent } from "../../engine/index.ts";
import type { ForeignEditsSettings } from "../../provider/lifecycle/run-context.ts";
import type { StateResource } from "./recorded.ts";
import type { Failure, Outcome } from "../report/model.ts";

export type OperationKind = "preview" | "up" | "refresh" | "destroy";

export interface RunRequest {
  kind: OperationKind;
  /** Of a refresh or a destroy: change nothing. */
  dryRun?: boolean;
  parallel?: number;
  targets?: string[];
  /** Read what exists before planning. */
  refresh?: boolean;
  /** Read everything, also where nothing seems to have changed. */
  full?: boolean;
  /** Hold the run to the plan that was reviewed; what `run` gave as `plan`. */
  expected?: unknown;
  /** Give the plan in the result. */
  wantsPlan?: boolean;
  /** About edits in drafts that are not the program's. */
  foreignEdits?: Pick<ForeignEditsSettings, "option" | "reviewed">;
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
  /** For `expected`. */
  plan?: unknown;
}

/** By URN, inputs. */
export type SecretKeys = ReadonlyMap<string, readonly string[]>;

export interface Engine {
  readonly name: "embedded" | "pulumi";
  readonly version: string;
  /** What the user should know about how the stack was opened. */
  readonly notes: readonly string[];
  run(request: RunRequest, onEvent: (event: EngineEvent) => void): Promise<RunResult>;
  /** The URNs of the stack's state. Undefined where it can't be read. */
  resources(): Promise<readonly string[] | undefined>;
  /** The resources of the stack's state, secrets in the clear. Undefined where it can't be read. */
  records(): Promise<readonly StateResource[] | undefined>;
  /** The texts of all secrets in the state and in these plans, as far as they can be decrypted, so that none is shown. */
  secretTexts(plan?: unknown): Promise<string[]>;
  /**
   * The inputs of which two plans (`RunResult.plan`) hold different secrets. Undefined where they can't be compared: only
   * a run that is held to the reviewed plan itself tells then.
   */
  changedSecrets(reviewed: unknown, now: unknown): Promise<SecretKeys | undefined>;
  /** Keeps every other run away until `close`. */
  hold(): Promise<void>;
  close(): Promise<void>;
}
