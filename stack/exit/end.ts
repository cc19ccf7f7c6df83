/** The end of a command by an error: what is told, in which reports, and the exit code. */
import { CommanderError, type Command } from "commander";
import { advisedFor } from "../advice/next-command.ts";
import { printError } from "../../story/print.ts";
import { styles } from "../../story/styles.ts";
import { printable } from "../../story/printable.ts";
import { messageText } from "../../story/text.ts";
import { exitCodes, type ExitCode } from "./codes.ts";
import { explain, type Explanation } from "./explain.ts";
import { calledIn, reportEnd } from "./report.ts";

export function endWith(error: unknown, program: Command, args: readonly string[]): ExitCode {
  const told = error instanceof CommanderError ? misused(error) : explained(error, program, args);
  // Commander has told its own errors.
  if (!(error instanceof CommanderError))
    printError(`${styles(process.stderr).bad("error:")} ${messageText(printable(told.message))}`);
  reportEnd(program, args, told);
  return told.exitCode;
}

/** What is advised is completed with what was chosen on this command line. */
function explained(error: unknown, program: Command, args: readonly string[]): Explanation {
  const { message, exitCode } = explain(error, { verbose: args.includes("--verbose") });
  return { message: advisedFor(calledIn(program, args)?.opts() ?? {}, process.cwd())(message), exitCode };
}

function misused({ message }: CommanderError): Explanation {
  return { message: message.replace(/^error: /, ""), exitCode: exitCodes.invalid };
}
