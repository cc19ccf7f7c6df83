/** Groups the changes of a plan by their account: the account of the environment, and the accounts that the program has itself. */
import { nameOf, type PropertyMap } from "../../engine/index.ts";
import type { CheckedConfig } from "../../provider/api/index.ts";
import { configInForce } from "../../provider/pulumi/settings-in-force.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { configWith, type StackSettings } from "../project/settings.ts";
import { LATER, SECRET, type Change } from "../report/model.ts";
import { decisive, type Told } from "../report/steps.ts";
import { shown } from "../report/values.ts";
import type { PlannedChanges } from "./planned.ts";

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
  readonly settings: readonly string[];
  readonly changes: readonly Change[];
}

interface Accounts {
  readonly plans: readonly AccountPlan[];
  readonly later: readonly LaterAccount[];
}

export function accountsIn({ changes, told, isBegun, leftAs }: PlannedChanges, settings: StackSettings): Accounts {
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
    if (unknown.length > 0) return { account, settings: unknown.map(withoutPrefix), changes: those };
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

function withoutPrefix(key: string): string {
  return key.slice(PREFIX.length);
}
