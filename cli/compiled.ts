/** Half of a start is compiling: what was compiled is kept in a folder of ours, for this process and those it starts. */
import { constants, enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** A folder that can't be written is no harm: then everything is compiled, as it would be without. */
export function keepCompiled(): void {
  const folder = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "landform", "compiled");
  // It answers with what NODE_COMPILE_CACHE names where that is set, and is silent where NODE_DISABLE_COMPILE_CACHE is.
  const { status } = enableCompileCache(folder);
  if (status === constants.compileCacheStatus.ENABLED) process.env["NODE_COMPILE_CACHE"] = folder;
}
