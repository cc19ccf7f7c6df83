/** From arguments to an exit code. Commands are in commands/, one file each. */
import { Command, CommanderError } from "commander";
import { commands } from "./commands/index.ts";
import { CommandError, exitCodes } from "./exit/codes.ts";
import { explain, type Explanation } from "./exit/explain.ts";
import { version } from "./package.ts";
import { reportEnd } from "./exit/report.ts";
import { styles } from "./render/styles.ts";

export async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0) return showHelp();
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: "user" });
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const told =
      error instanceof CommanderError ? misused(error) : explain(error, { verbose: args.includes("--verbose") });
    // Commander has told its own errors.
    if (!(error instanceof CommanderError)) console.error(`${styles(process.stderr).bad("error:")} ${told.message}`);
    reportEnd(program, args, { ...told, report: error instanceof CommandError ? error.report : undefined });
    return told.exitCode;
  }
}

/** A script that lost its command must not pass for one that has done its work. */
function showHelp(): number {
  createProgram().outputHelp();
  return exitCodes.invalid;
}

function misused({ message }: CommanderError): Explanation {
  return { message: message.replace(/^error: /, ""), exitCode: exitCodes.invalid };
}

/** All commands with their options, as help, completion and the reference are made from. */
export function createProgram(): Command {
  const program = new Command("landform")
    .description("Landing funnels as code: preview and apply a Pulumi program or a landform.yaml.")
    .version(version)
    .helpCommand("help [command]", "help for a command")
    .showHelpAfterError("(landform help lists the commands; landform help COMMAND, its options)")
    .exitOverride();
  for (const add of commands) add(program);
  return program;
}
