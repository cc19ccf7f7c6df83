/** Stacks on a backend that only Pulumi's own command line can read: it is asked, and its errors are told as they are. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExportedStack, PendingCall } from "../../engine/index.ts";
import type { PulumiCli } from "../engines/pulumi/command.ts";
import type { Stacks, StackSummary, Unlocking } from "./types.ts";

interface Listed {
  name: string;
  resourceCount?: number;
  lastUpdate?: string;
  updateInProgress?: boolean;
}

export class PulumiStacks implements Stacks {
  readonly place: string;
  readonly #cli: PulumiCli;

  constructor(cli: PulumiCli) {
    this.#cli = cli;
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

  async import(stack: string, exported: unknown): Promise<readonly PendingCall[]> {
    const file = join(this.#cli.scratch, "import.json");
    writeFileSync(file, JSON.stringify(exported), { mode: 0o600 });
    await this.#cli.ask("stack", "import", "--stack", stack, "--file", file);
    return (exported as Partial<ExportedStack> | null)?.deployment?.pending_operations ?? [];
  }

  async unlock(stack: string): Promise<Unlocking> {
    await this.#cli.ask("cancel", stack, "--yes");
    return "by Pulumi";
  }

  /** Journals are the embedded engine's, and lie in folders. */
  fold(): Promise<number> {
    return Promise.resolve(0);
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
