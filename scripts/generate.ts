/** Writes the files that follow from the API's document and the registry: `npm run generate`. A test checks that they are up to date. */
import { writeFileSync } from "node:fs";
import { apiFiles } from "./generate/api-files.ts";
import type { GeneratedFile } from "./generate/formatted.ts";

function write(files: readonly GeneratedFile[]): void {
  for (const { path, text } of files) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
    console.log(path);
  }
}

write(await apiFiles());
// This import must come last: the registry loads the files that have just been written.
const { registryFiles } = await import("./generate/registry-files.ts");
write(await registryFiles());
