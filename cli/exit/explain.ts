/** What is told about an error that ends a command. */
import { ExportError } from "../../manifest/export/index.ts";
import { ApiError, ConfigurationError } from "../../provider/api/index.ts";
import { FaultFileError } from "../../emulator/index.ts";
import {
  EngineError,
  InvalidNameError,
  LockedError,
  MissingPassphraseError,
  ProjectFileError,
  StateError,
  UnsupportedBackendError,
  UnsupportedSecretsError,
  WrongPassphraseError,
} from "../../engine/index.ts";
import { CommandError, exitCodes, type ExitCode } from "./codes.ts";
import { helpFor } from "./guide.ts";

export interface Explanation {
  message: string;
  exitCode: ExitCode;
}

/** Settings of the user that are wrong, found before anything was sent. */
const INVALID = [
  ProjectFileError,
  InvalidNameError,
  UnsupportedBackendError,
  UnsupportedSecretsError,
  WrongPassphraseError,
  MissingPassphraseError,
  FaultFileError,
  ConfigurationError,
  ExportError,
];

export function explain(error: unknown, { verbose }: { verbose: boolean }): Explanation {
  if (!(error instanceof Error)) return { message: String(error), exitCode: exitCodes.failed };
  const message = `${verbose ? (error.stack ?? error.message) : error.message}${helpFor(error)}`;
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (INVALID.some((cause) => error instanceof cause)) return { message, exitCode: exitCodes.invalid };
  if (error instanceof EngineError && error.failure === "program") return { message, exitCode: exitCodes.invalid };
  const expected = [StateError, LockedError, EngineError, ApiError].some((cause) => error instanceof cause);
  const told = expected || verbose || isSystemError(error);
  return {
    message: told ? message : `${message} (a fault of Landform: run again with --verbose for details, and report it)`,
    exitCode: exitCodes.failed,
  };
}

/** Files that can't be read or written: the message of the system names them. */
function isSystemError(error: Error): boolean {
  return "syscall" in error && "code" in error;
}
