// Prints the path of a real Pulumi engine for the tests in test/pulumi/: the one on PATH, else the one in the cache, else one
// built from its Go module. The build takes minutes, once a machine; where it can't be done the script says why, prints no
// path and still succeeds, and the tests that need the engine are skipped.
//
//   npm run get-pulumi              find it or build it
//   LANDFORM_CACHE=DIR              where built engines are kept (default: XDG_CACHE_HOME/landform, ~/.cache/landform)
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

// Newer versions of the module are not served by every proxy (2026-11).
const version = "v3.245.0";
const engineModule = "github.com/pulumi/pulumi/pkg/v3";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const executable = process.platform === "win32" ? "pulumi.exe" : "pulumi";

function cachedPulumi(): string {
  const root = process.env.LANDFORM_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "landform");
  return join(root, "pulumi", version, executable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The real engine of this machine, without building one. */
export function findPulumi(): string | undefined {
  const onPath = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return [...onPath.map((folder) => join(folder, executable)), cachedPulumi()].find(isExecutable);
}

/** Builds the engine into the cache. The finished file is moved into place, so that a broken build leaves nothing behind. */
async function buildPulumi(): Promise<string> {
  const target = cachedPulumi();
  const folder = join(target, "..");
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder, "build-"));
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off", CGO_ENABLED: "0" };
  const go = (...args: string[]) => run("go", args, { cwd: scratch, env, maxBuffer: 64 << 20 });
  try {
    await go("mod", "init", "landform.invalid/pulumi");
    await go("get", `${engineModule}/cmd/pulumi@${version}`);
    const flags = `-s -w -X ${versionVariable}=${version.slice(1)}`;
    await go("build", "-trimpath", "-ldflags", flags, "-o", executable, `${engineModule}/cmd/pulumi`);
    await rename(join(scratch, executable), target);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return target;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && error.code === "ENOENT") return "Go is not installed";
  return "stderr" in error && typeof error.stderr === "string" ? error.stderr.trim() : error.message;
}

if (import.meta.main) {
  const found = findPulumi();
  if (found) console.log(found);
  else {
    console.error(`Building the Pulumi engine ${version} into ${cachedPulumi()} (some minutes, once).`);
    try {
      console.log(await buildPulumi());
    } catch (error) {
      console.error(`No Pulumi engine: ${reason(error)}\nThe tests that compare engines will be skipped.`);
    }
  }
}
