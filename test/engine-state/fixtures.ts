import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  FileBackend,
  PassphraseSecrets,
  type SecretsManager,
  type StackRef,
  type UpdateSession,
  type UpdateSummary,
} from "../../engine/index.ts";
import {
  type Deployment,
  type Json,
  type ResourceState,
  ROOT_STACK_TYPE,
  SECRET_SIG,
  SIG_KEY,
} from "../../engine/model/types.ts";

export const ref: StackRef = { project: "shop", stack: "dev" };
export const passphrase = "correct horse";

/** Makes a folder that is gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "landform-state-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function newBackend(): Promise<FileBackend> {
  return FileBackend.open(await temporaryFolder());
}

let shared: Promise<PassphraseSecrets> | undefined;

/** Returns one set of secrets for all tests of a file, because deriving the key takes its time. */
export function sharedSecrets(): Promise<PassphraseSecrets> {
  return (shared ??= PassphraseSecrets.create(passphrase));
}

export function secret(value: Json): Json {
  return { [SIG_KEY]: SECRET_SIG, value };
}

export const root: ResourceState = {
  urn: `urn:pulumi:dev::shop::${ROOT_STACK_TYPE}::shop-dev`,
  custom: false,
  type: ROOT_STACK_TYPE,
};

export const provider: ResourceState = {
  urn: "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default",
  custom: true,
  id: "11111111-2222-3333-4444-555555555555",
  type: "pulumi:providers:pulumi-nodejs",
};

export function urnOf(name: string): string {
  return `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/landform:Page::${name}`;
}

export function page(name: string, fields: Partial<ResourceState> = {}): ResourceState {
  return {
    urn: urnOf(name),
    custom: true,
    id: `id-${name}`,
    type: "pulumi-nodejs:dynamic/landform:Page",
    inputs: { name },
    outputs: { name, key: secret(`key of ${name}`) },
    parent: root.urn,
    provider: `${provider.urn}::${provider.id ?? ""}`,
    ...fields,
  };
}

export function summary(): UpdateSummary {
  return { result: "succeeded", summary: { create: 1 }, startTime: Date.now() - 3000, endTime: Date.now() };
}

/** Makes a stack that one run has left with these resources. */
export async function deployed(
  backend: FileBackend,
  secrets: SecretsManager | undefined,
  resources: ResourceState[],
): Promise<void> {
  await backend.create(ref, secrets);
  const lock = await backend.lock(ref);
  const session = await backend.begin(lock, secrets, { kind: "update" });
  for (const state of resources) await session.note({ new: state });
  await session.end(summary());
  await lock.release();
}

/** Drops the empty fields that a state loses on disk. */
export function lean(states: readonly ResourceState[]): unknown {
  return JSON.parse(
    JSON.stringify(states, (_key, value: unknown) =>
      value !== null && typeof value === "object" && Object.keys(value).length === 0 ? undefined : value,
    ),
  );
}

export function journalOf(backend: FileBackend): string {
  return join(backend.root, ".pulumi", "stacks", ref.project, `${ref.stack}.journal`);
}

export function checkpointOf(backend: FileBackend): string {
  return join(backend.root, ".pulumi", "stacks", ref.project, `${ref.stack}.json`);
}

/** Plays a run that stops without a word. kill.test.ts has a real kill. */
export async function interrupted(backend: FileBackend, run: (session: UpdateSession) => Promise<void>): Promise<void> {
  const lock = await backend.lock(ref);
  const session = await backend.begin(lock, await sharedSecrets(), { kind: "update" });
  await run(session);
  await session.abandon();
  await lock.release();
}

/** Returns the parts in which two states have to agree. */
export function essence(deployment: Deployment): unknown {
  return {
    resources: lean(deployment.resources),
    pending: deployment.pendingOperations.map(({ type, resource }) => `${type} ${resource.urn}`),
  };
}
