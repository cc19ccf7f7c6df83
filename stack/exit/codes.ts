/** The meanings of the process's exit codes. */
import type { Advice } from "../report/model.ts";

export const exitCodes = {
  done: 0,
  failed: 1,
  /** Only with --detailed-exitcode, or for an export that leaves differences to the next up. */
  changes: 2,
  /** A safety limit, or a saved plan that no longer holds. */
  refused: 3,
  /** The program, the manifest or the options are wrong; nothing was sent. */
  invalid: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

interface Options extends ErrorOptions {
  /** The commands that a person may want to run next. */
  readonly advice?: readonly Advice[];
}

/** Ends a command with a message for the user. Any other error that is thrown is a fault of Landform. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly advice: readonly Advice[];
  constructor(exitCode: ExitCode, message: string, { advice = [], ...options }: Options = {}) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
    this.advice = advice;
  }
}

/** Options, files or environment are not as the command needs them. Nothing was sent. */
export class UsageError extends CommandError {
  constructor(message: string, options?: Options) {
    super(exitCodes.invalid, message, options);
  }
}

/** A safety limit, or a saved plan that no longer holds. Nothing was sent. */
export class RefusedError extends CommandError {
  constructor(message: string, options?: Options) {
    super(exitCodes.refused, message, options);
  }
}

/** Everything that was reviewed is already done. */
export class NothingLeftError extends RefusedError {}

/** Words an error of the system. Any other error stays as it is. */
export function explained(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return error;
  return new UsageError(`${what}: ${REASONS.get(String(error.code)) ?? error.message}`, { cause: error });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["EACCES", "this user may not"],
  ["EPERM", "this user may not"],
  ["EROFS", "its disk is read-only"],
  ["ENOTDIR", "a part of the path is no folder"],
  ["EEXIST", "a part of the path is no folder"],
  ["EISDIR", "it is a folder"],
  ["ENOSPC", "the disk is full"],
  ["ELOOP", "its links go round in a circle"],
  ["ENAMETOOLONG", "the name is too long"],
]);
