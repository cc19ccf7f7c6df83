/** Writes what follows from the registry: `npm run generate`. A test holds that the files are up to date. */
import { writeFileSync } from "node:fs";
import { generatedFiles } from "./generate/files.ts";

for (const { path, text } of await generatedFiles()) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
  console.log(path);
}
