// Prints the path of an S3-compatible server for the tests of buckets: Versity's gateway over a folder, from the cache, else built from its Go
// module. The build takes minutes, once a machine. If it fails, the script gives the reason, prints no path and still succeeds. The tests that need
// it are skipped then.
//
//   npm run get-s3                  find it or build it
//   LANDFORM_CACHE=DIR              where it is kept (default: XDG_CACHE_HOME/landform, ~/.cache/landform)
import { join } from "node:path";
import { buildGoTool, cacheFolder, firstExecutable, reason } from "./go-tools.ts";

const version = "v1.8.0";
const executable = process.platform === "win32" ? "versitygw.exe" : "versitygw";
const target = join(cacheFolder(), "versitygw", version, executable);

/** Returns the server of this machine, without building one. */
export function findS3Server(): string | undefined {
  return firstExecutable([target]);
}

if (import.meta.main) {
  const found = findS3Server();
  if (found) console.log(found);
  else {
    console.error(`Building the S3 server ${version} into ${target} (some minutes, once).`);
    try {
      await buildGoTool({ command: "github.com/versity/versitygw/cmd/versitygw", version, target });
      console.log(target);
    } catch (error) {
      console.error(`No S3 server: ${reason(error)}\nThe tests of buckets will be skipped.`);
    }
  }
}
