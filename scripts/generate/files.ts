/** All generated files, as the checked-in sources make them. */
import { apiFiles } from "./api-files.ts";
import type { GeneratedFile } from "./formatted.ts";
import { registryFiles } from "./registry-files.ts";

export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [...(await apiFiles()), ...(await registryFiles())];
}
