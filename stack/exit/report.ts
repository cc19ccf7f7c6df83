/** The report of a command that ended with an error. A CI that asked for a report gets one. */
import { guideTo } from "../../provider/messages/failures.ts";
import { afterError } from "../advice/next-steps.ts";
import { OwnedFileError } from "../../provider/ledger/owned-files.ts";
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
import { ApiError, ConfigurationError } from "../../provider/api/index.ts";
import { ExportError } from "../../manifest/write/files.ts";
import { KeptFileError } from "../../manifest/source/folder.ts";
import { stripVTControlCharacters } from "node:util";
import { reasonOf } from "../../provider/values/wording.ts";
import { adviceFor } from "../advice/next-command.ts";
import { type Advice, type FailureCause, type Report, type Verb, type Counts } from "../report/model.ts";
import { exitCodes, type ExitCode, CommandError, explained as explainedFile } from "./codes.ts";

export interface Explanation {
  message: string;
  exitCode: ExitCode;
  advice?: readonly Advice[];
}

export interface End extends Explanation {
  /** The findings of the command up to then. */
  report?: Report | undefined;
}

export function failedReport<Command extends string>(
  command: Command,
  stack: string,
  { message, exitCode, advice = [], report }: End,
): Omit<Report, "command"> & { command: Command } {
  const ended = report ?? blankReport(stack);
  const failure = {
    ...{ cause: CAUSES[exitCode] ?? ("operation" as const), message: stripVTControlCharacters(message) },
    ...(advice.length > 0 && { advice }),
  };
  return { ...ended, command, result: "failed", failures: [...ended.failures, failure] };
}

/** Adds the error that ended the command, if the report doesn't have it. */
export function reportOf(
  { report, error }: { readonly report: Report; readonly error?: CommandError },
  command: Verb,
  options: { readonly stack: string; readonly verbose?: true },
): Report {
  if (error === undefined) return report;
  return failedReport(command, options.stack, { ...explain(error, options), report });
}

const CAUSES: Partial<Record<ExitCode, FailureCause>> = {
  [exitCodes.invalid]: "program",
  [exitCodes.refused]: "refused",
};

export function failureCode(
  { failures, counts }: Pick<Report, "failures" | "counts">,
  { sent }: { sent: boolean },
): ExitCode {
  const isStale = failures.some(({ cause }) => cause === "stale");
  // A refusal promises that nothing was sent.
  if (isStale && !(sent && hasDone(counts))) return exitCodes.refused;
  const wrong = failures.length > 0 && failures.every(({ cause }) => cause === "program");
  return wrong && !sent ? exitCodes.invalid : exitCodes.failed;
}

function hasDone({ create, adopt, update, replace, delete: deleted, left, unfinished }: Counts): boolean {
  return create + adopt + update + replace + deleted + left + unfinished > 0;
}

export function blankReport(stack: string, note?: string): Omit<Report, "command" | "result"> {
  const counts = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, held: 0, same: 0 };
  return {
    version: 1,
    project: "",
    stack,
    engine: { name: "none", version: "" },
    counts: { ...counts, mayFollow: 0, failed: 0, unfinished: 0, unreached: 0 },
    changes: [],
    outputs: {},
    urls: [],
    pending: [],
    findings: note === undefined ? [] : [{ check: "command", weight: "note", text: note }],
    failures: [],
    durationMs: 0,
  };
}

/** The report of a command that had nothing to do, with the reason. */
export function idleReport(command: Verb, stack: string, why: string): Report {
  return { ...blankReport(stack, why), command, result: "succeeded" };
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

/** Words an error for a command with these options. The commands that it advises are for the same run. */
export function explain(error: unknown, options: object): Explanation {
  const { message, exitCode } = explained(error, { verbose: "verbose" in options && options.verbose === true });
  const known = error instanceof CommandError ? error.advice : afterError(error);
  const advice = known.map(adviceFor(options, process.cwd()));
  return { message: withoutPasswords(message), exitCode, advice };
}

/** Errors of other libraries quote the address that they were given, and this text goes into public comments. */
function withoutPasswords(text: string): string {
  const bySetting = text.replace(/([?&](?:ssl)?password=)[^\s&#"'`]+/gi, "$1…");
  return bySetting.replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'`]*:[^\s/?#"'`]*@/gi, "$1");
}

function explained(error: unknown, { verbose }: { verbose: boolean }): Explanation {
  if (!(error instanceof Error)) return { message: String(error), exitCode: exitCodes.failed };
  if (isSystemError(error))
    return { message: reasonOf(explainedFile(error, error.path ?? "a file")), exitCode: exitCodes.invalid };
  const message = `${verbose ? (error.stack ?? error.message) : error.message}${helpFor(error)}`;
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (INVALID.some((cause) => error instanceof cause)) return { message, exitCode: exitCodes.invalid };
  if (error instanceof EngineError && error.failure === "program") return { message, exitCode: exitCodes.invalid };
  const told = verbose || [LockedError, ...EXPLAINED].some((cause) => error instanceof cause);
  return {
    message: told ? message : `${message} (a fault of Landform: run again with --verbose for details, and report it)`,
    exitCode: exitCodes.failed,
  };
}

/** Files that can't be read or written. File errors during a run are errors of its engine. */
function isSystemError(error: Error): error is NodeJS.ErrnoException {
  return "syscall" in error && "code" in error && "path" in error;
}

const EXPLAINED = [ApiError, EngineError, StateError, OwnedFileError];

/** Returns a further line for the message, or nothing. */
function helpFor(error: Error): string {
  const guide = guideTo(error.name);
  const explained = EXPLAINED.some((base) => error instanceof base) && !error.message.endsWith(guide);
  return explained ? `\n  ${guide}` : "";
}
