/** `landform stack` and `landform state`: work on the stacks of a project, and on the state of one. */
import type { Stacks, StackSummary } from "../../stack/stacks/kept.ts";
import { counted, reasonOf } from "../../provider/values/wording.ts";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { describeHolder, type LockHolder } from "../../engine/index.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { type ExitCode, exitCodes, RefusedError, UsageError } from "../../stack/exit/codes.ts";
import type { StateOptions } from "../../stack/options.ts";
import { checkFile, readNamed, writePrivate } from "../../stack/project/files.ts";
import { lastName, openProject, stackNamed } from "../../stack/project/open.ts";
import { requireStack, withStacks } from "../../stack/stacks/stacks.ts";
import { print, printError, printJson, tellsWhy } from "../../story/print.ts";
import { engineOption, exiting, folderOption, jsonOption, stackOptions, yesOption } from "../options.ts";
import { isYes, refuseUnattended } from "../desk.ts";
import { Output } from "../output/terminal.ts";

interface ListOptions extends Pick<StateOptions, "C" | "engine"> {
  json?: true;
}

interface RemoveOptions extends Pick<StateOptions, "C" | "engine"> {
  yes?: boolean;
  force?: boolean;
}

export function addStack(program: Command): void {
  const stack = engineOption(folderOption(program.command("stack"))).description(
    "list the stacks of a project, or remove one",
  );
  jsonOption(stack.command("ls"))
    .description("list the stacks with their resources and their last run")
    .action(exiting(list));
  yesOption(stack.command("rm").argument("<name>", "name of the stack"))
    .description("remove a stack that was destroyed, with its history")
    .option("--force", "remove it even if it has resources; their objects stay in the account")
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
      `${folder.project.name} has no stack in ${place}. ${advisedFor({ C, engine }, process.cwd())("up")} makes one.`,
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
  const count = resources === undefined ? [] : [counted(resources, "resource")];
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
        `the stack ${name} still has ${resources} resources, and nothing was removed. --force forgets them, and they stay in the account`,
        { advice: [{ command: "destroy", arguments: ["--stack", name], reason: "deletes them first." }] },
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
  refuseUnattended(output, "nothing was removed");
  const what = resources === 0 ? "" : ` and forget its ${resources} resources`;
  const answer = await output.ask(`Remove the stack ${name}${what}? [y/N] `);
  if (isYes(answer)) return true;
  tellsWhy();
  output.line("Nothing was removed.");
  return false;
}

interface TransferOptions extends StateOptions {
  file?: string;
  showSecrets?: true;
}

export function addState(program: Command): void {
  const state = engineOption(stackOptions(program.command("state"))).description(
    "export, import or repair a stack's state",
  );
  state
    .command("export")
    .description("print the state, as pulumi stack export does")
    .option("--file <file>", "write to this file (default: standard output)")
    .option("--show-secrets", "print secrets decrypted")
    .action(exiting(exportCommand));
  state
    .command("import")
    .description("replace the state by an exported one; makes the stack if there is none")
    .option("--file <file>", "read this file (default: standard input)")
    .action(exiting(importCommand));
  yesOption(state.command("unlock"))
    .description("remove the locks of runs that have ended, and put what they did into the state")
    .action(exiting(unlock));
}

async function exportCommand(options: TransferOptions): Promise<ExitCode> {
  const { file, showSecrets = false } = options;
  if (file !== undefined) checkFile(file, "--file");
  const state = await inStack(options, (stacks, stack) => stacks.export(stack, { showSecrets }));
  const exported = `${JSON.stringify(state, undefined, 4)}\n`;
  if (file === undefined) process.stdout.write(exported);
  else writePrivate(file, exported);
  return exitCodes.done;
}

async function importCommand(options: TransferOptions): Promise<ExitCode> {
  const source = options.file ?? "standard input";
  const exported = parsed(
    options.file === undefined ? await text(process.stdin) : readNamed(options.file, "--file"),
    source,
  );
  const folder = await openProject(options.C);
  const stack = stackNamed(options.stack, folder.project.name);
  const { isNew, dropped, place, before, after } = await withStacks(options.engine, folder, async (stacks) => {
    const before = await resourcesIn(stacks, stack);
    const imported = await stacks.import(stack, exported);
    return { ...imported, before, after: await resourcesIn(stacks, stack), place: stacks.place };
  });
  const exchanged = isNew ? "" : exchangedText(before, after);
  printError(`The state of ${folder.project.name}/${stack} is now what ${source} says${exchanged}.`);
  if (isNew) printError(`note: the stack is new in ${place}. ${HISTORY_STAYED}`);
  for (const { resource, type } of dropped) printError(`note: no longer recorded as ${type}: ${resource.urn}`);
  return exitCodes.done;
}

const HISTORY_STAYED =
  "The history of its runs stayed where it was. So that history and undo find it, set LANDFORM_HISTORY, or landform:history in the settings, to that place; for a folder, that is FOLDER/.pulumi/landform/history";

async function resourcesIn(stacks: Stacks, stack: string): Promise<number | undefined> {
  return (await stacks.list()).find(({ name }) => name === lastName(stack))?.resources;
}

function exchangedText(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return "";
  const unmanaged =
    before > 0 && after === 0 ? "; the objects of the others are still in the account, and nobody manages them" : "";
  return `: ${counted(after, "resource")}, where it had ${before}${unmanaged}`;
}

async function unlock(options: TransferOptions & { yes?: true }): Promise<ExitCode> {
  const agreed = async (holders: readonly LockHolder[]) => options.yes === true || mayUnlock(new Output(), holders);
  const { unlocked, name } = await inStack(options, async (stacks, stack, project) => ({
    unlocked: await stacks.unlock(stack, agreed),
    name: `${project}/${stack}`,
  }));
  if (unlocked === undefined) {
    tellsWhy();
    printError("No lock was removed.");
    return exitCodes.failed;
  }
  if (unlocked === "by Pulumi") {
    printError(`The stack ${name} is free (pulumi cancel).`);
    return exitCodes.done;
  }
  const { holders, folded, setAside } = unlocked;
  if (holders.length === 0) printError(`The stack ${name} was not locked.`);
  for (const holder of holders) printError(`Removed the lock of ${describeHolder(holder)}.`);
  if (folded > 0) printError(`Took ${folded} steps of an interrupted run into the state.`);
  if (setAside !== undefined) printError(`A journal that does not fit the state was moved to ${setAside}.`);
  return exitCodes.done;
}

/** Pulumi's service names no holder. */
async function mayUnlock(output: Output, holders: readonly LockHolder[]): Promise<boolean> {
  for (const holder of holders) printError(`The stack is locked by ${describeHolder(holder)}.`);
  printError("Landform can't see from here if that run has ended. Make sure of it first.");
  refuseUnattended(output, "no lock was removed");
  return isYes(await output.ask("Remove the lock? [y/N] "));
}

async function inStack<T>(
  { C, stack, engine }: StateOptions,
  work: (stacks: Stacks, stack: string, project: string) => Promise<T>,
): Promise<T> {
  const folder = await openProject(C);
  return withStacks(engine, folder, async (stacks) =>
    work(stacks, await requireStack(stacks, folder, stack), folder.project.name),
  );
}

function parsed(json: string, source: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${reasonOf(error)}`);
  }
}
