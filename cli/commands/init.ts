import { basename, relative, resolve } from "node:path";
import { Argument, Option, type Command } from "commander";
import { exitCodes, UsageError, type ExitCode } from "../exit/codes.ts";
import { Output } from "../output/terminal.ts";
import { newProject, TEMPLATES, writeProject, type Template } from "../init/new-project.ts";
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
  const landform = process.env["npm_command"] === "exec" ? "npx landform" : "landform";
  const step = (command: string, about: string) =>
    output.line(`  ${command.padEnd(32)} ${styles.faint(about)}`.trimEnd());
  step("npm install", "for the editor; landform runs without it");
  if (!process.env["LANDFORM_API_KEY"]) step(`${landform} emulator`, "in another terminal; then set what it prints");
  step(`${landform} preview`, "every change, before it is made");
  return exitCodes.done;
}

async function answer(output: Output, asks: boolean, question: string, fallback: string): Promise<string> {
  if (!asks) return fallback;
  return (await output.ask(`${question} (${fallback}): `)).trim() || fallback;
}

async function chooseTemplate(output: Output, asks: boolean): Promise<Template> {
  for (;;) {
    const given = await answer(output, asks, `A program or a manifest, ${TEMPLATES.join(" or ")}`, "typescript");
    const found = TEMPLATES.find((template) => template.startsWith(given.toLowerCase()));
    if (found !== undefined) return found;
    output.line(`There is no template "${given}"; there are ${TEMPLATES.join(" and ")}.`);
  }
}

function nameFrom(folder: string): string {
  return basename(folder).replace(/[^A-Za-z0-9_.-]+/g, "-") || "funnel";
}
