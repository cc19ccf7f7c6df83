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
import { type Deployment, type ResourceState, ROOT_STACK_TYPE } from "../../engine/model/types.ts";
import { makeSecret } from "../../engine/model/values.ts";

export const ref: StackRef = { project: "shop", stack: "dev" };
export const passphrase = "correct horse";

/** Makes a folder that is gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "landform-state-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const newBackend = async (): Promise<FileBackend> => FileBackend.open(await temporaryFolder());

let shared: Promise<PassphraseSecrets> | undefined;

/** Returns one set of secrets for all tests of a file, because deriving the key takes its time. */
export const sharedSecrets = (): Promise<PassphraseSecrets> => (shared ??= PassphraseSecrets.create(passphrase));

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

export const urnOf = (name: string): string => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/landform:Page::${name}`;

export const page = (name: string, fields: Partial<ResourceState> = {}): ResourceState => ({
  urn: urnOf(name),
  custom: true,
  id: `id-${name}`,
  type: "pulumi-nodejs:dynamic/landform:Page",
  inputs: { name },
  outputs: { name, key: makeSecret(`key of ${name}`) },
  parent: root.urn,
  provider: `${provider.urn}::${provider.id ?? ""}`,
  ...fields,
});

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
  await locked(backend, async (lock) => {
    const session = await backend.begin(lock, secrets, { kind: "update" });
    for (const state of resources) await session.note({ new: state });
    await session.end(summary());
  });
}

export async function stackOf(...pages: ResourceState[]): Promise<FileBackend> {
  const backend = await newBackend();
  await deployed(backend, await sharedSecrets(), [root, provider, ...pages]);
  return backend;
}

type Lock = Awaited<ReturnType<FileBackend["lock"]>>;

export async function locked<Result>(backend: FileBackend, work: (lock: Lock) => Result | Promise<Result>) {
  const lock = await backend.lock(ref);
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

type Work = (session: UpdateSession) => unknown;

/** Plays a run that comes to its end. */
export async function ran(backend: FileBackend, work: Work, secrets?: SecretsManager): Promise<void> {
  await locked(backend, async (lock) => {
    const session = await backend.begin(lock, secrets ?? (await sharedSecrets()), { kind: "update" });
    await work(session);
    await session.end(summary());
  });
}

/** Plays a run that stops without a word. kill.test.ts has a real kill. */
export async function interrupted(backend: FileBackend, work: Work, secrets?: SecretsManager): Promise<void> {
  await locked(backend, async (lock) => {
    const session = await backend.begin(lock, secrets ?? (await sharedSecrets()), { kind: "update" });
    await work(session);
    await session.abandon();
  });
}

export async function creates(session: UpdateSession, state: ResourceState): Promise<void> {
  await session.commit(await session.begin({ type: "creating", resource: state }), { new: state });
}

/** Drops the empty fields that a state loses on disk. */
export const lean = (states: readonly ResourceState[]): unknown =>
  JSON.parse(
    JSON.stringify(states, (_key, value: unknown) =>
      value !== null && typeof value === "object" && Object.keys(value).length === 0 ? undefined : value,
    ),
  );

/** Returns the path of the stack's checkpoint, or of a file beside it. */
export const fileOf = (backend: FileBackend, extension = ".json"): string =>
  join(backend.root, ".pulumi", "stacks", ref.project, ref.stack + extension);

export const locksOf = (backend: FileBackend): string =>
  join(backend.root, ".pulumi", "locks", "organization", ref.project, ref.stack);

/** Returns the parts in which two states have to agree. */
export const essence = (deployment: Deployment): unknown => ({
  resources: lean(deployment.resources),
  pending: deployment.pendingOperations.map(({ type, resource }) => `${type} ${resource.urn}`),
});
