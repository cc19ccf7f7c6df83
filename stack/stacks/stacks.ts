/** Lists and changes the stacks of a project, wherever it keeps them, without running its program. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { ExportedStack } from "../../engine/index.ts";
import { isSlipOf } from "../../provider/values/nearest.ts";
import { openBackend, renamedHint, stateHome } from "../engines/place.ts";
import { findPulumi, isAtLeast, OLDEST, PulumiCli } from "../engines/pulumi/cli.ts";
import { UsageError } from "../exit/codes.ts";
import type { Advice } from "../report/model.ts";
import type { EngineChoice } from "../options.ts";
import { lastName, type ProjectFolder, type StackFolder, stackNamed } from "../project/open.ts";
import { FolderStacks, PulumiStacks, type Stacks } from "./kept.ts";

export async function withStacks<T>(
  choice: EngineChoice,
  folder: ProjectFolder,
  work: (stacks: Stacks) => Promise<T>,
): Promise<T> {
  const stacks = await open(choice, folder);
  try {
    return await work(stacks);
  } finally {
    stacks.close();
  }
}

/** Returns the state of a stack, secrets encrypted; undefined if there is no such stack. */
export function exportedState(
  choice: EngineChoice,
  folder: ProjectFolder,
  stack: string,
): Promise<ExportedStack | undefined> {
  return withStacks(choice, folder, async (stacks) => {
    const isThere = (await stacks.list()).some(({ name }) => name === stack);
    return isThere ? stacks.export(stack, { showSecrets: false }) : undefined;
  });
}

async function open(choice: EngineChoice, folder: ProjectFolder): Promise<Stacks> {
  const found = choice === "embedded" ? undefined : await findPulumi();
  if (found === undefined || !isAtLeast(found.version, OLDEST))
    return new FolderStacks(await openBackend(folder), folder);
  const home = await stateHome(folder);
  return home.files === undefined
    ? new PulumiStacks(new PulumiCli(found, folder, home), folder)
    : new FolderStacks(home.files, folder);
}

const NONE_YET: readonly Advice[] = [
  { command: "up", arguments: [], reason: "makes one." },
  { command: "state import", arguments: [], reason: "copies the stack of another place." },
];

/** Returns the stack's name for the engines. Refuses a stack that doesn't exist, because a look must not make one. */
export async function requireStack(stacks: Stacks, { project }: ProjectFolder, text: string): Promise<string> {
  const name = stackNamed(text, project.name);
  if (await stacks.has(lastName(name))) return name;
  const names = (await stacks.list()).map((stack) => stack.name);
  const there = names.length === 0 ? "It has none yet." : `It has ${names.join(", ")}.`;
  const [other] = await stacks.projectsWith(name);
  const renamed = other === undefined ? "" : ` ${renamedHint(other, name)}`;
  throw new UsageError(`${project.name} has no stack "${name}" in ${stacks.place}. ${there}${renamed}`, {
    ...(names.length === 0 && { advice: NONE_YET }),
  });
}

export async function refuseUnmeant(engine: EngineChoice, folder: StackFolder): Promise<void> {
  const { project, stack, config } = folder;
  // The list may be far away.
  if (existsSync(config.file)) return;
  const name = lastName(stack);
  await withStacks(engine, folder, async (stacks) => {
    const all = await stacks.list();
    if (all.some((one) => one.name === name)) return;
    const meant = all.find((one) => one.resources !== 0 && isSlipOf(name, one.name));
    if (meant === undefined) return;
    throw new UsageError(
      `${project.name} has no stack "${name}". Did you mean ${meant.name}? Nothing was sent. ` +
        `A new stack would make everything a second time. If you want that, pass --create, or give the stack a settings file (${basename(config.file)})`,
      { advice: [{ command: "up", arguments: ["--create"], reason: "makes another stack." }] },
    );
  });
}
