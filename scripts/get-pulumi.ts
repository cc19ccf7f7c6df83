// Prints the path of a real Pulumi engine for the tests in test/pulumi/: the one on PATH, else the one in the cache, else one built from its Go
// module. The build takes minutes, once a machine. If it fails, the script gives the reason, prints no path and still succeeds. The tests that need
// the engine are skipped then.
//
//   npm run get-pulumi              find it or build it
//   LANDFORM_CACHE=DIR              where built engines are kept (default: XDG_CACHE_HOME/landform, ~/.cache/landform)
import { join } from "node:path";
import { buildGoTool, cacheFolder, firstExecutable, foldersOnPath, reason } from "./go-tools.ts";

// Some proxies don't serve newer versions of the module (2026-11).
const version = "v3.274.1";
const engineModule = "github.com/pulumi/pulumi/pkg/v3";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const executable = process.platform === "win32" ? "pulumi.exe" : "pulumi";

function cachedPulumi(): string {
  return join(cacheFolder(), "pulumi", version, executable);
}

/** Returns the real engine of this machine, without building one. */
export function findPulumi(): string | undefined {
  return firstExecutable([...foldersOnPath().map((folder) => join(folder, executable)), cachedPulumi()]);
}

if (import.meta.main) {
  const found = findPulumi();
  if (found) console.log(found);
  else {
    const target = cachedPulumi();
    console.error(`Building the Pulumi engine ${version} into ${target} (some minutes, once).`);
    try {
      await buildGoTool({
        command: `${engineModule}/cmd/pulumi`,
        version,
        target,
        flags: `-X ${versionVariable}=${version.slice(1)}`,
      });
      console.log(target);
    } catch (error) {
      console.error(`No Pulumi engine: ${reason(error)}\nThe tests that compare engines will be skipped.`);
    }
  }
}
