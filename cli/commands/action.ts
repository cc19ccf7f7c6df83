import type { ExitCode } from "../../stack/exit/codes.ts";

/** An action whose result is the exit code. */
export function exiting<Args extends unknown[]>(
  action: (...args: Args) => Promise<ExitCode> | ExitCode,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    process.exitCode = await action(...args);
  };
}
