/** The values that the questions about a plan begin from. */
import type { PropertyMap } from "../../engine/index.ts";
import type { PlannedChange } from "../../provider/definition/foresight.ts";
import type { Change, Failure, Field } from "../report/model.ts";
import { decisive, type Told } from "../report/steps.ts";
import type { ForeignEditsWord } from "../../provider/messages/foreign-edits.ts";
import { foreignEditsInForce } from "../../provider/pulumi/settings-in-force.ts";
import type { StackFolder } from "../project/open.ts";
import type { Account } from "../../provider/account/account.ts";
import type { Collection, Identified } from "../../provider/definition/collection.ts";
import { known } from "../report/values.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";
import type { Path } from "../../provider/values/paths.ts";
import {
  ApiError,
  ForbiddenError,
  MissingOperationError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from "../../provider/api/index.ts";

export interface PlannedChanges {
  changes: readonly Change[];
  /** By URN, everything that the engine told about each resource. */
  told: ReadonlyMap<string, Told>;
  /** Tells if an interrupted run began to create it. */
  isBegun: (urn: string) => Promise<boolean>;
  /** Returns the id of the object that an earlier run of this stack had to leave, and that its creation takes over. */
  leftAs: (urn: string) => Promise<string | undefined>;
}

/** The choices of the run and of its stack about edits of others. */
export type ForeignEditsWords = PlannedChange["foreignEdits"];

/** The choice of the page itself counts more than the stack's and less than the option's. */
export function wordsOf(
  { config }: Pick<StackFolder, "config">,
  { foreignEdits }: { readonly foreignEdits?: ForeignEditsWord | undefined },
): ForeignEditsWords {
  const stack = foreignEditsInForce((key) => config.get(key), process.env);
  return { stack, ...(foreignEdits && { option: foreignEdits }) };
}

export function declaredIn({ op }: Change, told: Told | undefined): PropertyMap {
  return (told && decisive(told.steps, op)?.new?.inputs) ?? {};
}

/** A failure that the plan is sure of. */
export interface SureFailure extends Failure {
  readonly change: Pick<Change, "type" | "name">;
  /** The message without its subject. */
  readonly text: string;
  /** The input that it is about. */
  readonly at: Path;
  /** An existing object that is in the way. */
  readonly holder?: ObjectKey | undefined;
}

export function failed(change: Change, text: string, at: Path = []): SureFailure {
  const { urn, type, name } = change;
  return { cause: "program", urn, message: `${type} ${name}: ${text}`, change: { type, name }, text, at };
}

/** Returns a row, undefined if there is none, and null if it can't be asked for. */
export type Rows = (collection: Collection, id: string) => Promise<Identified | null | undefined>;

/** Reads each list once. */
export function rowsOf(account: Account, unheard: Unheard): Rows {
  return (collection, id) =>
    account.row(collection, id).catch((error: unknown) => {
      unheard.note(error);
      return null;
    });
}

export function adoptedBy({ op, fields }: Change): Field["new"] {
  const adoptId = fields.find(({ path }) => path.join("\0") === "adoptId");
  return op === "adopt" || op === "replace" ? known(adoptId?.new) : undefined;
}

/** Questions without an answer. */
export class Unheard {
  readonly #reasons = new Map<string, boolean>();

  /** For a `catch`. Other checks tell about missing scopes and missing operations. */
  readonly note = (error: unknown): undefined => {
    const isTold = error instanceof ForbiddenError || error instanceof MissingOperationError;
    const isAway = AWAY.some((cause) => error instanceof cause);
    if (error instanceof ApiError && !isTold) this.#reasons.set(error.message, isAway);
    return undefined;
  };

  /** Returns the questions that the service may answer a moment later. */
  unanswered(): string[] {
    return this.#texts(true);
  }

  /** Returns the questions that this service answers in no way that Landform knows. */
  warnings(): string[] {
    return this.#texts(false);
  }

  #texts(away: boolean): string[] {
    return [...this.#reasons].flatMap(([reason, isAway]) =>
      isAway === away ? [`not all of the plan could be checked: ${reason}`] : [],
    );
  }
}

const AWAY = [ServerError, NetworkError, TimeoutError, RateLimitedError];
