import type { LockHolder } from "./types.ts";

/** Base of every error that engine/state/ throws on purpose. The message says what happened, where, and what to do next. */
export class StateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** PULUMI_BACKEND_URL or a similar setting names a place where the embedded engine can't keep state. */
export class UnsupportedBackendError extends StateError {}

export class InvalidNameError extends StateError {}

export class StackNotFoundError extends StateError {}
export class StackExistsError extends StateError {}

/** `remove` without `force` on a stack that still has resources. */
export class StackNotEmptyError extends StateError {}

export class LockedError extends StateError {
  readonly holders: readonly LockHolder[];
  constructor(message: string, holders: readonly LockHolder[]) {
    super(message);
    this.holders = holders;
  }
}

/** Somebody removed the lock of this run while it ran, and another run may hold the stack by now. */
export class LockLostError extends StateError {}

/** This version doesn't know the checkpoint's version, one of its features, or its compression. */
export class UnsupportedCheckpointError extends StateError {}

export class CorruptCheckpointError extends StateError {}

/** The system did not write a file: the disk is full, or the place is read-only. */
export class UnwrittenFileError extends StateError {
  constructor(file: string, cause: Error) {
    super(
      `${file} can't be written: ${cause.message}. Make room there, or see to it that this user may write, and run again: the next run finds what was done, and does not make it twice`,
      { cause },
    );
  }
}

/** References, order or uniqueness of the resources are wrong. The message lists every problem. */
export class IntegrityError extends StateError {
  readonly problems: readonly string[];
  constructor(message: string, problems: readonly string[]) {
    super([message, ...problems.map((problem) => `  - ${problem}`)].join("\n"));
    this.problems = problems;
  }
}

/** The file of this stack holds the resources of another one. */
export class StateOfAnotherStackError extends StateError {}

/** An import that is no state, or no state for this stack. The stack keeps its present state. */
export class RefusedImportError extends IntegrityError {}

export class JournalCorruptError extends StateError {}

/** The checkpoint is no longer the one that the journal of a killed run started from. */
export class JournalMismatchError extends StateError {}

/** This version can't use the secrets provider or the salt. */
export class UnsupportedSecretsError extends StateError {}

export class WrongPassphraseError extends StateError {
  constructor() {
    super(
      "wrong passphrase: it does not open this stack's secrets. Set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE, to the one the stack was created with",
    );
  }
}

/** The run meets or writes secrets and has no passphrase. */
export class MissingPassphraseError extends StateError {
  constructor(cause: string) {
    super(
      `${cause}. Set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE to a file that holds the passphrase`,
    );
  }
}

/** The passphrase is right, but this value was encrypted with another key or is damaged. */
export class DecryptionError extends StateError {
  constructor(where = "a secret") {
    super(
      `${where} cannot be decrypted with this stack's passphrase: it was encrypted for another stack or is damaged. Set it again, or restore the file`,
    );
  }
}

/** Pulumi.yaml or Pulumi.<stack>.yaml is wrong. The message starts with file:line:column. */
export class ProjectFileError extends StateError {}
