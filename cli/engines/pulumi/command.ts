/** Pulumi's own command line, asked about a project: its answers, and its errors as it tells them. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { CommandError, exitCodes } from "../../exit/codes.ts";
import type { ProjectFolder } from "../../project/open.ts";
import type { StateHome } from "../backend.ts";
import type { FoundPulumi } from "./find.ts";

const MOST_BYTES = 1024 ** 3;
const TRIES = 4;
const PAUSE_MS = 500;

export class PulumiCli {
  readonly found: FoundPulumi;
  readonly home: StateHome;
  /** For what this process writes for Pulumi. */
  readonly scratch = mkdtempSync(join(tmpdir(), "landform-"));
  readonly #folder: ProjectFolder;

  constructor(found: FoundPulumi, folder: ProjectFolder, home: StateHome) {
    this.found = found;
    this.#folder = folder;
    this.home = home;
  }

  close(): void {
    rmSync(this.scratch, { recursive: true, force: true });
  }

  /** Pulumi wants a Pulumi.yaml, and a folder with a manifest has none. Settings of stacks stay beside the manifest. */
  get workDir(): string {
    const { project, root } = this.#folder;
    if (project.file !== undefined) return root;
    const folder = join(this.scratch, "project");
    mkdirSync(folder, { recursive: true });
    const settings = { name: project.name, runtime: "nodejs", stackConfigDir: relative(folder, root) };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(settings));
    return folder;
  }

  /** What Pulumi needs to know of this machine and of the place of the state. */
  get env(): Record<string, string> {
    const { PATH: path = "", PULUMI_CONFIG_PASSPHRASE: phrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = process.env;
    const { files, url } = this.home;
    const empty = files !== undefined && phrase === undefined && file === undefined;
    return {
      PATH: [dirname(this.found.path), path].join(delimiter),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_BACKEND_URL: url,
      ...(empty ? { PULUMI_CONFIG_PASSPHRASE: "" } : {}),
    };
  }

  async ask(...args: string[]): Promise<string> {
    const all = [...args, "--cwd", this.workDir, "--non-interactive", "--color", "never"];
    const options = { env: { ...process.env, ...this.env }, maxBuffer: MOST_BYTES };
    for (let tries = 1; ; tries++) {
      try {
        return (await promisify(execFile)(this.found.path, all, options)).stdout;
      } catch (error) {
        const failed = new PulumiCliError(args, error);
        if (!failed.passes || tries === TRIES) throw failed;
        await delay(PAUSE_MS * tries);
      }
    }
  }
}

export class PulumiCliError extends CommandError {
  /** Of stacks that are not there. */
  readonly noStack: boolean;
  /** Of stacks that are there already. */
  readonly isThere: boolean;
  /** Somebody else was writing in the same table while it was listed (3.245). */
  readonly passes: boolean;

  constructor(args: readonly string[], cause: unknown) {
    const { stderr = "", message } = cause as Error & { stderr?: string };
    super(exitCodes.failed, `pulumi ${args.join(" ")}: ${stderr.trim() || message}`, { cause });
    this.noStack = /no stack named/.test(stderr);
    this.passes = /no rows in result set/.test(stderr);
    this.isThere = /stack '.*' already exists/.test(stderr);
  }
}
