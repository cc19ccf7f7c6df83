/** The values that the questions about a plan begin from. */
import { type PropertyMap, nameOf } from "../../engine/index.ts";
import type { Holder, PlannedChange } from "../../provider/definition/foresight.ts";
import { type Advice, type Change, type Failure, type Field, type Finding, LATER, SECRET } from "../report/model.ts";
import { decisive, type Told } from "../report/steps.ts";
import type { ForeignEditsPolicy } from "../../provider/messages/foreign-edits.ts";
import { foreignEditsInForce, configInForce } from "../../provider/pulumi/settings-in-force.ts";
import type { StackFolder } from "../project/open.ts";
import type { Account } from "../../provider/account/account.ts";
import type { Collection, Identified } from "../../provider/definition/collection.ts";
import { known, shown } from "../report/values.ts";
import type { Path } from "../../provider/values/paths.ts";
import {
  ApiError,
  ForbiddenError,
  MissingOperationError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  type CheckedConfig,
} from "../../provider/api/index.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { configWith, type StackSettings } from "../settings/settings.ts";

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
export type ForeignEditsPolicies = PlannedChange["foreignEdits"];

/** The choice of the page itself counts more than the stack's and less than the option's. */
export function policiesOf(
  { config }: Pick<StackFolder, "config">,
  { foreignEdits }: { readonly foreignEdits?: ForeignEditsPolicy | undefined },
): ForeignEditsPolicies {
  const stack = foreignEditsInForce((key) => config.get(key), process.env);
  return { stack, ...(foreignEdits && { option: foreignEdits }) };
}

/** A failure that the plan is sure of. */
export interface SureFailure extends Failure {
  readonly change: Pick<Change, "type" | "name">;
  /** The message without its subject. */
  readonly text: string;
  /** The input that it is about. */
  readonly at: Path;
  readonly holder?: Holder | undefined;
}

export function failed(change: Pick<Change, "urn" | "type" | "name">, text: string, at: Path = []): SureFailure {
  const { urn, type, name } = change;
  return { cause: "program", urn, message: `${type} ${name}: ${text}`, change: { type, name }, text, at };
}

/** A warning about a planned change. */
export interface Warned extends Pick<Finding, "text" | "urn" | "advice"> {
  readonly change?: Pick<Change, "type" | "name">;
  /** The input that it is about. */
  readonly at?: Path;
}

export function warned(change: Change, at: Path, text: string, advice: readonly Advice[] = []): Warned {
  const { urn, type, name } = change;
  return { urn, change: { type, name }, at, text, ...(advice.length > 0 && { advice }) };
}

/** Returns a row, undefined if there is none, and null if it can't be asked for. A listed row that is not accepted is read by its id. */
export type Rows = (
  collection: Collection,
  id: string,
  accept?: (row: Identified) => boolean,
) => Promise<Identified | null | undefined>;

/** Reads each list once. */
export function rowsOf(account: Account, unheard: Unheard): Rows {
  return (collection, id, accept) =>
    account.row(collection, id, accept).catch((error: unknown) => {
      unheard.note(error);
      return null;
    });
}

/** Returns the value that a change gives to an input. */
export function newOf({ fields }: Change, ...path: Path): Field["new"] {
  const key = path.join("\0");
  return fields.find((field) => field.path.join("\0") === key)?.new;
}

