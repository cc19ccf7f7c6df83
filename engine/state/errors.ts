import type { LockHolder } from "./types.ts";

/** Base of everything engine/state/ throws on purpose. The message says what happened, where, and what to do next. */
export class StateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** PULUMI_BACKEND_URL or the like names a place that the embedded engine cannot keep state in. */
export class UnsupportedBackendError extends StateError {}

/** A project or stack name that would not be a safe file name. */
export class InvalidNameError extends StateError {}

export class StackNotFoundError extends StateError {}
export class StackExistsError extends StateError {}

/** `remove` without `force` on a stack that still has resources. */
export class StackNotEmptyError extends StateError {}

/** Another process holds the stack. */
export class LockedError extends StateError {
  readonly holders: readonly LockHolder[];
  constructor(message: string, holders: readonly LockHolder[]) {
    super(message);
    this.holders = holders;
  }
}

/** The lock of this run was removed while it ran, and another run may hold the stack by now. */
export class LockLostError extends StateError {}

/** The checkpoint's version, one of its features or its compression is not known here. */
export class UnsupportedCheckpointError extends StateError {}

/** The checkpoint is not what it should be: broken JSON, missing fields. */
export class CorruptCheckpointError extends StateError {}

/** The system did not take what was to be kept: the disk is full, or nothing may be written there. */
export class UnwrittenFileError extends StateError {
  constructor(file: string, cause: Error) {
    super(
      `${file} can't be written: ${cause.message}. Make room there, or see to it that this user may write, and run again: what was done by then is found again, and not made twice`,
      { cause },
    );
  }
}

/** References, order or uniqueness of the resources are wrong. Every problem found is listed. */
export class IntegrityError extends StateError {
  readonly problems: readonly string[];
  constructor(message: string, problems: readonly string[]) {
    super([message, ...problems.map((problem) => `  - ${problem}`)].join("\n"));
    this.problems = problems;
  }
}

/** The file of this stack holds the resources of another one. */
export class OthersStateError extends StateError {}

/** What was given to import is no state, or none that the stack can have. The one that it has stays. */
export class RefusedImportError extends IntegrityError {}

/** The journal of a killed run is damaged before its end. */
export class JournalCorruptError extends StateError {}

/** The checkpoint is no longer the one that the journal of a killed run started from. */
export class JournalMismatchError extends StateError {}

/** A secrets provider or salt this version cannot use. */
export class UnsupportedSecretsError extends StateError {}

export class WrongPassphraseError extends StateError {
  constructor() {
    super(
      "wrong passphrase: it does not open this stack's secrets. Set PULUMI_CONFIG_PASSPHRASE, or PULUMI_CONFIG_PASSPHRASE_FILE, to the one the stack was created with",
    );
  }
}

/** Secrets are there, or about to be written, and no passphrase was given. */
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

/** Pulumi.yaml or Pulumi.<stack>.yaml is wrong; the message starts with file:line:column. */
export class ProjectFileError extends StateError {}
