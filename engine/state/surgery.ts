import type { PendingCall, ResourceState } from "../model/types.ts";
import type { FileBackend } from "./backend.ts";
import {
  checkDeployment,
  decodeDeployment,
  encodeDeployment,
  exportedStack,
  type ExportedStack,
  newManifest,
  type StoredDeployment,
} from "./checkpoint.ts";
import { IntegrityError, JournalCorruptError, JournalMismatchError, RefusedImportError, StateError } from "./errors.ts";
import { integrityProblems, isOf } from "./integrity.ts";
import { qualifiedName } from "./layout.ts";
import { ManagedSecrets, shownSecrets } from "./secret-values.ts";
import type { LockHolder, SecretsManager, StackLock, StackRef } from "./types.ts";
import type { AgreedTo } from "./locks.ts";

/** The repair shop: exports and imports a stack's state as JSON, and clears away the remains of a killed run. */

/** Returns the same JSON as `pulumi stack export`. With `show`, secrets are readable. */
export async function exportState(backend: FileBackend, ref: StackRef, show?: SecretsManager): Promise<ExportedStack> {
  if (show === undefined) return exportedStack(await backend.readStored(ref));
  return exportedStack(encodeDeployment(await backend.read(ref, show), shownSecrets));
}

/** Returns the state in an export. Refuses one that is no state of this stack. */
export function checkImport(ref: StackRef, exported: unknown): StoredDeployment {
  const stored = checkExport(exported);
  const problems = [...foreignResources(ref, stored.resources ?? []), ...integrityProblems(stored.resources ?? [])];
  if (problems.length === 0) return stored;
  throw new RefusedImportError(
    `the state was not imported into ${qualifiedName(ref)}; correct the file and import it again:`,
    problems,
  );
}

/**
 * Replaces a stack's state by an export, whose secrets may be encrypted with the same passphrase or readable. Returns the pending operations of the
 * export, which it drops, as Pulumi does: an import says that the state is right. Makes the stack if there is none.
 */
export async function importState(
  backend: FileBackend,
  lock: StackLock,
  exported: unknown,
  secrets?: SecretsManager,
): Promise<{ dropped: readonly PendingCall[] }> {
  const stored = checkImport(lock.ref, exported);
  const provider = stored.secrets_providers;
  const reader = secrets !== undefined && provider !== undefined ? await secrets.forProvider(provider) : secrets;
  const codec = new ManagedSecrets(secrets, reader);
  const deployment = decodeDeployment(stored, codec);
  const dropped = deployment.pendingOperations;
  const secretsProvider = secrets?.provider ?? provider;
  const clean = { ...deployment, manifest: newManifest(), secretsProvider, pendingOperations: [] };
  await backend.replace(lock, encodeDeployment(clean, codec));
  return { dropped };
}

export interface Unlocked {
  holders: readonly LockHolder[];
  /** Steps of an interrupted run that are in the checkpoint now. */
  folded: number;
  /** The new place of a journal that does not fit the checkpoint. */
  setAside?: string;
}

/** Removes the locks of the stack, then folds their journal or sets it aside. Returns undefined if the person did not agree. */
export async function unlockStack(
  backend: FileBackend,
  ref: StackRef,
  agreed: AgreedTo,
): Promise<Unlocked | undefined> {
  const holders = await backend.breakLocks(ref, agreed);
  if (holders === undefined) return undefined;
  const lock = await backend.lock(ref);
  try {
    return { holders, folded: await backend.fold(lock) };
  } catch (error) {
    if (!UNUSABLE_JOURNAL.some((cause) => error instanceof cause)) throw error;
    return { holders, folded: 0, setAside: await backend.setJournalAside(lock) };
  } finally {
    await lock.release();
  }
}

const UNUSABLE_JOURNAL = [JournalCorruptError, JournalMismatchError, IntegrityError];

function checkExport(exported: unknown): StoredDeployment {
  if (exported === null || typeof exported !== "object" || !("version" in exported) || !("deployment" in exported))
    throw new RefusedImportError("the file is not an exported state: it has no `version` and `deployment`", []);
  const features = "features" in exported ? exported.features : undefined;
  try {
    return checkDeployment(exported.version, features, exported.deployment, "the exported state");
  } catch (error) {
    throw error instanceof StateError ? new RefusedImportError(error.message, []) : error;
  }
}

function foreignResources(ref: StackRef, resources: readonly ResourceState[]): string[] {
  const foreign = resources.filter(({ urn }) => !isOf(ref, urn));
  return foreign.map(({ urn }) => `${urn}: belongs to another stack than ${ref.project}/${ref.stack}`);
}
