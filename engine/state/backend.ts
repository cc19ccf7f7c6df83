import { readdir, rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { type Deployment, type ResourceState, ROOT_STACK_TYPE } from "../model/types.ts";
import {
  decodeDeployment,
  emptyDeployment,
  encodeAround,
  encodeDeployment,
  type StoredDeployment,
} from "./checkpoint.ts";
import { IntegrityError, StackExistsError, StackNotEmptyError, UnsupportedBackendError } from "./errors.ts";
import { forgetTornAttributes, ifThere, namesIn, readIfThere, removeFile, writeAtomic } from "./files.ts";
import { addBackup, addHistory, readHistory } from "./history.ts";
import { integrityProblems } from "./integrity.ts";
import { JournalWriter } from "./journal.ts";
import { backendFolder, isName, Layout, qualifiedName } from "./layout.ts";
import { acquireLock, type AgreedTo, breakLocks, lockHolders, removeStale } from "./locks.ts";
import { encodeResource } from "./resources.ts";
import { ManagedSecrets } from "./secret-values.ts";
import { UpdateSession } from "./session.ts";
import { LastDecoded, LastParsed, StackStore } from "./store.ts";
import type {
  LockHolder,
  SecretsManager,
  StackLock,
  StackRef,
  UpdateOptions,
  UpdateRecord,
  UpdateSummary,
} from "./types.ts";

/** Stacks in a folder, in the layout of `pulumi login file://DIR`: Pulumi goes on where a run stopped. Every change of a stack takes its lock. */
export class FileBackend {
  readonly #layout: Layout;
  readonly #last = new LastParsed();
  readonly #lastDecoded = new LastDecoded();

  private constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Opens `file://…` (also `file://~`) or a folder, relative to `base` or the current one. It creates missing folders. */
  static async open(urlOrFolder: string, base?: string): Promise<FileBackend> {
    const layout = new Layout(backendFolder(urlOrFolder, base));
    await checkMeta(layout);
    return new FileBackend(layout);
  }

  get root(): string {
    return this.#layout.root;
  }

  /** Sorted by project, then stack. */
  async list(project?: string): Promise<StackRef[]> {
    const projects = project === undefined ? await foldersIn(this.#layout.stacks) : [project];
    const stacks = await Promise.all(projects.filter(isName).map((name) => this.#stacksOf(name)));
    return stacks.flat();
  }

  async exists(ref: StackRef): Promise<boolean> {
    return (await this.#store(ref).file()) !== undefined;
  }

  /** Prepares for a run of Pulumi's own, after a run that may have been killed while it wrote. */
  async forgetTornAttributes(ref: StackRef): Promise<void> {
    for (const file of [await this.#store(ref).file(), this.#layout.tags(ref)])
      if (file !== undefined) await forgetTornAttributes(file);
  }

  async create(ref: StackRef, secrets?: SecretsManager): Promise<void> {
    const lock = await this.lock(ref);
    try {
      if (await this.exists(ref))
        throw new StackExistsError(
          `the stack ${qualifiedName(ref)} exists already in ${this.root}; choose another name`,
        );
      await this.#store(ref).publish(emptyDeployment(secrets?.provider));
    } finally {
      await lock.release();
    }
  }

  /** Refuses a stack that still has resources unless `force`. The checkpoint stays as `.bak`. */
  async remove(lock: StackLock, options: { force?: boolean; withoutBackup?: boolean } = {}): Promise<void> {
    const { ref } = lock;
    const store = this.#store(ref);
    const file = await store.existingFile();
    const { stored } = await store.load();
    const resources = (stored.resources ?? []).filter((state) => state.type !== ROOT_STACK_TYPE);
    if (resources.length > 0 && options.force !== true)
      throw new StackNotEmptyError(
        `the stack ${qualifiedName(ref)} still has ${resources.length} ${resources.length === 1 ? "resource" : "resources"}, which removing it would forget`,
      );
    await store.recover();
    if (options.withoutBackup !== true) await store.keepBackup();
    await removeFile(file);
    await removeFile(this.#layout.tags(ref));
    await rm(this.#layout.history(ref), { recursive: true, force: true });
  }

  /** Returns the stack's state with the steps in the journal of an interrupted run. Throws `StackNotFoundError`. */
  async read(ref: StackRef, secrets?: SecretsManager): Promise<Deployment> {
    const { stored } = await this.#store(ref).load();
    return this.#lastDecoded.of(stored, secrets, async () => decodeDeployment(stored, await codecFor(stored, secrets)));
  }

  /** Returns the same with secrets still encrypted, which needs no passphrase. */
  async readStored(ref: StackRef): Promise<StoredDeployment> {
    return (await this.#store(ref).load()).stored;
  }

  async replace(lock: StackLock, stored: StoredDeployment): Promise<void> {
    const store = this.#store(lock.ref);
    if (await this.exists(lock.ref)) await store.recover();
    await store.publish(stored);
  }

  /** Throws `LockedError`, which names the holder of the stack. */
  async lock(ref: StackRef): Promise<StackLock> {
    await this.#store(ref).file();
    return acquireLock(this.#layout.locks(ref), ref);
  }

  /** Removes the locks of runs that are certainly gone, as `lock` does. */
  async forgetGoneLocks(ref: StackRef): Promise<LockHolder[]> {
    return removeStale(this.#layout.locks(ref));
  }

  async holders(ref: StackRef): Promise<LockHolder[]> {
    return lockHolders(this.#layout.locks(ref));
  }

  /** Removes every lock of the stack, for runs that are known to be gone. Throws `LockedError` if one is under way here. */
  async breakLocks(ref: StackRef, agreed: AgreedTo): Promise<LockHolder[] | undefined> {
    return breakLocks(this.#layout.locks(ref), ref, agreed);
  }

  async fold(lock: StackLock): Promise<number> {
    return this.#store(lock.ref).recover();
  }

  async setJournalAside(lock: StackLock): Promise<string | undefined> {
    return this.#store(lock.ref).setJournalAside();
  }

  async history(ref: StackRef): Promise<UpdateRecord[]> {
    return readHistory(this.#layout.history(ref));
  }

  /** Starts an operation that changes the stack, after folding the journal of an interrupted one. */
  async begin(lock: StackLock, secrets: SecretsManager | undefined, options: UpdateOptions): Promise<UpdateSession> {
    const { ref } = lock;
    const store = this.#store(ref);
    await store.recover();
    const { stored, hash } = await this.#underOneKey(store, secrets);
    const codec = new ManagedSecrets(secrets);
    const base = decodeDeployment(stored, codec);
    const problems = integrityProblems(base.resources);
    if (problems.length > 0)
      throw new IntegrityError(
        `the state of ${qualifiedName(ref)} is inconsistent; \`pulumi state repair\` may repair it, or an editor:`,
        problems,
      );
    const journal = new JournalWriter(store.journal, hash);
    return new UpdateSession({
      base,
      secretsProvider: secrets?.provider ?? base.secretsProvider,
      codec,
      journal,
      lock,
      finish: async (deployment, summary) => {
        lock.check();
        // A whole copy of thousands of resources would take as much memory again.
        const encode = (state: ResourceState) => encodeResource(state, codec);
        await store.publish(encodeAround(deployment, codec), (result) => journal.markFold(result), encode);
        await journal.discard();
        await this.#record(ref, options, summary);
      },
    });
  }

  /** Encrypts the checkpoint and the journal alike, because folding a journal has no key. */
  async #underOneKey(
    store: StackStore,
    secrets: SecretsManager | undefined,
  ): Promise<{ stored: StoredDeployment; hash: string }> {
    const loaded = await store.load();
    if (secrets === undefined || isDeepStrictEqual(loaded.stored.secrets_providers, secrets.provider)) return loaded;
    const codec = await codecFor(loaded.stored, secrets);
    const deployment = { ...decodeDeployment(loaded.stored, codec), secretsProvider: secrets.provider };
    await store.publish(encodeDeployment(deployment, codec));
    return store.load();
  }

  async #record(ref: StackRef, options: UpdateOptions, summary: UpdateSummary): Promise<void> {
    const record: UpdateRecord = {
      kind: options.kind,
      startTime: Math.floor(summary.startTime / 1000),
      message: "",
      environment: {},
      config: options.config ?? {},
      version: 0,
      result: summary.result,
      endTime: Math.floor(summary.endTime / 1000),
      resourceChanges: summary.summary,
    };
    const checkpoint = await this.#store(ref).existingFile();
    await addHistory(this.#layout.history(ref), ref, record, checkpoint);
    await addBackup(this.#layout.backups(ref), ref, checkpoint);
  }

  async #stacksOf(project: string): Promise<StackRef[]> {
    const names = await namesIn(this.#layout.projectStacks(project));
    const stacks = names
      .map((name) => /^(.+)\.json(\.gz|\.zst)?$/.exec(name)?.[1])
      .filter((name) => name !== undefined);
    return [...new Set(stacks.filter(isName))].sort().map((stack) => ({ project, stack }));
  }

  #store(ref: StackRef): StackStore {
    return new StackStore(this.#layout, ref, this.#last);
  }
}

/** Reads with the checkpoint's own salt and writes with the stack's. */
async function codecFor(stored: StoredDeployment, secrets: SecretsManager | undefined): Promise<ManagedSecrets> {
  if (secrets === undefined || stored.secrets_providers === undefined) return new ManagedSecrets(secrets);
  return new ManagedSecrets(secrets, await secrets.forProvider(stored.secrets_providers));
}

async function checkMeta(layout: Layout): Promise<void> {
  const bytes = await readIfThere(layout.meta);
  const meta: unknown = bytes === undefined ? undefined : parse(bytes.toString("utf8"));
  const version = meta !== null && typeof meta === "object" && "version" in meta ? meta.version : undefined;
  if (version === 1) return;
  const legacy = (await namesIn(layout.stacks)).some((name) => /\.json(\.gz|\.zst)?$/.test(name));
  if (bytes !== undefined || legacy)
    throw new UnsupportedBackendError(
      `${layout.bookkeeping} has ${bytes === undefined ? "the old layout without projects" : `layout version ${JSON.stringify(version)}`}; only version 1 is supported${
        version === undefined || version === 0 ? ": upgrade it with `pulumi state upgrade`" : ": use a newer landform"
      }`,
    );
  await writeAtomic(layout.meta, "version: 1\n");
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await ifThere(readdir(folder, { withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