/** Returns the id of the object that a change takes over, if it is known. */
export function adoptedBy(change: Change): string | undefined {
  const id = change.op === "adopt" || change.op === "replace" ? known(newOf(change, "adoptId")) : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Asks about all at once. */
export async function askEach<One, Answer>(
  all: readonly One[],
  ask: (one: One) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  return (await Promise.all(all.map(ask))).flat();
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

  /** `isAway`: the service may answer them a moment later. Otherwise it answers them in no way that Landform knows. */
  told(isAway: boolean): Warned[] {
    const reasons = [...this.#reasons].filter(([, away]) => away === isAway);
    return reasons.map(([reason]) => ({ text: `Landform could not check all of the plan: ${reason}` }));
  }
}

const AWAY = [ServerError, NetworkError, TimeoutError, RateLimitedError];

// Groups the changes of a plan by their account: the account of the environment, and the accounts that the program has itself.

export interface AccountPlan extends PlannedChanges {
  /** The name that the program gives it; undefined for the account of the environment. */
  readonly account: string | undefined;
  /** The account of its objects in the state; undefined where there is none yet. */
  readonly recorded: string | undefined;
  /** Throws a ConfigurationError where a setting is missing or wrong. The apply would meet it, too. */
  readonly config: () => CheckedConfig;
}

/** An account that can't be asked before the apply, and the settings that are only known then. */
export interface LaterAccount {
  readonly account: string;
  readonly urn: string;
  readonly settings: readonly string[];
  readonly changes: readonly Change[];
}

export function accountsIn({ changes, told, isBegun, leftAs }: PlannedChanges, settings: StackSettings) {
  const ours = changes.filter(({ type }) => definitionOf(type) !== undefined);
  const groups = Map.groupBy(ours, (change) => ownAccountOf(change, told));
  // An account whose own settings change is asked whose it is, even if nothing in it changes.
  for (const { urn, op } of changes)
    if (op === "update" && isAccount(told.get(urn)) && !groups.has(urn)) groups.set(urn, []);
  const all = [...groups].map(([urn, those]): AccountPlan | LaterAccount => {
    const common = { changes: those, told, isBegun, leftAs, recorded: recordedAccount(urn, those, told) };
    if (urn === undefined) return { ...common, account: undefined, config: () => configWith(settings) };
    const inputs = inputsOf(told.get(urn));
    const account = nameOf(urn);
    const unknown = Object.keys(inputs).filter((key) => inputs[key] === LATER || inputs[key] === SECRET);
    if (unknown.length > 0)
      return { account, urn, settings: unknown.map((key) => key.slice(PREFIX.length)), changes: those };
    return { ...common, account, config: () => configInForce((key) => inputs[key], process.env) };
  });
  const later = all.filter((one) => "settings" in one).filter(({ changes: waiting }) => waiting.length > 0);
  return { plans: all.filter((one) => "config" in one), later };
}

/** Returns the URN of the program's own account for a change. Settings of another provider are no account. */
function ownAccountOf(change: Change, told: ReadonlyMap<string, Told>): string | undefined {
  const one = told.get(change.urn);
  const reference = (one && decisive(one.steps, change.op)?.provider) ?? "";
  const urn = reference.slice(0, reference.lastIndexOf("::"));
  return isAccount(told.get(urn)) ? urn : undefined;
}

function isAccount(told: Told | undefined): boolean {
  return inputsOf(told)[KEY] !== undefined;
}

function recordedAccount(
  own: string | undefined,
  changes: readonly Change[],
  told: ReadonlyMap<string, Told>,
): string | undefined {
  const changed = changes.flatMap(({ urn }) => told.get(urn) ?? []);
  const all = changed.length > 0 ? changed : [...told.values()].filter((one) => isIn(one, own));
  const accounts = all.flatMap(({ steps }) =>
    [...steps.values()].map(({ old }) => accountIn(old?.outputs["__landform"])),
  );
  return accounts.find((account) => account !== undefined);
}

function isIn({ steps }: Told, account: string | undefined): boolean {
  return account !== undefined && [...steps.values()].some(({ provider }) => provider.startsWith(`${account}::`));
}

function accountIn(meta: unknown): string | undefined {
  const { account } = Object(meta) as { account?: unknown };
  return typeof account === "string" ? account : undefined;
}

const PREFIX = "landform:";
const KEY = `${PREFIX}apiKeyEnv`;

function inputsOf(told: Told | undefined): PropertyMap {
  const step = [...(told?.steps.values() ?? [])].at(-1);
  const inputs = step?.new?.inputs ?? step?.old?.inputs ?? {};
  const own = Object.entries(inputs).filter(([key]) => key.startsWith(PREFIX));
  return Object.fromEntries(own.map(([key, value]) => [key, shown(value)]));
}
