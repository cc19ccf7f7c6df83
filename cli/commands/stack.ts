import type { Command } from "commander";
import { exitCodes, RefusedError, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { engineOption, folderOption, jsonOption, yesOption } from "../options.ts";
import type { EngineChoice } from "../../stack/options.ts";
import { print, printJson } from "../../story/print.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { Output } from "../output/terminal.ts";
import { lastName, openProject } from "../../stack/project/open.ts";
import { requireStack, withStacks } from "../../stack/stacks/stacks.ts";
import type { StackSummary } from "../../stack/stacks/types.ts";
import { exiting } from "./action.ts";

interface ListOptions {
  C: string;
  engine: EngineChoice;
  json?: true;
}

interface RemoveOptions {
  C: string;
  engine: EngineChoice;
  yes?: boolean;
  force?: boolean;
}

export function addStack(program: Command): void {
  const stack = engineOption(folderOption(program.command("stack"))).description(
    "the stacks of a project: which there are, and removing one",
  );
  jsonOption(stack.command("ls"))
    .description("list the stacks with their resources and their last run")
    .action(exiting(list));
  yesOption(stack.command("rm <name>"))
    .description("remove a stack that was destroyed, with its history")
    .option("--force", "also one that has resources: they stay in the account, and nobody manages them any more")
    .action(exiting(remove));
}

async function list({ C, engine, json }: ListOptions): Promise<ExitCode> {
  const folder = await openProject(C);
  const { place, all } = await withStacks(engine, folder, async (stacks) => ({
    place: stacks.place,
    all: await stacks.list(),
  }));
  if (json === true) printJson(all);
  else if (all.length === 0)
    print(
      advisedFor(
        { C, engine },
        process.cwd(),
      )(`${folder.project.name} has no stack in ${place}. npx landform up makes one.`),
    );
  else print([`Stacks of ${folder.project.name} in ${place}`, "", ...table(all)].join("\n"));
  return exitCodes.done;
}

function table(stacks: readonly StackSummary[]): string[] {
  const pad = Math.max(...stacks.map(({ name }) => name.length));
  return stacks.map((stack) => `  ${stack.name.padEnd(pad)}  ${about(stack)}`);
}

function about({ resources, updated, holder, problem }: StackSummary): string {
  if (problem !== undefined) return `can't be read: ${problem}`;
  const count = resources === undefined ? [] : [resources === 1 ? "1 resource" : `${resources} resources`];
  const time = updated === undefined || updated === "" ? [] : [`written ${updated.slice(0, 16).replace("T", " ")}`];
  return [...count, ...time, ...(holder === undefined ? [] : [`in use by ${holder}`])].join(", ");
}

async function remove(text: string, { C, engine, yes, force = false }: RemoveOptions): Promise<ExitCode> {
  const folder = await openProject(C);
  const output = new Output();
  return withStacks(engine, folder, async (stacks) => {
    const name = await requireStack(stacks, folder, text);
    const { resources = 0 } = (await stacks.list()).find((stack) => stack.name === lastName(name)) ?? {};
    if (resources > 0 && !force) {
      throw new RefusedError(
        `the stack ${name} still has ${resources} resources, and nothing was removed. ${advisedFor({ C, engine, stack: name }, process.cwd())("npx landform destroy")} deletes them first; --force forgets them, and they stay in the account`,
      );
    }
    if (yes !== true && !(await agreed(output, name, resources))) return exitCodes.failed;
    await stacks.remove(name, { force });
    output.line(
      `The stack ${name} is removed. Its settings stay in Pulumi.${lastName(name)}.yaml, where there is one.`,
    );
    return exitCodes.done;
  });
}

async function agreed(output: Output, name: string, resources: number): Promise<boolean> {
  if (!output.interactive)
    throw new UsageError("there is nobody to ask here, and nothing was removed. Add --yes to go ahead without asking");
  const what = resources === 0 ? "" : ` and forget its ${resources} resources`;
  const answer = await output.ask(`Remove the stack ${name}${what}? [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return true;
  output.line("Nothing was removed.");
  return false;
}
