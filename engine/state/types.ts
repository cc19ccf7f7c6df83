import type { Deployment, Json, PendingCall, ResourceState, SecretsProvider } from "../model/types.ts";

/** The state as the rest of the engine uses it: sessions, locks and records. */

export interface StackRef {
  project: string;
  stack: string;
}

/** Encrypts and decrypts the secrets of one stack; `PassphraseSecrets` is the one implementation. */
export interface SecretsManager {
  /** As it is written to the checkpoint's `secrets_providers`. */
  readonly provider: SecretsProvider;
  encrypt(plaintext: string): string;
  decrypt(ciphertext: string): string;
  /** The same for the same text and key, and of no use to whoever hasn't the key: it can't even be guessed at. */
  digest(plaintext: string): string;
  /** A manager for a checkpoint that was written with another salt; itself where the salt is the same. */
  forProvider(provider: SecretsProvider): Promise<SecretsManager>;
}

/** Who holds a stack, as Pulumi writes it into the lock file. */
export interface LockHolder {
  pid: number;
  username: string;
  hostname: string;
  /** RFC 3339. */
  timestamp: string;
}

/** A held lock. Only one process at a time has it, Pulumi's own command line included. */
export interface StackLock {
  readonly ref: StackRef;
  /** Locks of processes of this host that no longer run, removed while taking this one: worth a line to the user. */
  readonly takenOver: readonly LockHolder[];
  /** Throws `LockLostError` where somebody has removed it. */
  check(): void;
  release(): Promise<void>;
}

export type UpdateKind = "update" | "refresh" | "destroy" | "import";
export type UpdateResult = "succeeded" | "failed" | "in-progress";

/** A stack's configuration as the history records it: secrets stay encrypted, as `{secure: ciphertext}`. */
export type ConfigRecord = Record<string, Json>;

export interface UpdateOptions {
  kind: UpdateKind;
  message?: string;
  /** Facts about the place that deploys, for instance `git.head`. */
  environment?: Record<string, string>;
  /** From `StackConfig.record()`: secrets still encrypted. */
  config?: ConfigRecord;
}

/** One entry of `pulumi stack history`. Times are seconds since 1970. */
export interface UpdateRecord {
  kind: string;
  startTime: number;
  message: string;
  environment: Record<string, string>;
  config: ConfigRecord;
  version: number;
  result: UpdateResult;
  endTime: number;
  resourceChanges?: Record<string, number>;
}

/** What `end` records. `summary` counts steps by their operation, such as `{create: 3, same: 1}`. */
export interface UpdateSummary {
  result: UpdateResult;
  summary: Record<string, number>;
  /** Milliseconds since 1970. */
  startTime: number;
  endTime: number;
}

/** What an interrupted run had left in its journal. */
export interface Recovery {
  /** Steps of that run that were folded into `base`. */
  steps: number;
  /** Calls that had begun and whose end nobody recorded: whether they happened is not known. */
  pending: readonly PendingCall[];
}

/**
 * What a step did to the state. `old` must be an object of `session.base.resources` or one that was passed as `new`
 * before (the very object, not a copy): a URN does not name a state, since a replaced resource is there twice.
 */
export interface StateChange {
  /** The state that is gone or superseded. */
  old?: ResourceState;
  /** The state to keep. It goes after everything the session has kept so far, so record dependencies first. */
  new?: ResourceState;
  /** `new` takes the place of `old`: outputs of a component, what a refresh read, a `pendingReplacement` mark. */
  inPlace?: boolean;
  /** The old copy of a resource whose replacement is `new`: kept with `delete: true` until a later `old` names it. */
  replaced?: ResourceState;
}

/**
 * The state during one operation on one stack. Every change is durable before its promise resolves; concurrent calls
 * share one disk flush. Objects passed in belong to the session: change them by passing a new object.
 */
export interface UpdateSession {
  readonly ref: StackRef;
  /** What the stack was when the session began, with what a killed run left already folded in. */
  readonly base: Deployment;
  readonly recovered: Recovery | undefined;
  /** Records a call before it is made. The number returned ends it with `commit` or `fail`. */
  begin(call: PendingCall): Promise<number>;
  /** The call succeeded (also in part, with `initErrors`): this is what it did. */
  commit(operation: number, change: StateChange): Promise<void>;
  /** The call certainly did nothing, or nothing is known beyond what the state holds already. */
  fail(operation: number): Promise<void>;
  /** A step without a call: same, a component and its outputs, a refresh, a state that is dropped. */
  note(change: StateChange): Promise<void>;
  /** An operation of `base.pendingOperations` has been cleared up. What is unsettled stays recorded. */
  settle(call: PendingCall): Promise<void>;
  /** The state as it would be written now. */
  snapshot(): Deployment;
  /** Writes the checkpoint atomically, then history and backup, and removes the journal. The lock stays the caller's. */
  end(summary: UpdateSummary): Promise<void>;
  /** Gives the session up without a checkpoint: the journal stays, and the next session folds it. */
  abandon(): Promise<void>;
}
