import { basename, relative, resolve } from "node:path";
import { Argument, Option, type Command } from "commander";
import { exitCodes, UsageError, type ExitCode } from "../exit.ts";
import { Output } from "../output.ts";
import { newProject, TEMPLATES, writeProject, type Template } from "../new-project.ts";
import { exiting } from "./action.ts";

interface InitOptions {
  template?: Template;
  name?: string;
  yes?: true;
  C: string;
}

export function addInit(program: Command): void {
  program
    .command("init")
    .description("make a project that can be previewed at once")
    .addArgument(new Argument("[folder]", "where").default("."))
    .addOption(new Option("-t, --template <template>", "what to write").choices(TEMPLATES))
    .option("--name <name>", "name of the project (default: the folder's)")
    .option("-C <dir>", "folder to start from", ".")
    .option("-y, --yes", "don't ask")
    .action(exiting(init));
}

async function init(folder: string, options: InitOptions): Promise<ExitCode> {
  const output = new Output();
  const target = resolve(options.C, folder);
  const asks = options.yes !== true && output.interactive;
  const name = options.name ?? (await answer(output, asks, "Name of the project", nameFrom(target)));
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name)) {
    throw new UsageError(
      `"${name}" can't be the name of a project; use letters, digits, hyphens, underscores and periods`,
    );
  }
  const template = options.template ?? (await chooseTemplate(output, asks));
  const files = newProject(template, name);
  writeProject(target, files);
  const { styles } = output.canvas;
  output.line(`${styles.strong(name)} is ready in ${target}:`);
  for (const { path, about } of files) output.line(`  ${path.padEnd(32)} ${styles.faint(about)}`);
  output.line();
  output.line("Next:");
  const inside = relative(process.cwd(), target);
  if (inside !== "") output.line(`  cd ${inside.startsWith("..") ? target : inside}`);
  output.line("  npm install                      (the command works without it, an editor does not)");
  if (!process.env["LANDFORM_API_KEY"])
    output.line("  landform emulator                in another terminal, and set the variables that it prints");
  output.line("  landform preview");
  return exitCodes.done;
}

async function answer(output: Output, asks: boolean, question: string, fallback: string): Promise<string> {
  if (!asks) return fallback;
  return (await output.ask(`${question} (${fallback}): `)).trim() || fallback;
}

async function chooseTemplate(output: Output, asks: boolean): Promise<Template> {
  const given = await answer(output, asks, `A program or a manifest, ${TEMPLATES.join(" or ")}`, "typescript");
  const found = TEMPLATES.find((template) => template.startsWith(given.toLowerCase()));
  if (found === undefined)
    throw new UsageError(`there is no template "${given}"; there are ${TEMPLATES.join(" and ")}`);
  return found;
}

function nameFrom(folder: string): string {
  return basename(folder).replace(/[^A-Za-z0-9_.-]+/g, "-") || "funnel";
}
