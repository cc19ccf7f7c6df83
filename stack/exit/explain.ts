/** The text for an error that ends a command. */
import { KeptFileError } from "../../manifest/source/folder.ts";
import { ExportError } from "../../manifest/export/index.ts";
import { ApiError, ConfigurationError } from "../../provider/api/index.ts";
import {
  EngineError,
  InvalidNameError,
  LockedError,
  MissingPassphraseError,
  ProjectFileError,
  RefusedImportError,
  StateError,
  UnsupportedBackendError,
  UnsupportedSecretsError,
  WrongPassphraseError,
} from "../../engine/index.ts";
import { OwnedFileError } from "../../provider/ledger/owned-files.ts";
import { CommandError, type ExitCode, exitCodes, explained as explainedFile } from "./codes.ts";
import { UNLOCKS } from "../advice/next-steps.ts";
import type { Advice } from "../report/model.ts";
import { guideTo } from "../../provider/messages/failures.ts";

export interface Explanation {
  message: string;
  exitCode: ExitCode;
  advice?: readonly Advice[];
}

/** Settings of the user that are wrong, found before anything was sent. */
const INVALID = [
  RefusedImportError,
  ProjectFileError,
  InvalidNameError,
  UnsupportedBackendError,
  UnsupportedSecretsError,
  WrongPassphraseError,
  MissingPassphraseError,
  ConfigurationError,
  ExportError,
  KeptFileError,
];

export function explain(error: unknown, options: { verbose: boolean }): Explanation {
  const { message, exitCode } = explained(error, options);
  return { message: withoutPasswords(message), exitCode, advice: adviceOf(error) };
}

function adviceOf(error: unknown): readonly Advice[] {
  if (error instanceof LockedError) return [UNLOCKS];
  return error instanceof CommandError ? error.advice : [];
}

/** Errors of other libraries quote the address that they were given, and this text goes into public comments. */
function withoutPasswords(text: string): string {
  const bySetting = text.replace(/([?&](?:ssl)?password=)[^\s&#"'`]+/gi, "$1…");
  return bySetting.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'`]*:[^\s/?#"'`]*@/gi, "$1");
}

function explained(error: unknown, { verbose }: { verbose: boolean }): Explanation {
  if (!(error instanceof Error)) return { message: String(error), exitCode: exitCodes.failed };
  if (isSystemError(error)) return { message: systemMessage(error), exitCode: exitCodes.invalid };
  const message = `${verbose ? (error.stack ?? error.message) : error.message}${helpFor(error)}`;
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (INVALID.some((cause) => error instanceof cause)) return { message, exitCode: exitCodes.invalid };
  if (error instanceof EngineError && error.failure === "program") return { message, exitCode: exitCodes.invalid };
  const expected = [StateError, LockedError, EngineError, ApiError, OwnedFileError].some(
    (cause) => error instanceof cause,
  );
  const told = expected || verbose;
  return {
    message: told ? message : `${message} (a fault of Landform: run again with --verbose for details, and report it)`,
    exitCode: exitCodes.failed,
  };
}

/** Files that can't be read or written. File errors during a run are errors of its engine. */
function isSystemError(error: Error): error is NodeJS.ErrnoException {
  return "syscall" in error && "code" in error && "path" in error;
}

function systemMessage(error: NodeJS.ErrnoException): string {
  const { message } = explainedFile(error, error.path ?? "a file") as Error;
  return message;
}

const EXPLAINED = [ApiError, EngineError, StateError, OwnedFileError];

/** Returns a further line for the message, or nothing. */
function helpFor(error: Error): string {
  const guide = guideTo(error.name);
  const explained = EXPLAINED.some((base) => error instanceof base) && !error.message.endsWith(guide);
  return explained ? `\n  ${guide}` : "";
}
