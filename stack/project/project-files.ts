/** The files that make a folder a project. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The file of a project that is no program. */
export const MANIFEST = "landform.yaml";

/** The file of a program, which comes before a manifest. */
export function programFileIn(dir: string): string | undefined {
  return ["Pulumi.yaml", "Pulumi.yml"].find((file) => existsSync(join(resolve(dir), file)));
}

export function projectFileIn(dir: string): string | undefined {
  return programFileIn(dir) ?? [MANIFEST].find((file) => existsSync(join(resolve(dir), file)));
}
