/** The file of Pulumi's plan: written for a run, and read for the parts that the events don't tell. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRootStack, type SecretsManager, UNKNOWN } from "../../../engine/index.ts";
import { same } from "../../../provider/values/json.ts";
import type { PlannedSecrets, RunRequest } from "../contract.ts";
import type { StateResource } from "../recorded.ts";

interface PlannedDiff {
  readonly adds?: Readonly<Record<string, unknown>>;
  readonly updates?: Readonly<Record<string, unknown>>;
}

type Dependencies = Readonly<Record<string, readonly string[]>>;

interface Goal {
  readonly inputDiff?: PlannedDiff;
  readonly outputDiff?: PlannedDiff;
  readonly propertyDependencies?: Dependencies;
}

interface ResourcePlan {
  readonly goal?: Goal;
  readonly steps?: readonly string[];
}

interface PulumiPlan {
  readonly resourcePlans?: Readonly<Record<string, ResourcePlan>>;
}

export function planFile(
  folder: string,
  { expected, wantsPlan }: RunRequest,
  recorded: readonly StateResource[],
): string | undefined {
  const file = join(folder, "plan.json");
  rmSync(file, { force: true });
  if (expected !== undefined)
    writeFileSync(file, JSON.stringify(withOpenOutputs(expected as PulumiPlan, recorded)), { mode: 0o600 });
  return expected !== undefined || wantsPlan === true ? file : undefined;
}

export function planIn(file: string | undefined): unknown {
  return file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as unknown) : undefined;
}

/**
 * Tells if an up of this plan would leave the state as it is, but for places in the program's text. A part of the plan that is not known
 * here proves nothing (3.274, 2026-11). `retained`: the URNs whose objects the program retains, which the plan does not tell.
 */
export function leavesAll(plan: unknown, recorded: readonly StateResource[], retained: ReadonlySet<string>): boolean {
  const { resourcePlans = {} } = (plan ?? {}) as PulumiPlan;
  const states = new Map(recorded.map((state) => [state.urn, state]));
  const isWhole = states.size === recorded.length && Object.keys(resourcePlans).length === recorded.length;
  return (
    isWhole &&
    Object.entries(resourcePlans).every(([urn, { goal, steps }]) => {
      const state = states.get(urn);
      if (state === undefined || goal === undefined || !same(steps ?? [], ["same"])) return false;
      return (state.retainOnDelete === true) === retained.has(urn) && isKept(goal, state);
    })
  );
}

function isKept({ inputDiff, outputDiff, ...goal }: Goal, state: StateResource): boolean {
  if (state.delete === true || (state.initErrors ?? []).length > 0) return false;
  if (!isEmpty(inputDiff) || !isEmpty(outputDiff)) return false;
  const isKnown = Object.keys(goal).every((part) => part === "name" || PARTS.includes(part));
  const [asked, has] = [goal, state].map((one) => PARTS.map((part) => comparable(Reflect.get(one, part))));
  return isKnown && same(asked, has);
}

/** The parts that have the same name in the plan and in the state. */
const PARTS: readonly string[] = [
  ...["type", "custom", "parent", "protect", "dependencies", "provider", "propertyDependencies", "deletedWith"],
  ...["ignoreChanges", "additionalSecretOutputs", "customTimeouts", "replaceOnChanges", "aliases"],
];

/** Leaves out empty values. URNs stand in any order. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.toSorted();
  if (isEmpty(value) || value === false || value === "") return null;
  if (typeof value !== "object") return value;
  const entries = Object.entries(value as object).map(([key, one]) => [key, comparable(one)] as const);
  const told = entries.filter(([, one]) => one !== null);
  return told.length === 0 ? null : Object.fromEntries(told);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/**
 * Leaves the outputs of the stack open, which change nothing in the account. Where a preview knew a part of one alone, as of a whole
 * resource that the program exports, Pulumi ends the run as failed and gives no reason (3.274, 2026-11-26).
 */
function withOpenOutputs(plan: PulumiPlan, recorded: readonly StateResource[]): PulumiPlan {
  const now = recorded.find(({ urn }) => isRootStack(urn))?.outputs ?? {};
  const plans = Object.entries(plan.resourcePlans ?? {}).map(([urn, planned]) => {
    const { goal } = planned;
    if (!isRootStack(urn) || goal === undefined) return [urn, planned] as const;
    const { adds = {}, updates = {} } = goal.outputDiff ?? {};
    const [added, updated] = [adds, { ...now, ...updates }].map((keys) =>
      Object.fromEntries(Object.keys(keys).map((key) => [key, UNKNOWN])),
    );
    return [
      urn,
      { ...planned, goal: { ...goal, outputDiff: { ...goal.outputDiff, adds: added, updates: updated } } },
    ] as const;
  });
  return { ...plan, resourcePlans: Object.fromEntries(plans) };
}

/** By URN and input, the resources that a planned value is made of. The embedded engine tells these in its events. */
export function dependenciesIn(plan: unknown, urn: string): Readonly<Record<string, readonly string[]>> {
  const { resourcePlans = {} } = (plan ?? {}) as PulumiPlan;
  return resourcePlans[urn]?.goal?.propertyDependencies ?? {};
}

/** The decrypted secret inputs by URN, because ciphertexts differ each time. Undefined if one can't be decrypted. */
export function plannedSecrets(plan: unknown, secrets: Pick<SecretsManager, "decrypt">): PlannedSecrets | undefined {
  const { resourcePlans = {} } = (plan ?? {}) as PulumiPlan;
  try {
    return new Map(Object.entries(resourcePlans).map(([urn, planned]) => [urn, secretInputs(planned, secrets)]));
  } catch {
    return undefined;
  }
}

function secretInputs(planned: ResourcePlan, secrets: Pick<SecretsManager, "decrypt">): Map<string, string> {
  const { adds, updates } = planned.goal?.inputDiff ?? {};
  return new Map(Object.entries({ ...adds, ...updates }).flatMap(([key, value]) => secretEntry(key, value, secrets)));
}

function secretEntry(key: string, value: unknown, secrets: Pick<SecretsManager, "decrypt">): [string, string][] {
  const found: string[] = [];
  JSON.stringify(value, (name, inner: unknown) => {
    if (name === "ciphertext" && typeof inner === "string") found.push(secrets.decrypt(inner));
    return inner;
  });
  return found.length === 0 ? [] : [[key, JSON.stringify(found)]];
}
