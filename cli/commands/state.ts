import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { describeHolder, importState, type StackLock, unlockStack } from "../../engine/index.ts";
import { openBackend, refOf } from "../engines/backend.ts";
import { openSecrets } from "../engines/embedded.ts";
import { exitCodes, UsageError, type ExitCode } from "../exit/codes.ts";
import { engineOption, stackOptions, type EngineChoice, type StackOptions } from "../options.ts";
import { checkFile, readNamed } from "../output/files.ts";
import { openStack } from "../project/open.ts";
import { printError } from "../output/print.ts";
import { FolderStacks } from "../stacks/in-folder.ts";
import { requireStack, withStacks } from "../stacks/stacks.ts";
import { exiting } from "./action.ts";

interface StateOptions extends StackOptions {
  engine: EngineChoice;
  file?: string;
  showSecrets?: true;
}

export function addState(program: Command): void {
  const state = program.command("state").description("a stack's state in a folder: out, in, and repaired");
  engineOption(stackOptions(state.command("export")))
    .description("print the state, as pulumi stack export does")
    .option("--file <file>", "write it there")
    .option("--show-secrets", "decrypted")
    .action(exiting(exportCommand));
  stackOptions(state.command("import"))
    .description("replace the state by an export, from standard input or a file")
    .option("--file <file>", "read it from there")
    .action(exiting(importCommand));
  stackOptions(state.command("unlock"))
    .description("remove the locks of runs that are gone, and take in what they left")
    .action(exiting(unlock));
  stackOptions(state.command("fold"))
    .description("take the journal of an interrupted run into the state, for Pulumi to carry on")
    .action(exiting(fold));
}

async function open({ C, stack }: StackOptions) {
  const folder = await openStack(C, stack);
  const backend = await openBackend(folder);
  await requireStack(new FolderStacks(backend, folder), folder, stack);
  return { folder, backend, ref: refOf(folder) };
}

async function exportCommand(options: StateOptions): Promise<ExitCode> {
  const { C, stack, engine, file, showSecrets = false } = options;
  if (file !== undefined) checkFile(file, "--file");
  const folder = await openStack(C, stack);
  const state = await withStacks(engine, folder, async (stacks) => {
    await requireStack(stacks, folder, stack);
    return stacks.export(stack, { showSecrets });
  });
  const exported = `${JSON.stringify(state, undefined, 4)}\n`;
  if (file === undefined) process.stdout.write(exported);
  else writeFileSync(file, exported, { mode: 0o600 });
  return exitCodes.done;
}

async function importCommand(options: StateOptions): Promise<ExitCode> {
  const { folder, backend, ref } = await open(options);
  const source = options.file ?? "standard input";
  const exported = parsed(
    options.file === undefined ? await text(process.stdin) : readNamed(options.file, "--file"),
    source,
  );
  const secrets = await openSecrets(folder, backend);
  const { dropped } = await locked(await backend.lock(ref), (lock) => importState(backend, lock, exported, secrets));
  printError(`The state of ${ref.project}/${ref.stack} is now what ${source} says.`);
  for (const { resource, type } of dropped) printError(`note: no longer recorded as ${type}: ${resource.urn}`);
  return exitCodes.done;
}

async function unlock(options: StateOptions): Promise<ExitCode> {
  const { backend, ref } = await open(options);
  const { holders, folded, setAside } = await unlockStack(backend, ref);
  if (holders.length === 0) printError(`The stack ${ref.project}/${ref.stack} was not locked.`);
  for (const holder of holders) printError(`Removed the lock of ${describeHolder(holder)}.`);
  if (folded > 0) printError(`Took ${folded} steps of an interrupted run into the state.`);
  if (setAside !== undefined) printError(`A journal that does not fit the state was moved to ${setAside}.`);
  return exitCodes.done;
}

async function fold(options: StateOptions): Promise<ExitCode> {
  const { backend, ref } = await open(options);
  const steps = await locked(await backend.lock(ref), (lock) => backend.fold(lock));
  printError(
    steps === 0 ? "There was nothing to take in." : `Took ${steps} steps of an interrupted run into the state.`,
  );
  return exitCodes.done;
}

async function locked<T>(lock: StackLock, work: (lock: StackLock) => Promise<T>): Promise<T> {
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

function parsed(json: string, source: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
