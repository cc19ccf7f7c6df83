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
