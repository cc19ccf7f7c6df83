import type { Command } from "commander";
import type { Template } from "../../provider/api/index.ts";
import { everyTemplate } from "../../provider/kinds/page/collection.ts";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { engineOption, jsonOption, stackOptions } from "../options.ts";
import type { StackOptions } from "../../stack/options.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { print, printJson, styles } from "../../story/print.ts";
import { withAccount } from "../../stack/project/account.ts";
import { exiting } from "./action.ts";
import { addKeys } from "./template-keys.ts";
import { addTypes } from "./template-types.ts";

interface TemplatesOptions extends StackOptions {
  category?: string;
  json?: boolean;
}

export function addTemplates(program: Command): void {
  const group = engineOption(stackOptions(program.command("templates"))).description(
    "the account's templates, their content keys, and types made from these",
  );
  jsonOption(group.command("ls [text]"))
    .description("list the account's templates, or those whose name holds a text")
    .option("--category <name>", "only this category")
    .action(exiting(templates));
  addKeys(group);
  addTypes(group);
}

async function templates(query: string | undefined, options: TemplatesOptions): Promise<ExitCode> {
  const { category } = options;
  const found = await withAccount(options, (api) => everyTemplate(api, { query, category }));
  if (options.json === true) printJson(found);
  else if (found.length === 0)
    print(query === undefined ? "There are no templates." : `No template matches "${query}".`);
  else {
    const next = advisedFor(
      options,
      process.cwd(),
    )("npx landform templates keys ID shows what content a template takes.");
    print([...table(found), "", next].join("\n"));
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
