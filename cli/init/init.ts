/** `landform init`: asks for what it is not told, and writes a project. */
import { shellWord } from "../../provider/values/command-line.ts";
import { basename, relative, resolve } from "node:path";
import { Argument, type Command, Option } from "commander";
import { type ExitCode, exitCodes, UsageError } from "../../stack/exit/codes.ts";
import { exiting } from "../options.ts";
import { FORGES, type CiForge, newProject, TEMPLATES, type Template } from "./project.ts";
import { type Origin, origin, presentPackage, writeProject, type Written } from "./folder.ts";
import { Output } from "../output/terminal.ts";

interface InitOptions {
  template?: Template;
  name?: string;
  ci: CiForge;
  yes?: true;
  C: string;
}

export function addInit(program: Command): void {
  program
    .command("init")
    .description("make a project that can be previewed at once")
    .addArgument(new Argument("[folder]", "folder of the new project").default("."))
    .addOption(new Option("-t, --template <template>", "language of the project").choices(TEMPLATES))
    .option("--name <name>", "name of the project (default: the folder's)")
    .addOption(
      new Option("--ci <forge>", "the code host whose CI plans, applies and looks for drift")
        .choices(FORGES)
        .default("github"),
    )
    .option("-C <dir>", "folder to start from", ".")
    .option("-y, --yes", "don't ask")
    .action(exiting(init));
}

async function init(folder: string, options: InitOptions): Promise<ExitCode> {
  const output = new Output();
  const target = resolve(options.C, folder);
  const asks = options.yes !== true && output.interactive;
  const name = options.name ?? (asks ? await chooseName(output, nameFrom(target)) : nameFrom(target));
  if (!isName(name)) throw new UsageError(notAName(name));
  const template = options.template ?? (asks ? await chooseTemplate(output) : "typescript");
  const from = origin();
  const about = { template, name, folder: target, forge: options.ci, origin: from };
  const files = newProject({ ...about, present: presentPackage(target) });
  tell(output, { name, target, written: writeProject(target, files), from });
  if (options.template === undefined && !asks)
    output.line(
      `\nThis is a ${template} project; --template ${TEMPLATES.filter((one) => one !== template).join(" or ")} makes the other one.`,
    );
  return exitCodes.done;
}

interface Made {
  name: string;
  target: string;
  written: readonly Written[];
  from: Origin;
}

function tell(output: Output, { name, target, written, from }: Made): void {
  const { styles } = output.canvas;
  const width = Math.max(32, ...written.map(({ path }) => path.length));
  const row = (what: string, about: string): void => output.line(`  ${what.padEnd(width)} ${styles.faint(about)}`);
  output.line(`${styles.strong(name)} is ready in ${target}:`);
  for (const { path, about } of written) row(path, about);
  if (from.local !== undefined) {
    output.line();
    output.line(`package.json installs landform from ${from.local}. That file is only on this machine:`);
    output.line("before others install the project, put the archive into the project and its path into package.json.");
    if (from.isGone) output.line("The file is not there any more: put it back before you run npm install.");
  }
  output.line();
  output.line("Next:");
  const inside = relative(process.cwd(), target);
  if (inside !== "") output.line(`  cd ${shellWord(inside.startsWith("..") ? target : inside)}`);
  row("npm install", "landform, and types for the editor");
  if (!process.env["LANDFORM_API_KEY"]) row("npx landform emulator", "in another terminal; then set what it prints");
  row("npx landform preview", "every change, before it is made");
}

const isName = (name: string): boolean => /^[A-Za-z0-9_.-]{1,100}$/.test(name);

function notAName(name: string): string {
  return `"${name}" can't be the name of a project; use letters, digits, hyphens, underscores and periods`;
}

async function chooseName(output: Output, fallback: string): Promise<string> {
  for (;;) {
    const given = await answer(output, "Name of the project", fallback);
    if (isName(given)) return given;
    output.line(`${notAName(given)}.`);
  }
}

async function chooseTemplate(output: Output): Promise<Template> {
  for (;;) {
    const given = await answer(output, `A program or a manifest, ${TEMPLATES.join(" or ")}`, "typescript");
    const found = TEMPLATES.find((template) => template.startsWith(given.toLowerCase()));
    if (found !== undefined) return found;
    output.line(`There is no template "${given}"; there are ${TEMPLATES.join(" and ")}.`);
  }
}

async function answer(output: Output, question: string, fallback: string): Promise<string> {
  return (await output.ask(`${question} (${fallback}): `)).trim() || fallback;
}

function nameFrom(folder: string): string {
  return basename(folder).replace(/[^A-Za-z0-9_.-]+/g, "-") || "funnel";
}
