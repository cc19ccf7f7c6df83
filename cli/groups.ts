/** Commands in groups. The options of a group may stand before and after the name of its command. */
import type { Command, Option } from "commander";

/** The options of a command: its own, and those of its group. The program itself has only its version. */
export function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...optionsOfGroups(command)];
}

export function optionsOfGroups({ parent }: Command): readonly Option[] {
  return parent?.parent ? optionsOf(parent) : [];
}

export function calledIn({ commands, parent }: Command, args: readonly string[]): Command | undefined {
  // The program has no options before its command, so only the first argument counts.
  const words = parent === null ? args.slice(0, 1) : args;
  for (const [at, word] of words.entries()) {
    const command = commands.find((one) => one.name() === word);
    if (command !== undefined) return command.commands.length === 0 ? command : calledIn(command, args.slice(at + 1));
  }
  return undefined;
}

export function nameWithin(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameWithin(parent)} ${command.name()}` : command.name();
}
