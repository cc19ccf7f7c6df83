/** Stacks in a folder, in Pulumi's layout. */
import { stackOf } from "../../provider/ledger/identity.ts";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkImport,
  type AgreedTo,
  describeHolder,
  type ExportedStack,
  exportState,
  type FileBackend,
  importState,
  isDefaultProvider,
  isRootStack,
  type LockHolder,
  provePassphrase,
  isDead,
  refuseRunning,
  type StackLock,
  type StackRef,
  unlockStack,
  type PendingCall,
  type Unlocked,
} from "../../engine/index.ts";
import { ledgerFileIn } from "../../provider/ledger/file-store.ts";
import { ledgerFolderOf } from "../../provider/ledger/place.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import { isService, openSecrets, projectsWith } from "../engines/place.ts";
import { type PulumiCli, PulumiCliError } from "../engines/pulumi/cli.ts";
import { historyFolder } from "../history/place.ts";
import { lastName, OF_BACKENDS, openStack, type ProjectFolder } from "../project/open.ts";

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

  has(stack: string): Promise<boolean> {
    return this.#backend.exists(this.#ref(stack));
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
      return { name, problem: reasonOf(error) };
    }
  }

  async export(stack: string, { showSecrets }: { showSecrets: boolean }): Promise<ExportedStack> {
    const secrets = showSecrets
      ? await openSecrets(await openStack(this.#folder.root, stack), this.#backend)
      : undefined;
    return exportState(this.#backend, this.#ref(stack), secrets);
  }

  /** Removes its ledger of creations, too: a new stack of that name has made nothing yet. */
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

  async unlock(stack: string, agreed: AgreedTo): Promise<Unlocking | undefined> {
    return unlockStack(this.#backend, this.#ref(stack), agreed);
  }

  close(): void {
    // It holds nothing between the calls.
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

interface Listed {
  name: string;
  resourceCount?: number;
  lastUpdate?: string;
  updateInProgress?: boolean;
}

export class PulumiStacks implements Stacks {
  readonly place: string;
  readonly #cli: PulumiCli;
  readonly #folder: ProjectFolder;

  constructor(cli: PulumiCli, folder: ProjectFolder) {
    this.#cli = cli;
    this.#folder = folder;
    this.place = placeOf(cli.home.url);
  }

  async list(): Promise<StackSummary[]> {
    const listed = JSON.parse(await this.#cli.ask("stack", "ls", "--json")) as Listed[];
    return listed.map(({ name, resourceCount, lastUpdate, updateInProgress }) => ({
      name: lastName(name),
      resources: resourceCount,
      updated: lastUpdate,
      ...(updateInProgress === true && { holder: "an update that is under way" }),
    }));
  }

  async has(stack: string): Promise<boolean> {
    return (await this.list()).some(({ name }) => name === stack);
  }

  /** Returns none: Pulumi would have to list every stack of an organization. */
  projectsWith(): Promise<string[]> {
    return Promise.resolve([]);
  }

  async export(stack: string, { showSecrets }: { showSecrets: boolean }): Promise<ExportedStack> {
    const flags = showSecrets ? ["--show-secrets"] : [];
    return JSON.parse(await this.#cli.ask("stack", "export", "--stack", stack, ...flags)) as ExportedStack;
  }

  async remove(stack: string, { force }: { force: boolean }): Promise<void> {
    const flags = ["--yes", "--preserve-config", ...(force ? ["--force"] : [])];
    await this.#cli.ask("stack", "rm", stack, ...flags);
  }

  async import(stack: string, exported: unknown): Promise<Imported> {
    const isNew = !(await this.has(lastName(stack)));
    if (isNew) await this.#begin(stack, exported);
    const file = join(this.#cli.scratch, "import.json");
    writeFileSync(file, JSON.stringify(exported), { mode: 0o600 });
    try {
      await this.#cli.ask("stack", "import", "--stack", stack, "--file", file);
    } catch (error) {
      if (isNew) await this.#cli.ask("stack", "rm", stack, "--yes", "--preserve-config").catch(() => undefined);
      throw error;
    }
    return { isNew, dropped: (exported as Partial<ExportedStack> | null)?.deployment?.pending_operations ?? [] };
  }

  /** Pulumi imports into an existing stack, and only then checks that the export belongs to it. */
  async #begin(stack: string, exported: unknown): Promise<void> {
    const { secrets_providers: provider } = checkImport(this.#ref(stack), exported);
    const { config } = await openStack(this.#folder.root, stack);
    await provePassphrase(config, process.env, () => Promise.resolve(provider));
    await this.#cli.ask("stack", "init", stack, "--no-select");
  }

  /** Pulumi's service knows which run holds a stack, and takes nothing more from a cancelled one. */
  async unlock(stack: string, agreed: AgreedTo): Promise<Unlocking | undefined> {
    const holders = isService(this.#cli.home) ? undefined : await this.#holders(stack);
    if (holders !== undefined) {
      const ref = this.#ref(stack);
      const name = `${OF_BACKENDS}/${ref.project}/${ref.stack}`;
      const locks = holders.map((holder) => ({ holder }));
      await refuseRunning(locks, ref, `\`pulumi cancel ${name}\` removes the lock all the same`);
    }
    const dead = await Promise.all((holders ?? []).map(isDead));
    const unsure = holders?.filter((_, index) => dead[index] !== true);
    if (unsure?.length !== 0 && !(await agreed(unsure ?? []))) return undefined;
    if (holders?.length !== 0) await this.#cli.ask("cancel", stack, "--yes");
    return holders === undefined ? "by Pulumi" : { holders, folded: 0 };
  }

  /**
   * Pulumi names the holder of a lock only to a command that wants the lock. A stack can't be renamed to its own name: Pulumi takes the
   * lock, finds that out, and changes nothing (3.245). Any other answer is an error, because then nobody knows whose lock it is.
   */
  async #holders(stack: string): Promise<readonly LockHolder[]> {
    try {
      await this.#cli.ask("stack", "rename", lastName(stack), "--stack", stack);
      return [];
    } catch (error) {
      const { holders = [], isThere = false } = error instanceof PulumiCliError ? error : {};
      if (holders.length === 0 && !isThere) throw error;
      return holders;
    }
  }

  #ref(stack: string): StackRef {
    return { project: this.#folder.project.name, stack: lastName(stack) };
  }

  close(): void {
    this.#cli.close();
  }
}

/** Returns the address without a password. */
function placeOf(url: string): string {
  const { protocol = "", host = "", pathname = "" } = URL.parse(url) ?? {};
  return host === "" ? "Pulumi's backend" : `${protocol}//${host}${pathname}`;
}

export interface StackSummary {
  name: string;
  /** Undefined if the state can't be read. `problem` says why. */
  resources?: number;
  /** The last time it was written, ISO-8601. */
  updated?: string;
  /** The person or job that runs on it now. */
  holder?: string;
  problem?: string;
}

export interface Imported {
  isNew: boolean;
  dropped: readonly Pick<PendingCall, "type" | "resource">[];
}

export interface Stacks {
  readonly place: string;
  list(): Promise<StackSummary[]>;
  has(stack: string): Promise<boolean>;
  /** Other projects that have a stack of this name in the same place. Somebody may have changed this project's `name:`. */
  projectsWith(stack: string): Promise<string[]>;
  export(stack: string, options: { showSecrets: boolean }): Promise<ExportedStack>;
  /** Removes the stack with its history. `force`: even if it still has resources. Its settings stay in the folder. */
  remove(stack: string, options: { force: boolean }): Promise<void>;
  /** Replaces the state, or makes the stack with it. */
  import(stack: string, exported: unknown): Promise<Imported>;
  /** Removes the locks of runs that are gone, and takes in what they left. Returns undefined if the person did not agree. */
  unlock(stack: string, agreed: AgreedTo): Promise<Unlocking | undefined>;
  close(): void;
}

/** Pulumi's service frees a stack without telling whose lock it was. */
type Unlocking = Unlocked | "by Pulumi";
