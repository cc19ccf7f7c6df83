/**
 * The types of the whole engine: property values and resources, field for field as in Pulumi's checkpoint (version 3 and 4).
 *
 * Property values are Pulumi's wire JSON. In memory a secret is `{[SIG_KEY]: SECRET_SIG, value}` in the clear; on disk it is `{[SIG_KEY]: SECRET_SIG,
 * ciphertext}`. Only engine/state/ sees the second form.
 */

/** The key that marks a JSON object as a special value (secret, asset, archive, resource reference). */
export const SIG_KEY = "4dabf18193072939515e22adb298388d";
export const SECRET_SIG = "1b47061264138c4ac30d75fd1eb44270";
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** The type of the one root resource of every stack. */
export const ROOT_STACK_TYPE = "pulumi:pulumi:Stack";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type PropertyMap = Record<string, Json>;

/** One resource of a stack, field for field as in the checkpoint. A spread keeps fields that this version does not know. */
export interface ResourceState {
  urn: string;
  /** True if a provider manages it, false for components. */
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
  /** True if it was deleted before its replacement exists. The next run creates it. */
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

export type CallType = "creating" | "updating" | "deleting" | "reading" | "importing";

/** A call to a provider that has begun and whose end is not recorded. */
export interface PendingCall {
  resource: ResourceState;
  type: CallType;
}

export interface Manifest {
  time: string;
  /** The SHA-256 of the version, which Pulumi checks; empty for an empty stack. */
  magic: string;
  version: string;
}

export interface SecretsProvider {
  type: string;
  state: Json;
}

/** A stack's state, decrypted. Dependencies come before their dependents in `resources`. */
export interface Deployment {
  manifest: Manifest;
  secretsProvider?: SecretsProvider;
  readonly resources: readonly ResourceState[];
  readonly pendingOperations: readonly PendingCall[];
  metadata: PropertyMap;
}

/** A place in the program, as the SDK reports it. */
export interface SourcePosition {
  file: string;
  line: number;
  column: number;
}
