/** Stacks in a folder, in Pulumi's layout. */
import { rmSync } from "node:fs";
import {
  checkImport,
  describeHolder,
  type ExportedStack,
  exportState,
  type FileBackend,
  importState,
  isDefaultProvider,
  isRootStack,
  type StackLock,
  unlockStack,
} from "../../engine/index.ts";
import { historyFolder } from "../history/place.ts";
import { stackOf } from "../../provider/ledger/identity.ts";
import { ledgerFileIn } from "../../provider/ledger/file-store.ts";
import { ledgerFolderOf } from "../../provider/ledger/place.ts";
import { openSecrets, projectsWith } from "../engines/place.ts";
import { openStack, type ProjectFolder } from "../project/open.ts";
import type { Imported, Stacks, StackSummary, Unlocking } from "./types.ts";

export class FolderStacks implements Stacks {
  readonly place: string;
  readonly #backend: FileBackend;
  readonly #folder: ProjectFolder;

  constructor(backend: FileBackend, folder: ProjectFolder) {
    this.#backend = backend;
    this.#folder = folder;
    this.place = `${backend.root}/.pulumi`;
  }

  async list(): Promise<StackSummary[]> {
    const refs = await this.#backend.list(this.#folder.project.name);
    return Promise.all(refs.map(({ stack }) => this.#summary(stack)));
  }

  async projectsWith(stack: string): Promise<string[]> {
    return projectsWith(this.#backend, this.#ref(stack));
  }

  async #summary(name: string): Promise<StackSummary> {
    const ref = this.#ref(name);
    try {
      const { manifest, resources = [] } = await this.#backend.readStored(ref);
      const [holder] = await this.#backend.holders(ref);
      const count = resources.filter(({ urn }) => !isRootStack(urn) && !isDefaultProvider(urn)).length;
      return { name, resources: count, updated: manifest.time, ...(holder && { holder: describeHolder(holder) }) };
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async export(stack: string, { showSecrets }: { showSecrets: boolean }): Promise<ExportedStack> {
    const secrets = showSecrets
      ? await openSecrets(await openStack(this.#folder.root, stack), this.#backend)
      : undefined;
    return exportState(this.#backend, this.#ref(stack), secrets);
  }

  /** With the ledger of its creations: a new stack of that name has made nothing yet. */
  async remove(stack: string, { force }: { force: boolean }): Promise<void> {
    await this.#locked(stack, (lock) => this.#backend.remove(lock, { force }));
    rmSync(historyFolder(this.#backend.root, this.#folder.project.name, stack), { recursive: true, force: true });
    const own = stackOf(this.#folder.project.name, stack);
    rmSync(ledgerFileIn(ledgerFolderOf(this.#backend.root), own), { force: true });
  }

  async import(stack: string, exported: unknown): Promise<Imported> {
    const ref = this.#ref(stack);
    const isNew = !(await this.#backend.exists(ref));
    const { secrets_providers: provider } = checkImport(ref, exported);
    const begun = provider?.type === "passphrase" ? provider : undefined;
    const folder = await openStack(this.#folder.root, stack);
    const secrets = await openSecrets(folder, this.#backend, process.env, begun);
    const { dropped } = await this.#locked(stack, (lock) => importState(this.#backend, lock, exported, secrets));
    return { isNew, dropped };
  }

  async unlock(stack: string): Promise<Unlocking> {
    return unlockStack(this.#backend, this.#ref(stack));
  }

  close(): void {
    // Nothing is held between the calls.
  }

  async #locked<T>(stack: string, work: (lock: StackLock) => Promise<T>): Promise<T> {
    const lock = await this.#backend.lock(this.#ref(stack));
    try {
      return await work(lock);
    } finally {
      await lock.release();
    }
  }

  #ref(stack: string) {
    return { project: this.#folder.project.name, stack };
  }
}
