import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "../..");

/** Returns the names of the folders that hold a project. */
export function examples(): string[] {
  const root = join(repository, "examples");
  const holds = (name: string): boolean =>
    ["Pulumi.yaml", "landform.yaml"].some((file) => existsSync(join(root, name, file)));
  return readdirSync(root).filter(holds).sort();
}
