import type { Command } from "commander";
import type { ExitCode } from "../../stack/exit/codes.ts";

/** An action whose result is the exit code. Its options are those of the command and of the group that it is in. */
export function exiting<Args extends unknown[]>(
  action: (...args: Args) => Promise<ExitCode> | ExitCode,
): (this: Command, ...args: Args) => Promise<void> {
  return async function (...args) {
    const given = args.with(this.registeredArguments.length, this.optsWithGlobals()) as Args;
    process.exitCode = await action(...given);
  };
}
