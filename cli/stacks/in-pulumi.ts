/** Stacks on a backend that only Pulumi's own command line can read: it is asked, and its errors are told as they are. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import type { ExportedStack } from "../../engine/index.ts";
import type { FoundPulumi } from "../engines/pulumi/find.ts";
import { CommandError, exitCodes } from "../exit/codes.ts";
import type { ProjectFolder } from "../project/open.ts";
import type { Stacks, StackSummary } from "./types.ts";

interface Listed {
  name: string;
  resourceCount?: number;
  lastUpdate?: string;
  updateInProgress?: boolean;
}

const MOST_BYTES = 1024 * 1024 * 1024;

export class PulumiStacks implements Stacks {
  readonly place: string;
  readonly #found: FoundPulumi;
  readonly #folder: ProjectFolder;
  #scratch: string | undefined;

  constructor(found: FoundPulumi, folder: ProjectFolder) {
    this.#found = found;
    this.#folder = folder;
    this.place = "Pulumi's backend";
  }

  async list(): Promise<StackSummary[]> {
    const listed = JSON.parse(await this.#pulumi("stack", "ls", "--json")) as Listed[];
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
    return JSON.parse(await this.#pulumi("stack", "export", "--stack", stack, ...flags)) as ExportedStack;
  }

  async remove(stack: string, { force }: { force: boolean }): Promise<void> {
    const flags = ["--yes", "--preserve-config", ...(force ? ["--force"] : [])];
    await this.#pulumi("stack", "rm", stack, ...flags);
  }

  close(): void {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #pulumi(...args: string[]): Promise<string> {
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const all = [...args, "--cwd", this.#workDir(), "--non-interactive", "--color", "never"];
    try {
      return (await promisify(execFile)(this.#found.path, all, { env, maxBuffer: MOST_BYTES })).stdout;
    } catch (error) {
      const { stderr = "", message } = error as Error & { stderr?: string };
      throw new CommandError(exitCodes.failed, `pulumi ${args.join(" ")}: ${stderr.trim() || message}`);
    }
  }

  /** Pulumi wants a Pulumi.yaml, and a folder with a manifest has none. */
  #workDir(): string {
    const { manifest, project, root } = this.#folder;
    if (manifest === undefined) return root;
    this.#scratch ??= mkdtempSync(join(tmpdir(), "landform-"));
    const settings = { name: project.name, runtime: "nodejs", stackConfigDir: relative(this.#scratch, root) };
    writeFileSync(join(this.#scratch, "Pulumi.yaml"), JSON.stringify(settings));
    return this.#scratch;
  }
}
