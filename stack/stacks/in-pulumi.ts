/** Stacks on a backend that only Pulumi's own command line can read: it is asked, and its errors are told as they are. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkImport,
  type ExportedStack,
  type LockHolder,
  provePassphrase,
  refuseRunning,
  type StackRef,
} from "../../engine/index.ts";
import { isService } from "../engines/place.ts";
import { PulumiCliError, type PulumiCli } from "../engines/pulumi/cli.ts";
import { lastName, OF_BACKENDS, openStack, type ProjectFolder } from "../project/open.ts";
import type { Imported, Stacks, StackSummary, Unlocking } from "./types.ts";

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
      name: name.slice(name.lastIndexOf("/") + 1),
      ...(resourceCount !== undefined && { resources: resourceCount }),
      ...(lastUpdate !== undefined && { updated: lastUpdate }),
      ...(updateInProgress === true && { holder: "an update that is under way" }),
    }));
  }

  /** It would have to list every stack of an organization. */
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
    const isNew = !(await this.list()).some(({ name }) => name === lastName(stack));
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

  /** Pulumi imports into a stack that is there, and asks only then whether that is the export's. */
  async #begin(stack: string, exported: unknown): Promise<void> {
    const { secrets_providers: provider } = checkImport(this.#ref(stack), exported);
    const { config } = await openStack(this.#folder.root, stack);
    await provePassphrase(config, process.env, () => Promise.resolve(provider));
    await this.#cli.ask("stack", "init", stack, "--no-select");
  }

  /** A service of Pulumi's knows which run holds a stack, and takes nothing more from one that was cancelled. */
  async unlock(stack: string): Promise<Unlocking> {
    const holders = isService(this.#cli.home) ? undefined : await this.#holders(stack);
    if (holders !== undefined) await this.#refuseRunning(holders, stack);
    if (holders?.length !== 0) await this.#cli.ask("cancel", stack, "--yes");
    return holders === undefined ? "by Pulumi" : { holders, folded: 0 };
  }

  /**
   * Only who wants the lock is told who has it. A stack can't be renamed to the name that it has: Pulumi takes the lock, finds
   * that out, and changes nothing (3.245). Any other answer is an error: then nobody knows whose lock that would be.
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

  #refuseRunning(holders: readonly LockHolder[], stack: string): Promise<void> {
    const locks = holders.map((holder) => ({ holder }));
    const ref = this.#ref(stack);
    const name = `${OF_BACKENDS}/${ref.project}/${ref.stack}`;
    return refuseRunning(locks, ref, `\`pulumi cancel ${name}\` removes the lock all the same`);
  }

  #ref(stack: string): StackRef {
    return { project: this.#folder.project.name, stack: lastName(stack) };
  }

  close(): void {
    this.#cli.close();
  }
}

/** Without a password. */
function placeOf(url: string): string {
  const { protocol = "", host = "", pathname = "" } = URL.parse(url) ?? {};
  return host === "" ? "Pulumi's backend" : `${protocol}//${host}${pathname}`;
}
