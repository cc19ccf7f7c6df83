/** Asks Pulumi's own command line about a project, and reads its answers and errors. */
import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { LockHolder } from "../../../engine/index.ts";
import { CommandError, exitCodes } from "../../exit/codes.ts";
import type { ProjectFolder } from "../../project/open.ts";
import { shownAddress, type StateHome } from "../place.ts";
import { holdersIn } from "./failures.ts";

const MOST_BYTES = 1024 ** 3;
/** Longer than any answer takes, but not endless. It is less if the place is known to be gone. */
const ANSWER_MS = 300_000;
const GONE_MS = 10_000;
const TRIES = 4;
const PAUSE_MS = 500;

export class PulumiCli {
  readonly found: FoundPulumi;
  readonly home: StateHome;
  /** A folder for files that this process writes for Pulumi. */
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

  /** The place of the state was gone, so no later question waits long for its answer. */
  expectNothing(): void {
    this.#answerMs = GONE_MS;
  }

  /** Asks the smallest question that needs the place of the state. Fails if the place doesn't answer in time. */
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
  readonly noStack: boolean;
  readonly isThere: boolean;
  /** The holders of the lock, if the stack is locked and Pulumi names them. */
  readonly holders: readonly LockHolder[];
  /** True if somebody else wrote to the same table while Pulumi listed it (3.245). A second try succeeds. */
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

export interface FoundPulumi {
  path: string;
  version: string;
  /** Pulumi's Node language host, which runs programs as they are. */
  languageHost: boolean;
  /** True if Pulumi's installation has the plugin that serves dynamic providers. */
  dynamicPlugin: boolean;
}

/** Older versions lack what Landform asks for. */
export const OLDEST = "3.216.0";

export const INSTALL_HINT = "curl -fsSL https://get.pulumi.com | sh (see https://www.pulumi.com/docs/install/)";

const executable = (name: string): string => (process.platform === "win32" ? `${name}.exe` : name);

export async function findPulumi(env: NodeJS.ProcessEnv = process.env): Promise<FoundPulumi | undefined> {
  return (await lookForPulumi(env)).found;
}

/** Looks on PATH, in ~/.pulumi/bin and in Pulumi's cache of versions. `silent` lists executables that don't answer. */
export async function lookForPulumi(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ found?: FoundPulumi; silent: string[] }> {
  const silent: string[] = [];
  for (const path of candidates(env)) {
    const version = await versionOf(path);
    if (version === undefined) {
      silent.push(path);
      continue;
    }
    const folders = [dirname(path), ...pathFolders(env)];
    const has = (name: string) => folders.some((folder) => isExecutable(join(folder, executable(name))));
    const found = {
      path,
      version,
      languageHost: has("pulumi-language-nodejs"),
      dynamicPlugin: has("pulumi-resource-pulumi-nodejs"),
    };
    return { found, silent };
  }
  return { silent };
}

function candidates(env: NodeJS.ProcessEnv): string[] {
  const home = env["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  const versions = join(home, "versions");
  const cached = existsSync(versions)
    ? readdirSync(versions).sort((a, b) => (a === b ? 0 : isAtLeast(a, b) ? -1 : 1))
    : [];
  const folders = [...pathFolders(env), join(home, "bin"), ...cached.map((version) => join(versions, version, "bin"))];
  return [...new Set(folders)].map((folder) => join(folder, executable("pulumi"))).filter(isExecutable);
}

function pathFolders(env: NodeJS.ProcessEnv): string[] {
  return (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The answers of executables, since each takes a tenth of a second. A new file at the same place is asked anew. */
const versions = new Map<string, Promise<string | undefined>>();

function versionOf(path: string): Promise<string | undefined> {
  const { ino, mtimeMs, size } = statSync(path);
  const file = [path, ino, mtimeMs, size].join(" ");
  const known = versions.get(file) ?? askVersion(path);
  versions.set(file, known);
  return known;
}

async function askVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["version"], {
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    return /v?(\d+\.\d+\.\d+[^\s]*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

export function isAtLeast(version: string, oldest: string): boolean {
  const [a, b] = [numbers(version), numbers(oldest)];
  const place = a.findIndex((number, index) => number !== b[index]);
  return place === -1 || (a[place] ?? 0) > (b[place] ?? 0);
}

function numbers(version: string): number[] {
  return version.replace(/^v/, "").split(/[.+-]/, 3).map(Number);
}
