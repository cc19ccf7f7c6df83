import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../stack/project/files.ts";

/** The text of a file of an example. */
export function example(path: string): string {
  return readFileSync(join(packageRoot, "examples", path), "utf8");
}
