import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { describeHolder } from "../../engine/index.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { engineOption, stackOptions } from "../options.ts";
import type { EngineChoice, StackOptions } from "../../stack/options.ts";
import { checkFile, readNamed, writePrivate } from "../../stack/project/files.ts";
import { lastName, openProject, stackNamed } from "../../stack/project/open.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { printError } from "../../story/print.ts";
import { requireStack, withStacks } from "../../stack/stacks/stacks.ts";
import type { Stacks } from "../../stack/stacks/types.ts";
import { exiting } from "./action.ts";

interface StateOptions extends StackOptions {
  engine: EngineChoice;
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
    .option("--file <file>", "write it there")
    .option("--show-secrets", "decrypted")
    .action(exiting(exportCommand));
  state
    .command("import")
    .description("replace the state by an export, from standard input or a file; makes the stack where there is none")
    .option("--file <file>", "read it from there")
    .action(exiting(importCommand));
  state
    .command("unlock")
    .description("remove the locks of runs that are gone, and take in what they left")
    .action(exiting(unlock));
}

async function exportCommand(options: StateOptions): Promise<ExitCode> {
  const { file, showSecrets = false } = options;
  if (file !== undefined) checkFile(file, "--file");
  const state = await onStack(options, (stacks, stack) => stacks.export(stack, { showSecrets }));
  const exported = `${JSON.stringify(state, undefined, 4)}\n`;
  if (file === undefined) process.stdout.write(exported);
  else writePrivate(file, exported);
  return exitCodes.done;
}

async function importCommand(options: StateOptions): Promise<ExitCode> {
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
  if (isNew) printError(`note: the stack is new in ${place}. ${advisedFor(options, process.cwd())(HISTORY_STAYED)}`);
  for (const { resource, type } of dropped) printError(`note: no longer recorded as ${type}: ${resource.urn}`);
  return exitCodes.done;
}

const HISTORY_STAYED =
  "The history of its runs stayed where it was. LANDFORM_HISTORY, or landform:history in its settings, names that place to npx landform history and undo: of a folder, FOLDER/.pulumi/landform/history";

/** Undefined where nobody can tell. */
async function resourcesIn(stacks: Stacks, stack: string): Promise<number | undefined> {
  return (await stacks.list()).find(({ name }) => name === lastName(stack))?.resources;
}

function exchangedText(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return "";
  const unmanaged =
    before > 0 && after === 0 ? "; what those stand for is in the account still, and nobody manages it" : "";
  return `: ${after} ${after === 1 ? "resource" : "resources"}, where it had ${before}${unmanaged}`;
}

async function unlock(options: StateOptions): Promise<ExitCode> {
  const unlocked = await onStack(options, (stacks, stack) => stacks.unlock(stack));
  const name = await nameOf(options);
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

async function onStack<T>(
  { C, stack, engine }: StateOptions,
  work: (stacks: Stacks, stack: string) => Promise<T>,
): Promise<T> {
  const folder = await openProject(C);
  return withStacks(engine, folder, async (stacks) => work(stacks, await requireStack(stacks, folder, stack)));
}

async function nameOf({ C, stack }: StateOptions): Promise<string> {
  const { project } = await openProject(C);
  return `${project.name}/${stackNamed(stack, project.name)}`;
}

function parsed(json: string, source: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
