/** The changes of a plan by the account that they are for: that of the environment, and those that the program has itself. */
import { nameOf, type PropertyMap } from "../../engine/index.ts";
import type { CheckedConfig } from "../../provider/api/index.ts";
import { configInForce } from "../../provider/pulumi/settings-in-force.ts";
import { definitionOf } from "../../provider/registry.ts";
import { configWith } from "../project/account.ts";
import type { StackSettings } from "../project/settings.ts";
import { LATER, SECRET, type Change } from "../report/model.ts";
import { decisive } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { shown } from "../report/values.ts";
import type { PlannedChanges } from "./planned.ts";

export interface AccountPlan extends PlannedChanges {
  /** As the program calls it; undefined for that of the environment. */
  readonly account: string | undefined;
  /** Throws a ConfigurationError where a setting is missing or wrong, which the apply would meet, too. */
  readonly config: () => CheckedConfig;
  /** Whose objects the state has in it; undefined where there are none yet. */
  readonly recorded: string | undefined;
}

/** An account that can't be asked before the apply, and the settings that are only known then. */
export interface LaterAccount {
  readonly account: string;
  readonly settings: readonly string[];
  readonly changes: readonly Change[];
}

export interface Accounts {
  readonly plans: readonly AccountPlan[];
  readonly later: readonly LaterAccount[];
}

export function accountsIn({ changes, told, isBegun }: PlannedChanges, settings: StackSettings): Accounts {
  const ours = changes.filter(({ type }) => definitionOf(type) !== undefined);
  const groups = Map.groupBy(ours, (change) => ownAccountOf(change, told));
  // Whose it is by now, an account is asked also where nothing in it changes.
  const moved = changes.flatMap(({ op, urn }) => (op === "update" && isAccount(urn, told) ? [urn] : []));
  for (const urn of moved) if (!groups.has(urn)) groups.set(urn, []);
  const all = [...groups].map(([urn, those]): AccountPlan | LaterAccount => {
    const around = urn !== undefined && moved.includes(urn) ? accountAround(urn, told) : undefined;
    const recorded = recordedAccount({ changes: those, told }) ?? around;
    const plan = { changes: those, told, isBegun, recorded };
    if (urn === undefined) return { ...plan, account: undefined, config: () => configWith(settings) };
    const inputs = inputsOf(told.get(urn));
    const account = nameOf(urn);
    const unknown = Object.keys(inputs).filter((key) => inputs[key] === LATER || inputs[key] === SECRET);
    if (unknown.length > 0) return { account, settings: unknown.map(withoutPrefix), changes: those };
    return { ...plan, account, config: () => configInForce((key) => inputs[key], process.env) };
  });
  return {
    plans: all.filter((one) => "config" in one),
    later: all.filter((one) => "settings" in one).filter((one) => one.changes.length > 0),
  };
}

/** The URN of the account that a change has of its own; another provider's settings are no account. */
function ownAccountOf(change: Change, told: ReadonlyMap<string, Told>): string | undefined {
  const one = told.get(change.urn);
  return accountAt((one && decisive(one.steps, change.op)?.provider) ?? "", told);
}

function accountAt(reference: string, told: ReadonlyMap<string, Told>): string | undefined {
  const urn = reference.slice(0, reference.lastIndexOf("::"));
  return isAccount(urn, told) ? urn : undefined;
}

function isAccount(urn: string, told: ReadonlyMap<string, Told>): boolean {
  return inputsOf(told.get(urn))[KEY] !== undefined;
}

/** As `recordedAccount`, of what stays as it is. */
function accountAround(urn: string, told: ReadonlyMap<string, Told>): string | undefined {
  const steps = [...told.values()].flatMap((one) => [...one.steps.values()]);
  const inIt = steps.filter(
    ({ provider, type }) => definitionOf(type) !== undefined && accountAt(provider, told) === urn,
  );
  return inIt.map(({ old }) => accountIn(old?.outputs["__landform"])).find((account) => account !== undefined);
}

/** The account that the objects of a plan are of, as the state has it; undefined where there is none yet. */
function recordedAccount({ changes, told }: Pick<PlannedChanges, "changes" | "told">): string | undefined {
  const steps = changes.flatMap(({ urn }) => [...(told.get(urn)?.steps.values() ?? [])]);
  const accounts = steps.map(({ old }) => accountIn(old?.outputs["__landform"]));
  return accounts.find((account) => account !== undefined);
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
