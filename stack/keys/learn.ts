/** Templates whose keys a stack's own pages show: kept in the file of keys, beside those that are there. Reads alone. */
import { resolve } from "node:path";
import { KEYS_FILE, KeptFileError, readKeysFile, writeKeysFile } from "../../manifest/index.ts";
import { getContentMap } from "../../provider/lookups/index.ts";
import { everyTemplate } from "../../provider/kinds/page/collection.ts";
import { UsageError } from "../exit/codes.ts";
import type { EngineChoice, StackOptions } from "../options.ts";
import { withAccount } from "../project/account.ts";
import { recordedPages } from "./made.ts";

/** What was done, a line each. What a draft from the template showed (`--probe`) is more, and stays. */
export async function learnKeys(options: StackOptions & { engine: EngineChoice }): Promise<string[]> {
  const folder = resolve(options.C);
  const made = await recordedPages(options);
  const known = keptIn(folder);
  const unknown = new Map(
    made.flatMap(({ templateId, id }) =>
      templateId === undefined || known.has(templateId) ? [] : [[templateId, id] as const],
    ),
  );
  if (unknown.size === 0)
    return [
      made.length === 0
        ? "The stack has no pages yet, so that they show no keys."
        : "Its pages show no further template.",
    ];
  return withAccount(options, async (api) => {
    const names = new Map((await everyTemplate(api)).map(({ id, name }) => [id, name]));
    const lines: string[] = [];
    for (const [templateId, pageId] of unknown) {
      const { content, variables } = await getContentMap(api, { pageId });
      const readAt = new Date().toISOString().slice(0, 10);
      const name = names.get(templateId) ?? templateId;
      writeKeysFile(folder, templateId, { name, keys: Object.keys(content), variables: [...variables], readAt });
      lines.push(
        `${templateId} is added to ${KEYS_FILE}, from the page ${pageId}: variables that have a value there are not known.`,
      );
    }
    return lines;
  });
}

function keptIn(folder: string): ReadonlyMap<string, unknown> {
  try {
    return readKeysFile(folder);
  } catch (error) {
    if (error instanceof KeptFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
