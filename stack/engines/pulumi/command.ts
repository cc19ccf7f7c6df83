/** Pulumi's own command line, asked about a project: its answers, and its errors as it tells them. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { LockHolder } from "../../../engine/index.ts";
import { CommandError, exitCodes } from "../../exit/codes.ts";
import type { ProjectFolder } from "../../project/open.ts";
import { shownAddress, type StateHome } from "../backend.ts";
import type { FoundPulumi } from "./find.ts";
import { holdersIn } from "./lock-texts.ts";

const MOST_BYTES = 1024 ** 3;
/** Longer than any answer takes, and no wait without an end; less where the place is known to be gone. */
const ANSWER_MS = 300_000;
const GONE_MS = 10_000;
const TRIES = 4;
const PAUSE_MS = 500;

export class PulumiCli {
  readonly found: FoundPulumi;
  readonly home: StateHome;
  /** For what this process writes for Pulumi. */
  readonly scratch = mkdtempSync(join(tmpdir(), "landform-"));
  readonly #folder: ProjectFolder;
  #answerMs = ANSWER_MS;

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
    for (let tries = 1; ; tries++) {
      try {
        return await this.#answer(args, this.#answerMs);
      } catch (error) {
        if (!(error instanceof PulumiCliError) || !error.passes || tries === TRIES) throw error;
        await delay(PAUSE_MS * tries);
      }
    }
  }

  /** The place of the state was gone: whatever is still asked is not waited for. */
  expectNothing(): void {
    this.#answerMs = GONE_MS;
  }

  /** The least that Pulumi can't say without the place of the state; fails where that does not answer in time. */
  askPlace(answerMs: number): Promise<unknown> {
    return this.#answer(["whoami"], answerMs);
  }

  async #answer(args: readonly string[], answerMs: number): Promise<string> {
    const all = [...args, "--cwd", this.workDir, "--non-interactive", "--color", "never"];
    const env = { ...process.env, ...this.env };
    const options = { env, maxBuffer: MOST_BYTES, timeout: answerMs, killSignal: "SIGKILL" } as const;
    try {
      return (await promisify(execFile)(this.found.path, all, options)).stdout;
    } catch (error) {
      throw new PulumiCliError(args, error, { place: shownAddress(this.home), answerMs });
    }
  }
}

export class PulumiCliError extends CommandError {
  /** Of stacks that are not there. */
  readonly noStack: boolean;
  /** Of stacks that are there already. */
  readonly isThere: boolean;
  /** Who holds the stack, where it is locked and Pulumi says so. */
  readonly holders: readonly LockHolder[];
  /** Somebody else was writing in the same table while it was listed (3.245). */
  readonly passes: boolean;

  constructor(args: readonly string[], cause: unknown, { place, answerMs }: { place: string; answerMs: number }) {
    const { stderr = "", message, killed } = cause as Error & { stderr?: string; killed?: boolean };
    const silent = `no answer within ${answerMs / 1000} s. The state is in ${place}: check that this can be reached`;
    const told = killed === true ? silent : stderr.trim() || message;
    super(exitCodes.failed, `pulumi ${args.join(" ")}: ${told}`, { cause });
    this.noStack = /no stack named/.test(stderr);
    this.passes = /no rows in result set/.test(stderr);
    this.isThere = /stack ('.*'|named \S+) already exists/.test(stderr);
    this.holders = holdersIn(stderr);
  }
}
