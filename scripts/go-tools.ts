// Builds programs of others, which tests run against, from their Go modules into a cache.
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

export interface GoTool {
  /** The package of its command. */
  command: string;
  version: string;
  /** The path of the built program. */
  target: string;
  /** Further flags for the linker. */
  flags?: string;
  /** Modules that its own module replaces, as `go mod edit -replace` takes them. Go ignores the replacements of a module that is only required. */
  replaces?: readonly string[];
}

export function cacheFolder(): string {
  return process.env.LANDFORM_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "landform");
}

export function foldersOnPath(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter(Boolean);
}

export function firstExecutable(paths: readonly string[]): string | undefined {
  return paths.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Moves the finished file into place, so that a broken build leaves nothing behind. */
export async function buildGoTool({ command, version, target, flags = "", replaces = [] }: GoTool): Promise<void> {
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder, "build-"));
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off", CGO_ENABLED: "0" };
  const go = (...args: string[]) => promisify(execFile)("go", args, { cwd: scratch, env, maxBuffer: 64 << 20 });
  try {
    await go("mod", "init", "landform.invalid/tool");
    for (const replaced of replaces) await go("mod", "edit", `-replace=${replaced}`);
    await go("get", `${command}@${version}`);
    await go("build", "-trimpath", "-ldflags", `-s -w ${flags}`, "-o", basename(target), command);
    await rename(join(scratch, basename(target)), target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT") return "Go is not installed";
  return "stderr" in error && typeof error.stderr === "string" ? error.stderr.trim() : error.message;
}
