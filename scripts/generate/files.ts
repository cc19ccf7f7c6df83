/** Returns all generated files, from the sources in the repository. */
import { apiFiles } from "./api-files.ts";
import type { GeneratedFile } from "./formatted.ts";
import { registryFiles } from "./registry-files.ts";

export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [...(await apiFiles()), ...(await registryFiles())];
}
