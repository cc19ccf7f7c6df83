import { createHash } from "node:crypto";
import { PlanViolationError } from "../errors.ts";
import type { Json, PropertyMap } from "../model/types.ts";
import { isDefaultProvider } from "../model/urn.ts";
import { containsSecret, containsUnknown, inKeyOrder } from "../model/values.ts";
import type { Plan, PlannedStep, Step, StepOp } from "./types.ts";

/** Digests a secret with the stack's key. A plan may tell only that a secret has changed. */
export type SecretDigest = (plaintext: string) => string;

/** Returns the part of a step that a plan keeps. Without a digest, it leaves secrets open. */
export function plannedStep(step: Step, ofSecret?: SecretDigest): PlannedStep {
  const { op, urn, type, detailedDiff, keys } = step;
  const state = step.new ?? step.old;
  return {
    op,
    urn,
    type,
    detailedDiff,
    keys,
    inputs: digests(urn, step.new?.inputs ?? {}, ofSecret),
    ...(isDefaultProvider(urn) ? { internal: true as const } : {}),
    ...(state?.protect === true ? { protect: true as const } : {}),
    ...(state?.retainOnDelete === true ? { retainOnDelete: true as const } : {}),
  };
}

/** Holds an operation to a reviewed plan. The operation may do less than the plan says, and nothing else. */
export class ExpectedPlan {
  readonly #steps: ReadonlyMap<string, PlannedStep[]>;
  readonly #ofSecret: SecretDigest | undefined;
  /** Resources that were planned as updates and became replacements. */
  readonly #replaced = new Set<string>();

  constructor(plan: Plan, ofSecret?: SecretDigest) {
    this.#ofSecret = ofSecret;
    this.#steps = Map.groupBy(plan.steps, ({ urn }) => urn);
  }

  /** Throws if the step differs from the plan of its resource. */
  check(step: Step): void {
    const planned = this.#steps.get(step.urn) ?? [];
    const allowed = planned.filter(
      (candidate) => isConstrainedTo(step.op, candidate.op) || this.#mayTurnInto(candidate, step),
    );
    if (step.op === "same" || step.op === "remove-pending-replace") return;
    if (allowed.length === 0)
      throw violation(step, planned.length === 0 ? "nothing was planned for it" : plannedOps(planned));
    if (step.new === undefined) return;
    const today = digests(step.urn, step.new.inputs ?? {}, this.#ofSecret);
    const changed = allowed.map((candidate) => changedInputs(candidate, today));
    if (changed.every((keys) => keys.length > 0))
      throw violation(step, `its inputs have changed since: ${(changed[0] ?? []).join(", ")}`);
  }

  /** Tells if a step may become a replacement: the reviewed update had an unknown input and said so. */
  #mayTurnInto(planned: PlannedStep, { op, urn, keys }: Step): boolean {
    if (planned.op !== "update" || !REPLACING.has(op)) return false;
    const follows = this.#replaced.has(urn);
    if (!follows && !(keys.length > 0 && keys.every((key) => planned.inputs[key] === OPEN))) return false;
    this.#replaced.add(urn);
    return true;
  }
}

const REPLACING: ReadonlySet<StepOp> = new Set(["replace", "create-replacement", "delete-replaced"]);

function violation(step: Step, reason: string): PlanViolationError {
  return new PlanViolationError(
    `the plan has no step ${step.op} for ${step.urn}: ${reason}. Preview again and review the new plan`,
    { urn: step.urn },
  );
}

function plannedOps(planned: PlannedStep[]): string {
  return `the plan says ${[...new Set(planned.map((step) => step.op))].join(", ")}`;
}

/** Tells if a step does no more than planned: an update in place of a replacement is less. */
function isConstrainedTo(op: StepOp, planned: StepOp): boolean {
  return op === planned || (op === "update" && REPLACING.has(planned));
}

function changedInputs(planned: PlannedStep, today: PlannedStep["inputs"]): string[] {
  if (planned.op === "delete" || planned.op === "delete-replaced") return [];
  const keys = new Set([...Object.keys(planned.inputs), ...Object.keys(today)]);
  return [...keys].filter((key) => {
    const then = planned.inputs[key];
    const now = today[key];
    return then !== now && then !== OPEN && now !== OPEN;
  });
}

/** Stands for a value that is not known yet, so that a plan can't hold anybody to it. */
const OPEN = "*";

const SECRET = "secret:";

/** Returns the marks of the planned inputs with secrets, by URN and input. */
export function plannedSecrets({ steps }: Plan): Map<string, Map<string, string>> {
  // A replacement has several steps, and the deletion among them has no inputs.
  const all = Map.groupBy(steps, ({ urn }) => urn);
  return new Map([...all].map(([urn, own]) => [urn, new Map(own.flatMap(secretsOf))]));
}

function secretsOf({ inputs }: PlannedStep): [key: string, mark: string][] {
  return Object.entries(inputs).filter(([, value]) => value.startsWith(SECRET));
}

function digests(urn: string, inputs: PropertyMap, ofSecret: SecretDigest | undefined): Record<string, string> {
  const one = (key: string, value: Json): string => {
    if (containsUnknown(value)) return OPEN;
    if (!containsSecret(value)) return digest(value);
    // The place is part of the digest, so that equal secrets of two resources don't look alike.
    return ofSecret === undefined ? OPEN : `${SECRET}${ofSecret(`${urn}\0${key}\0${canonical(value)}`)}`;
  };
  const known = Object.entries(inputs).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([key, value]) => [key, one(key, value)]));
}

function digest(value: Json): string {
  return createHash("sha256").update(canonical(value)).digest("base64url").slice(0, 22);
}

function canonical(value: Json): string {
  return JSON.stringify(inKeyOrder(value));
}
