/** Pulumi's own command line, where it is installed. */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

export interface FoundPulumi {
  path: string;
  version: string;
  /** Its Node language host, which runs programs as they are. */
  languageHost: boolean;
  /** Where the plugin that serves dynamic providers is found; Pulumi's installation brings it along. */
  dynamicPlugin: boolean;
}

/** Older ones lack what the Automation API of today asks for. */
export const OLDEST = "3.216.0";

export const INSTALL_HINT = "curl -fsSL https://get.pulumi.com | sh (see https://www.pulumi.com/docs/install/)";

const executable = (name: string): string => (process.platform === "win32" ? `${name}.exe` : name);

export async function findPulumi(env: NodeJS.ProcessEnv = process.env): Promise<FoundPulumi | undefined> {
  return (await lookForPulumi(env)).found;
}

/** The first that answers, in the order of PATH, ~/.pulumi/bin and Pulumi's cache of versions; and those that do not. */
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
  const cached = existsSync(versions) ? readdirSync(versions).sort(newestFirst) : [];
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

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["version"], {
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    return /v?(\d+\.\d+\.\d+[^\s]*)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

/** True for a version of at least `oldest`. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [a, b] = [numbers(version), numbers(oldest)];
  const place = a.findIndex((number, index) => number !== b[index]);
  return place === -1 || (a[place] ?? 0) > (b[place] ?? 0);
}

function newestFirst(a: string, b: string): number {
  return a === b ? 0 : isAtLeast(a, b) ? -1 : 1;
}

function numbers(version: string): number[] {
  return version.replace(/^v/, "").split(/[.+-]/, 3).map(Number);
}
