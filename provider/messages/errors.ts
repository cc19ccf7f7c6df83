/** Failures that the lifecycle itself finds. Each says what happened, where, and what to do next. */
import { landform } from "../values/command-line.ts";
import type { ApiError } from "../api/index.ts";

export class LifecycleError extends Error {
  override readonly name: string = "LifecycleError";
}

export class WrongAccountError extends LifecycleError {
  override readonly name = "WrongAccountError";
  readonly accounts: { readonly expected: string; readonly actual: string };

  constructor(expected: string, actual: string, keyVariable: string) {
    super(
      `The API key belongs to account ${actual}, but this stack's state belongs to account ${expected}. ` +
        `Nothing was sent. Use a key of account ${expected} (${keyVariable}), or another stack for account ${actual}.`,
    );
    this.accounts = { expected, actual };
  }
}

export class UnknownAccountError extends LifecycleError {
  override readonly name = "UnknownAccountError";

  constructor(expected: string, keyVariable: string) {
    super(
      `The API key may not tell which account it belongs to (GET /me needs the scope account:read), and this stack's state ` +
        `belongs to account ${expected}: nothing shows that it is a key of that account. Nothing was sent. Give the key ` +
        `(${keyVariable}) the scope account:read.`,
    );
  }
}

export class OldStateError extends LifecycleError {
  override readonly name = "OldStateError";

  constructor(called: string, id: string) {
    super(
      `Another version of Landform wrote what this stack's state has of ${called}, and this version can't read it. Nothing was sent. ` +
        `Run the version that wrote it; or take the resource out of the state with "pulumi state delete", declare adoptId: "${id}", ` +
        `and run again: the object stays as it is, and is taken over.`,
    );
  }
}

/** The answer to a POST was lost or tells of another object, and its object could not be found in time. */
export class LostAnswerError extends LifecycleError {
  override readonly name = "LostAnswerError";
  constructor(what: string, seconds: number, why: ApiError | string) {
    const [brief, options] = typeof why === "string" ? [why, {}] : [why.brief, { cause: why }];
    super(
      `Landform does not know if the service created ${what}: ${brief}, and nothing like it appeared within ${seconds} s. ` +
        `Run the command again: it first looks for the object, and goes on with it.`,
      options,
    );
  }
}

/** A lost POST of a kind that the API never lists (hooks). */
export class UnfindableError extends LifecycleError {
  override readonly name = "UnfindableError";
  constructor(what: string, cause: ApiError) {
    super(
      `Landform does not know if the service created ${what}: ${cause.brief}, and the API has no way to look for it. It may exist ` +
        `as an orphan that Landform can't remove. Run the command again to create it; look in the app for a second one.`,
      { cause },
    );
  }
}

/** Evidence on an object that may be the one an interrupted run finished, or anybody's. */
export interface Candidate {
  readonly id: string;
  readonly createdAt?: string;
  /** The name, if it is not the one that was asked for. */
  readonly name?: string;
}

/** The state tells of an interrupted creation, and nothing proves that it was finished. */
export class UnprovenError extends LifecycleError {
  override readonly name = "UnprovenError";
  readonly candidates: readonly Candidate[];

  constructor(what: string, candidates: readonly Candidate[], why = "there is no record of it here") {
    const listed = candidates.map(({ id, name, createdAt = "on a date that is not shown" }) =>
      name === undefined ? `${id} (made ${createdAt})` : `${id} ("${name}", made ${createdAt})`,
    );
    const alike = candidates.some(({ name }) => name !== undefined) ? "of a name like that" : "of that name";
    const ids = candidates.map(({ id }) => id).join(",");
    super(
      `Landform does not know if an interrupted run finished ${what}: ${why}, and the account has ` +
        `${listed.join(", ")} ${alike}. Landform created nothing and adopted nothing. If that is the one, set adoptId to its id; if ` +
        `it is somebody else's, run again with LANDFORM_NOT_OURS=${ids}.`,
    );
    this.candidates = candidates;
  }
}

export class RefusedChangeError extends LifecycleError {
  override readonly name = "RefusedChangeError";
  constructor(what: string, field: string, why: string) {
    super(`${what}, ${field}: ${why}`);
  }
}

/** A run that is no preview, on the stack of one; or a preview on a stack that is none. */
export class PreviewStackError extends LifecycleError {
  override readonly name = "PreviewStackError";
  constructor(what: string, then: string | undefined, now: string | undefined) {
    super(then === undefined ? takesPlace(what, now) : leaves(what, then, now));
  }
}

function leaves(what: string, then: string, now: string | undefined): string {
  const here = now === undefined ? "this run is no preview" : `this run is a preview called ${now}`;
  return (
    `${what} is part of the preview environment ${then}, and ${here}: it would take over what the base has adopted. Nothing was ` +
    `sent. \`${landform("env up")}\` brings the environment up to date; \`pulumi destroy\` or ` +
    `\`${landform("env down")}\` take it away`
  );
}

function takesPlace(what: string, now = ""): string {
  return (
    `${what} is no part of a preview environment, and this run is a preview called ${now}: it would take the place of what this ` +
    `stack has. Nothing was sent. Select a stack of its own for the preview`
  );
}

export class AdoptionError extends LifecycleError {
  override readonly name = "AdoptionError";
}

/** A step that the service answered with success but did not (wholly) do: missing keys, issues, leftovers. */
export class ApplyError extends LifecycleError {
  override readonly name: string = "ApplyError";
}

/** A write was answered with success, and the record is as it was before: it may lag, or the service may not take the value. */
export class NotYetSeenError extends ApplyError {
  override readonly name = "NotYetSeenError";
  readonly fields: readonly string[];

  constructor(call: string, id: string, fields: readonly string[]) {
    super(
      `the service answered ${call} with success, but did not change ${id}: ${fields.join(", ")}. ` +
        `Landform counts none of that as done. Run again; if it stays so, the service doesn't take this value.`,
    );
    this.fields = fields;
  }
}

/** One answer says that an object is not there, and another one shows it. */
export class UnconfirmedAbsenceError extends LifecycleError {
  override readonly name = "UnconfirmedAbsenceError";
  constructor(what: string) {
    super(
      `${what}. It stays in the state. Run again later. If this message stays and the object was deleted, ` +
        `take it out of the state with "pulumi state delete".`,
    );
  }
}

export class DeleteError extends LifecycleError {
  override readonly name = "DeleteError";
}

/**
 * A failure after the object exists. The host turns `id`, `properties` and `reasons` into a resource that is kept with
 * its errors, and the next run calls update. `__provider` must be among the properties, or a destroy can't find us.
 */
export class PartialFailure extends LifecycleError {
  override readonly name = "PartialFailure";
  readonly id: string;
  readonly properties: Record<string, unknown>;

  constructor(id: string, properties: Record<string, unknown>, cause: Error) {
    super(cause.message, { cause });
    this.id = id;
    this.properties = properties;
  }

  get reasons(): string[] {
    return [this.message];
  }
}
