/** A generated file, formatted like the rest of the repository. */
import { format, resolveConfig } from "prettier";

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

export async function formatted(path: string, text: string, parser: string): Promise<GeneratedFile> {
  const options = await resolveConfig(new URL("../../package.json", import.meta.url));
  return { path, text: await format(text, { ...options, parser }) };
}
