/** `landform templates types`: what is known of templates, for the type checker and for editors. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import {
  KEYS_FILE,
  KeptFileError,
  readKeysFile,
  schemaWithTemplates,
  TEMPLATES_SCHEMA_FILE,
  TYPES_FILE,
  typesSource,
  type TemplateKeys,
} from "../../manifest/index.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { learnKeys } from "../../stack/keys.ts";
import type { EngineChoice, StackOptions } from "../../stack/options.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { print } from "../../story/print.ts";
import { packageRoot } from "../../stack/project/files.ts";
import { exiting } from "./action.ts";

interface TypesOptions extends StackOptions {
  engine: EngineChoice;
  schema?: true;
  online?: true;
  check?: true;
}

const NOTE = `
Known are the templates in ${KEYS_FILE}: npx landform templates keys TEMPLATE --probe adds one. --online adds those that pages of the
stack were made from, as far as those pages show it.`;

export function addTypes(templates: Command): void {
  templates
    .command("types")
    .description("write the content keys and variables of templates as TypeScript types, or for editors of YAML")
    .option("--schema", `write ${TEMPLATES_SCHEMA_FILE} instead, a schema of landform.yaml that knows them`)
    .option("--online", `first add the templates of the stack's pages to ${KEYS_FILE}; reads alone`)
    .option("--check", "write nothing; exit with 1 where the file is not up to date")
    .addHelpText("after", NOTE)
    .action(exiting(types));
}

async function types(options: TypesOptions): Promise<ExitCode> {
  const { C, schema, check, online } = options;
  const folder = resolve(C);
  if (!existsSync(folder)) throw new UsageError(`there is no folder ${folder}; check -C`);
  if (check === true && online === true)
    throw new UsageError("--check looks at files alone: leave out --online, or leave out --check");
  if (online === true) for (const line of await learnKeys(options)) print(line);
  const templates = known(folder);
  const file = schema === true ? TEMPLATES_SCHEMA_FILE : TYPES_FILE;
  const text = schema === true ? schemaWithTemplates(bundledSchema(), templates) : typesSource(templates);
  const path = join(folder, file);
  const before = existsSync(path) ? readFileSync(path, "utf8").replaceAll("\r\n", "\n") : undefined;
  if (check === true) {
    const advised = advisedFor(options, process.cwd());
    return checked(file, before, text, { option: schema === true ? " --schema" : "", advised });
  }
  if (before !== text) writeFileSync(path, text);
  const count = `${templates.size} template${templates.size === 1 ? "" : "s"}`;
  print(
    before === text ? `${file} is up to date: ${count}.` : `${file} is written: ${count}. ${next(schema === true)}`,
  );
  return exitCodes.done;
}

function checked(
  file: string,
  before: string | undefined,
  text: string,
  { option, advised }: { option: string; advised: (text: string) => string },
): ExitCode {
  if (before === text) {
    print(`${file} is up to date.`);
    return exitCodes.done;
  }
  const what = before === undefined ? `There is no ${file}` : `${file} is not what ${KEYS_FILE} says`;
  print(`${what}: ${advised(`npx landform templates types${option}`)} writes it.`);
  return exitCodes.failed;
}

function next(schema: boolean): string {
  return schema
    ? `Begin landform.yaml with: # yaml-language-server: $schema=${TEMPLATES_SCHEMA_FILE}`
    : "TypeScript takes it in with the files of the folder.";
}

function known(folder: string): ReadonlyMap<string, TemplateKeys> {
  let templates: ReadonlyMap<string, TemplateKeys>;
  try {
    templates = readKeysFile(folder);
  } catch (error) {
    if (error instanceof KeptFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  if (templates.size === 0)
    throw new UsageError(
      `no template's keys are known: there is no ${KEYS_FILE} in ${folder}. npx landform templates keys TEMPLATE --probe writes it; --online takes the keys from pages of the stack`,
    );
  return templates;
}

function bundledSchema(): unknown {
  return JSON.parse(readFileSync(join(packageRoot, "schema", "landform.schema.json"), "utf8"));
}
