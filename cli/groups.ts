/** Commands in groups: the options of a group are taken before and after the name of its command. */
import type { Command, Option } from "commander";

/** Those that a command takes: its own, and those of its group. The program itself has its version alone. */
export function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...optionsOfGroups(command)];
}

export function optionsOfGroups({ parent }: Command): readonly Option[] {
  return parent?.parent ? optionsOf(parent) : [];
}

/** The command that the arguments name. */
export function calledIn({ commands, parent }: Command, args: readonly string[]): Command | undefined {
  // Before the first word there is nothing that belongs to it.
  const words = parent === null ? args.slice(0, 1) : args;
  for (const [at, word] of words.entries()) {
    const command = commands.find((one) => one.name() === word);
    if (command !== undefined) return command.commands.length === 0 ? command : calledIn(command, args.slice(at + 1));
  }
  return undefined;
}

/** With the group that it is in: `state export`. */
export function nameWithin(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameWithin(parent)} ${command.name()}` : command.name();
}
