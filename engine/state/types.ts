/**
 * The shapes that the rest of the engine shares with the state: resources as Pulumi's checkpoint (version 3 and 4) names
 * their fields, and the sessions, locks and records built on them.
 *
 * Property values are Pulumi's wire JSON. In memory a secret is `{[SIG_KEY]: SECRET_SIG, value}` in the clear; on disk
 * it is `{[SIG_KEY]: SECRET_SIG, ciphertext}`. Nothing outside engine/state/ ever sees the second form.
 */

/** The key that marks a JSON object as a special value (secret, asset, archive, resource reference). */
export const SIG_KEY = "4dabf18193072939515e22adb298388d";
/** The mark of a secret. */
export const SECRET_SIG = "1b47061264138c4ac30d75fd1eb44270";
/** Stands for a value that is not known yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** The type of the one root resource of every stack. */
export const ROOT_STACK_TYPE = "pulumi:pulumi:Stack";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type PropertyMap = Record<string, Json>;

/**
 * One resource of a stack, field for field as in the checkpoint. Fields this version does not know are kept as they
 * were read as long as a new state is made by spreading the old one.
 */
export interface ResourceState {
  urn: string;
  /** True when a provider manages it, false for components. */
  custom: boolean;
  /** True for the old copy of a replaced resource that still has to be deleted. */
  delete?: boolean;
  id?: string;
  type: string;
  inputs?: PropertyMap;
  outputs?: PropertyMap;
  parent?: string;
  protect?: boolean;
  taint?: boolean;
  external?: boolean;
  dependencies?: string[];
  initErrors?: string[];
  /** `<urn of the provider>::<id of the provider>`. */
  provider?: string;
  propertyDependencies?: Record<string, string[]>;
  /** Deleted before its replacement exists; the next run creates it. */
  pendingReplacement?: boolean;
  additionalSecretOutputs?: string[];
  aliases?: string[];
  customTimeouts?: { create?: number; update?: number; delete?: number };
  importID?: string;
  retainOnDelete?: boolean;
  deletedWith?: string;
  replaceWith?: string[];
  created?: string;
  modified?: string;
  sourcePosition?: string;
  stackTrace?: { sourcePosition?: string }[];
  ignoreChanges?: string[];
  hideDiff?: Json[];
  replaceOnChanges?: string[];
  replacementTrigger?: Json;
  refreshBeforeUpdate?: boolean;
  viewOf?: string;
  resourceHooks?: Record<string, string[]>;
}

export type OperationType = "creating" | "updating" | "deleting" | "reading" | "importing";

/** A call to a provider that had begun and whose end is not recorded. */
export interface Operation {
  resource: ResourceState;
  type: OperationType;
}

export interface Manifest {
  /** RFC 3339. */
  time: string;
  /** SHA-256 of the version, which Pulumi checks; empty for an empty stack. */
  magic: string;
  version: string;
}

/** How the secrets of a checkpoint are encrypted. */
export interface SecretsProvider {
  type: string;
  state: Json;
}

/** A stack's state, decrypted. Dependencies come before their dependents in `resources`. */
export interface Deployment {
  manifest: Manifest;
  secretsProvider?: SecretsProvider;
  resources: ResourceState[];
  pendingOperations: Operation[];
  metadata: PropertyMap;
}

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
  pending: Operation[];
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
  begin(operation: Operation): Promise<number>;
  /** The call succeeded (also in part, with `initErrors`): this is what it did. */
  commit(operation: number, change: StateChange): Promise<void>;
  /** The call certainly did nothing, or nothing is known beyond what the state holds already. */
  fail(operation: number): Promise<void>;
  /** A step without a call: same, a component and its outputs, a refresh, a state that is dropped. */
  note(change: StateChange): Promise<void>;
  /** An operation of `base.pendingOperations` has been cleared up. Unsettled creates stay recorded; the rest lapse. */
  settle(operation: Operation): Promise<void>;
  /** The state as it would be written now. */
  snapshot(): Deployment;
  /** Writes the checkpoint atomically, then history and backup, and removes the journal. The lock stays the caller's. */
  end(summary: UpdateSummary): Promise<void>;
  /** Gives the session up without a checkpoint: the journal stays, and the next session folds it. */
  abandon(): Promise<void>;
}
