/** `landform templates`: shows the account's templates and their content keys, and makes types from them. */
import { packageRoot } from "../../stack/project/package.ts";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import {
  KEYS_FILE,
  readKeysFile,
  schemaWithTemplates,
  type TemplateKeys,
  TEMPLATES_SCHEMA_FILE,
  TYPES_FILE,
  typesSource,
} from "../../manifest/index.ts";
import type { Template } from "../../provider/api/index.ts";
import { counted } from "../../provider/values/wording.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { type ExitCode, exitCodes, UsageError } from "../../stack/exit/codes.ts";
import { findKeys, type FoundKeys, learnKeys, recordedPages } from "../../stack/keys.ts";
import type { StateOptions, StackOptions } from "../../stack/options.ts";
import { withAccount } from "../../stack/settings/settings.ts";
import { valueText } from "../../stack/report/text.ts";
import { print, printJson, styles, tellsWhy } from "../../story/print.ts";
import { engineOption, exiting, jsonOption, stackOptions, wrapped } from "../options.ts";
import { everyTemplate } from "../../provider/lookups/templates.ts";

interface TemplatesOptions extends StackOptions {
  category?: string;
  json?: boolean;
}

export function addTemplates(program: Command): void {
  const group = engineOption(stackOptions(program.command("templates"))).description(
    "list the account's templates and their content keys, and write types for these",
  );
  jsonOption(group.command("ls").argument("[text]", "part of the name"))
    .description("list the account's templates, or those whose name contains a text")
    .option("--category <name>", "list only this category")
    .action(exiting(templates));
  addKeys(group);
  addTypes(group);
}

async function templates(query: string | undefined, options: TemplatesOptions): Promise<ExitCode> {
  const { category } = options;
  const found = await withAccount(options, ({ api }) => everyTemplate(api, { query, category }));
  if (options.json === true) printJson(found);
  else if (found.length === 0)
    print(query === undefined ? "There are no templates." : `No template matches "${query}".`);
  else {
    const keys = advisedFor(options, process.cwd())("templates keys", "ID");
    print([...table(found), "", `${keys} shows what content a template takes.`].join("\n"));
  }
  return exitCodes.done;
}

function table(found: readonly Template[]): string[] {
  const { strong, faint } = styles(process.stdout);
  const width = (text: (template: Template) => string) => Math.max(...found.map((one) => text(one).length));
  const about = ({ type, category }: Template) =>
    [type, category].filter((text) => text !== null && text !== "").join(", ");
  const [ids, names] = [width(({ id }) => id), width(({ name }) => name)];
  return found.map((one) => `${strong(one.id.padEnd(ids))}  ${one.name.padEnd(names)}  ${faint(about(one))}`.trimEnd());
}

interface KeysOptions extends StateOptions {
  probe?: boolean;
  json?: boolean;
}

const ABOUT_KEYS = `
The service shows only the keys of pages. The keys of a template come from a page of the stack that was made from it, or from
landform.keys.json.`;

function addKeys(templates: Command): void {
  jsonOption(
    templates
      .command("keys")
      .argument(
        "<page-or-template>",
        "page (by its name in the code or in the app, or its id) or template (by name or id)",
      ),
  )
    .description("list the content keys of a page or a template")
    .option("--probe", "make a draft from the template, read its keys, delete it, and keep them in landform.keys.json")
    .addHelpText("after", wrapped(ABOUT_KEYS))
    .action(exiting(keys));
}

async function keys(what: string, options: KeysOptions): Promise<ExitCode> {
  const { probe = false, C } = options;
  const made = await recordedPages(options);
  const found = await withAccount(options, (account) => findKeys({ account, what, made, folder: resolve(C), probe }));
  if (probe && found.of === "page") throw new UsageError(`${what} is a page: its keys are read without --probe`);
  if (options.json === true) printJson(found);
  else print(told(found).join("\n"));
  return exitCodes.done;
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

interface TypesOptions extends StateOptions {
  schema?: true;
  online?: true;
  check?: true;
}

const ABOUT_TYPES = `
It writes the templates of ${KEYS_FILE}. npx landform templates keys TEMPLATE --probe adds one to that file.`;

function addTypes(templates: Command): void {
  templates
    .command("types")
    .description(
      "write the content keys and variables of templates as TypeScript types, or as a schema for YAML editors",
    )
    .option(
      "--schema",
      `write ${TEMPLATES_SCHEMA_FILE} instead: a schema of landform.yaml with these keys and variables`,
    )
    .option("--online", `first add the templates of the stack's pages to ${KEYS_FILE}; only reads`)
    .option("--check", "write nothing; exit with 1 if the file is not up to date")
    .addHelpText("after", wrapped(ABOUT_TYPES))
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
  const bundled = (): unknown => JSON.parse(readFileSync(join(packageRoot, "schema", "landform.schema.json"), "utf8"));
  const text = schema === true ? schemaWithTemplates(bundled(), templates) : typesSource(templates);
  const path = join(folder, file);
  const before = existsSync(path) ? readFileSync(path, "utf8").replaceAll("\r\n", "\n") : undefined;
  if (check === true) {
    const writes = advisedFor(options, process.cwd())("templates types", ...(schema === true ? ["--schema"] : []));
    return checked(file, before, text, writes);
  }
  if (before !== text) writeFileSync(path, text);
  const count = counted(templates.size, "template");
  print(
    before === text ? `${file} is up to date: ${count}.` : `${file} is written: ${count}. ${next(schema === true)}`,
  );
  return exitCodes.done;
}

function checked(file: string, before: string | undefined, text: string, writes: string): ExitCode {
  if (before === text) {
    print(`${file} is up to date.`);
    return exitCodes.done;
  }
  const what = before === undefined ? `There is no ${file}` : `${file} is not what ${KEYS_FILE} says`;
  tellsWhy();
  print(`${what}: ${writes} writes it.`);
  return exitCodes.failed;
}

function next(schema: boolean): string {
  return schema
    ? `Begin landform.yaml with: # yaml-language-server: $schema=${TEMPLATES_SCHEMA_FILE}`
    : "TypeScript takes it in with the files of the folder.";
}

function known(folder: string): ReadonlyMap<string, TemplateKeys> {
  const templates = readKeysFile(folder);
  if (templates.size === 0)
    throw new UsageError(
      `no template's keys are known: there is no ${KEYS_FILE} in ${folder}; --online takes the keys from pages of the stack`,
      { advice: [{ command: "templates keys", arguments: ["TEMPLATE", "--probe"], reason: "writes it." }] },
    );
  return templates;
}
