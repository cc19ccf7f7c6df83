/** The options that commands share, each defined once. */
import { type AddHelpTextContext, type Command, Help, InvalidArgumentError, Option } from "commander";
import type { ExitCode } from "../stack/exit/codes.ts";
import { type Limit, parseLimit, type SafetyOptions } from "../stack/options.ts";
import { forgetTold } from "../story/print.ts";

export function folderOption(command: Command): Command {
  return command.option("-C <dir>", "folder of the project", ".");
}

export function stackOption(command: Command): Command {
  return command.option("-s, --stack <name>", "stack", "dev");
}

export function verboseOption(command: Command): Command {
  return command.option("--verbose", "print more: stack traces of errors, output of the engine");
}

export function stackOptions(command: Command): Command {
  return verboseOption(stackOption(folderOption(command)));
}

export function operationOptions(command: Command): Command {
  return targetOption(runOptions(stackOption(command)));
}

export function runOptions(command: Command): Command {
  return engineOption(reportOptions(verboseOption(folderOption(command)))).addOption(parallelOption());
}

export function targetOption(command: Command): Command {
  const about = "only this resource: a URN, a pattern with *, or TYPE/NAME; repeatable";
  const collect = (value: string, before: string[]): string[] => [...before, value];
  return command.addOption(new Option("--target <urn>", about).argParser(collect).default([], "all"));
}

export function jsonOption(command: Command): Command {
  return command.option("--json", "print it as JSON");
}

export function yesOption(command: Command): Command {
  return command.option("-y, --yes", "don't ask");
}

export function parallelOption(): Option {
  return new Option("--parallel <n>", "resources worked on at the same time").argParser(positive);
}

export function engineOption(command: Command): Command {
  return command.addOption(
    new Option("--engine <engine>", "engine that runs the program and keeps the state")
      .choices(["auto", "pulumi", "embedded"])
      .default("auto"),
  );
}

export function reportOptions(command: Command): Command {
  return command
    .option("--json [file]", "report as JSON, on standard output or in a file")
    .option("--markdown <file>", "report as Markdown, for a comment")
    .option("--html <file>", "report as HTML, in one file")
    .option("--junit <file>", "report as JUnit XML, for a CI");
}

export function safetyOptions(command: Command): Command {
  return limitOptions(yesOption(command));
}

export function limitOptions(command: Command): Command {
  return command
    .option("--max-deletes <limit>", "deletions and replacements allowed, as a number or N%", limit)
    .option(
      "--force",
      "allow what up stops at: too many deletions or replacements, emptied code, broken texts and prices, objects made twice",
    );
}

export function foreignEditsOption(): Option {
  return new Option(
    "--foreign-edits <word>",
    "edits of others: hold leaves them alone, include publishes them and writes over their values (default: ask at a terminal, else hold)",
  ).choices(["hold", "include"]);
}

export function verifyOption(): Option {
  return new Option(
    "--verify [strict]",
    "read each published page until it shows the changed texts; with =strict, exit with 1 if it doesn't",
  ).choices(["strict"]);
}

export const continueOption = [
  "--continue-on-error",
  "after a failure, go on with the resources that don't depend on it",
] as const;
export const fullOption = ["--full", "show whole values, and every change of a long plan"] as const;
export const fullRead = [
  "--full",
  "read every page's content, even if its date says that nothing changed, and show whole values",
] as const;
export const detailedExitcode = ["--detailed-exitcode", "exit with 2 if there are changes or drift"] as const;

/** Wraps the paragraphs below a help like its options. An empty line parts two of them. */
export function wrapped(note: string): (context: AddHelpTextContext) => string {
  const unbroken = note.replaceAll(/(?<=\S)\n(?=\S)/g, " ");
  return ({ command }) => new Help().boxWrap(unbroken, command.configureOutput().getOutHelpWidth?.() ?? PLAIN_WIDTH);
}

/** The width of a help that goes to no terminal. */
const PLAIN_WIDTH = 80;

export function positive(text: string): number {
  const number = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError("It has to be a whole number of at least 1.");
  return number;
}

function limit(text: string): Limit {
  const parsed = parseLimit(text);
  if (parsed === undefined) throw new InvalidArgumentError("It has to be a number such as 5, or a share such as 30%.");
  if (parsed.percent && parsed.amount > 100) throw new InvalidArgumentError("A share is 100% at most.");
  return parsed;
}

/** Wraps an action whose result is the exit code. Its options are those of the command and of its group. */
export function exiting<Args extends unknown[]>(
  action: (...args: Args) => Promise<ExitCode> | ExitCode,
): (this: Command, ...args: Args) => Promise<void> {
  return async function (...args) {
    forgetTold();
    const given = args.with(this.registeredArguments.length, this.optsWithGlobals()) as Args;
    process.exitCode = await action(...given);
  };
}

export function limitsOf({ yes, force, maxDeletes }: SafetyOptions): SafetyOptions {
  return { ...(yes && { yes }), ...(force && { force }), ...(maxDeletes && { maxDeletes }) };
}
