/** `landform templates keys`: the content keys of a page or a template. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { KeptFileError } from "../../manifest/index.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { findKeys, type FoundKeys, recordedPages } from "../../stack/keys.ts";
import { jsonOption } from "../options.ts";
import type { EngineChoice, StackOptions } from "../../stack/options.ts";
import { withAccount } from "../../stack/project/settings.ts";
import { print, printJson } from "../../story/print.ts";
import { styles } from "../../story/styles.ts";
import { valueText } from "../../stack/report/short-values.ts";
import { exiting } from "./action.ts";

interface KeysOptions extends StackOptions {
  engine: EngineChoice;
  probe?: boolean;
  json?: boolean;
}

const NOTE = `
A page goes by its name in the code, its name in the app, or its id; a template by its id or name. The API shows the keys of
pages alone: those of a template are known from a page of the stack that was made from it, or from landform.keys.json.`;

export function addKeys(templates: Command): void {
  jsonOption(templates.command("keys <page-or-template>"))
    .description("list the content keys of a page or a template")
    .option("--probe", "make a draft from the template, read its keys, delete it, and keep them in landform.keys.json")
    .addHelpText("after", NOTE)
    .action(exiting(keys));
}

async function keys(what: string, options: KeysOptions): Promise<ExitCode> {
  const { probe = false, C } = options;
  const made = await recordedPages(options);
  const found = await withAccount(options, (api) => findKeys({ api, what, made, folder: resolve(C), probe })).catch(
    usable,
  );
  if (probe && found.of === "page") throw new UsageError(`${what} is a page: its keys are read without --probe`);
  if (options.json === true) printJson(found);
  else print(told(found).join("\n"));
  return exitCodes.done;
}

function usable(error: unknown): never {
  if (error instanceof KeptFileError) throw new UsageError(error.message, { cause: error });
  throw error;
}

function told({ of, id, name, keys: found, variables, source }: FoundKeys): string[] {
  const { strong, faint } = styles(process.stdout);
  const pad = Math.max(0, ...Object.keys(found).map((key) => key.length));
  const lines = Object.entries(found).map(([key, value]) =>
    value === null ? `  ${key}` : `  ${key.padEnd(pad)}  ${faint(valueText(value))}`,
  );
  return [
    `${strong(`${of === "page" ? "Page" : "Template"} ${name}`)} ${faint(`${id}, ${source}`)}`,
    "",
    ...(lines.length === 0 ? ["  It has no content keys."] : lines),
    ...(variables.length === 0 ? [] : ["", `Variables without a value: ${variables.join(", ")}`]),
  ];
}
