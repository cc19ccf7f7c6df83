/** The meanings of the process's exit codes. */
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

/** Ends a command with a message for the user. Any other error that is thrown is a fault of Landform. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** Options, files or environment are not as the command needs them. Nothing was sent. */
export class UsageError extends CommandError {
  constructor(message: string, options?: ErrorOptions) {
    super(exitCodes.invalid, message, options);
  }
}

/** A safety limit, or a saved plan that no longer holds. Nothing was sent. */
export class RefusedError extends CommandError {
  constructor(message: string) {
    super(exitCodes.refused, message);
  }
}

/** Everything that was reviewed is already done. */
export class NothingLeftError extends RefusedError {}
