import type { Json, ResourceState, SecretsProvider } from "../model/types.ts";

export interface StackRef {
  project: string;
  stack: string;
}

/** Encrypts and decrypts the secrets of one stack. `PassphraseSecrets` is the only implementation. */
export interface SecretsManager {
  readonly provider: SecretsProvider;
  encrypt(plaintext: string): string;
  decrypt(ciphertext: string): string;
  /** Returns the same digest for the same text and key. Without the key, nobody can even guess the text from it. */
  digest(plaintext: string): string;
  /** Returns a manager for a checkpoint with another salt; itself if the salt is the same. */
  forProvider(provider: SecretsProvider): Promise<SecretsManager>;
}

/** The holder of a stack, as Pulumi writes it into the lock file. */
export interface LockHolder {
  pid: number;
  username: string;
  hostname: string;
  timestamp: string;
}

/** A held lock. Only one process at a time has it, also counting Pulumi's own command line. */
export interface StackLock {
  readonly ref: StackRef;
  /** Removed locks of processes of this host that no longer run: worth a line to the user. */
  readonly takenOver: readonly LockHolder[];
  check(): void;
  release(): Promise<void>;
}

export type UpdateKind = "update" | "refresh" | "destroy" | "import";
export type UpdateResult = "succeeded" | "failed" | "in-progress";

/** A stack's configuration as the history records it: secrets stay encrypted, as `{secure: ciphertext}`. */
export type ConfigRecord = Record<string, Json>;

export interface UpdateOptions {
  kind: UpdateKind;
  /** From `StackConfig.record()`, with secrets still encrypted. */
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

/** The record of `end`. `summary` counts steps by their operation, such as `{create: 3, same: 1}`. */
export interface UpdateSummary {
  result: UpdateResult;
  summary: Record<string, number>;
  startTime: number;
  endTime: number;
}

/** The effect of a step. `old` is the very object of the base or of an earlier `new`: a replaced resource's URN is there twice. */
export interface StateChange {
  old?: ResourceState;
  /** The state to keep. It goes after everything that the session has kept so far, so record dependencies first. */
  new?: ResourceState;
  /** True if `new` takes the place of `old`: outputs of a component, the result of a refresh, a `pendingReplacement` mark. */
  inPlace?: boolean;
  /** The old copy of a resource whose replacement is `new`. It stays with `delete: true` until a later `old` names it. */
  replaced?: ResourceState;
}
