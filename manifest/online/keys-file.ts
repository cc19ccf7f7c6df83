/**
 * The content keys of templates, as `landform templates keys TEMPLATE --probe` found them. The API lists none for a template, so they
 * are kept in a file beside the program, which is committed: everyone's `validate --online` then knows them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const KEYS_FILE = "landform.keys.json";

const templateKeys = z.strictObject({
  /** Name of the template, for people who read the file. */
  name: z.string(),
  keys: z.array(z.string()),
  variables: z.array(z.string()),
  /** The day on which they were read, ISO-8601. */
  readAt: z.string(),
});
export type TemplateKeys = z.output<typeof templateKeys>;

const format = z.strictObject({ landformKeys: z.literal(1), templates: z.record(z.string(), templateKeys) });

/** The file is there and can't be used: its message says what is wrong with it. */
export class KeysFileError extends Error {
  override name = "KeysFileError";
}

/** By id of the template. Nothing where there is no such file. */
export function readKeysFile(folder: string): ReadonlyMap<string, TemplateKeys> {
  const file = join(folder, KEYS_FILE);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
  const { data, error } = format.safeParse(parsed(file, text));
  if (data) return new Map(Object.entries(data.templates));
  const [issue] = error.issues;
  throw new KeysFileError(
    `${file}: ${issue?.path.join(".") || "the file"}: ${issue?.message ?? "wrong"}. \`npx landform templates keys TEMPLATE --probe\` writes it anew once it is removed`,
  );
}

/** Adds a template, or replaces what is known of it. Sorted, so that a difference shows what is new. */
export function writeKeysFile(folder: string, id: string, keys: TemplateKeys): void {
  const templates = [...new Map([...readKeysFile(folder), [id, keys] as const])].sort(([a], [b]) => (a < b ? -1 : 1));
  const content = { landformKeys: 1, templates: Object.fromEntries(templates) };
  writeFileSync(join(folder, KEYS_FILE), `${JSON.stringify(content, undefined, 2)}\n`);
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KeysFileError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
