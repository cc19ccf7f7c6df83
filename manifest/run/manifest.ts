/** `landform/manifest`. */
import { fileURLToPath } from "node:url";
import type { Outputs } from "./register.ts";

export type { Outputs };

/**
 * Makes a manifest a Pulumi program: `export default manifest("landform.yaml")`. A relative path starts at the folder of the project, where Pulumi
 * runs programs.
 */
export function manifest(path: string | URL): () => Promise<Outputs> {
  return async () => {
    // The Pulumi SDK is slow to load, and only this function needs it.
    const { run } = await import("./register.ts");
    return run(path instanceof URL ? fileURLToPath(path) : path);
  };
}
