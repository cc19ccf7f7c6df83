/** Runs the arguments and returns an exit code. Commands are in commands/, one file each. */
import { version } from "../stack/project/package.ts";
import { Command, CommanderError, Help } from "commander";
import { commands, nameOf, type CommandEntry } from "./commands/index.ts";
import { optionsOfGroups } from "./groups.ts";
import { exitCodes } from "../stack/exit/codes.ts";
import { shownText } from "../stack/report/printable.ts";

export async function run(args: readonly string[]): Promise<number> {
  const program = await createProgram(neededFor(args));
  if (args.length === 0) {
    program.outputHelp();
    // A script that lost its command must not pass for one that has done its work.
    return exitCodes.invalid;
  }
  try {
    await refuseUnknown(program, args);
    await program.parseAsync(args, { from: "user" });
    const code = Number(process.exitCode ?? exitCodes.done);
    if (code !== exitCodes.done) (await import("./end.ts")).breakSilence(code, args.join(" "));
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    // The module that explains errors loads every part of the product.
    const { endWith } = await import("./end.ts");
    return endWith(error, program, args);
  }
}

/** Commander answers `help NAME` with the general help if there is no such command. */
async function refuseUnknown(program: Command, args: readonly string[]): Promise<void> {
  const name = namedIn(args) ?? "help";
  const known = ["help", ...commands.map(nameOf)];
  if (name.startsWith("-") || known.includes(name)) return;
  const { didYouMean } = await import("../provider/values/nearest.ts");
  program.error(`error: there is no command "${name}"${didYouMean(name, known) || "."}`);
}

function namedIn(args: readonly string[]): string | undefined {
  return args[0] === "help" ? args[1] : args[0];
}

/** The commands that the arguments name. The help of the whole program comes from the table. */
function neededFor(args: readonly string[]): readonly CommandEntry[] {
  const name = namedIn(args);
  // A completion script covers all commands.
  return name === "completion" ? commands : commands.filter((entry) => nameOf(entry) === name);
}

/** Makes the program with its commands: the needed ones with their options and actions, the others only for the help. */
export async function createProgram(needed: readonly CommandEntry[] = commands): Promise<Command> {
  const program = new Command("landform")
    .description("Landing funnels as code: preview and apply a Pulumi program or a landform.yaml.")
    .version(version)
    .addHelpCommand(helpCommand().helpGroup("Help:"))
    .showHelpAfterError("(landform help lists the commands. landform help COMMAND lists the options of one.)")
    .configureOutput({ outputError: (text, write) => write(shownText(text)) })
    .exitOverride();
  const terms = new Map<Command, string>();
  program.configureHelp({
    subcommandTerm: (command) => terms.get(command) ?? termOf(command),
    visibleOptions: (command) => [...new Help().visibleOptions(command), ...optionsOfGroups(command)],
  });
  for (const entry of commands) {
    if (needed.includes(entry)) (await entry.load())(program);
    else terms.set(program.command(nameOf(entry)).description(entry.about), entry.term);
    const command = program.commands.at(-1)?.helpGroup(`${entry.group}:`);
    if (command !== undefined && command.commands.length > 0) command.addHelpCommand(helpCommand());
  }
  return program;
}

function helpCommand(): Command {
  return new Command("help").argument("[command]").description("help for a command");
}

function termOf(command: Command): string {
  const inner = command.commands.map((one) => one.name()).join("|");
  return inner === "" ? new Help().subcommandTerm(command) : `${command.name()} ${inner}`;
}
