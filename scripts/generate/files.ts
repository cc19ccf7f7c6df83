/** The generated files, formatted as the rest of the repository. */
import { format, resolveConfig } from "prettier";
import { classesSource } from "./classes.ts";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

export async function generatedFiles(): Promise<GeneratedFile[]> {
  const path = "provider/pulumi/resources.ts";
  const options = await resolveConfig(new URL("../../package.json", import.meta.url));
  return [{ path, text: await format(classesSource(), { ...options, parser: "typescript" }) }];
}
