import { createHash } from "node:crypto";
import { PlanViolationError } from "../errors.ts";
import type { Json, PropertyMap } from "../model/types.ts";
import { isDefaultProvider } from "../model/urn.ts";
import { containsSecret, containsUnknown } from "../model/values.ts";
import type { Plan, PlannedStep, Step, StepOp } from "./types.ts";

/** What a plan keeps of a step. */
export function plannedStep(step: Step): PlannedStep {
  const { op, urn, type, detailedDiff, keys } = step;
  const state = step.new ?? step.old;
  return {
    op,
    urn,
    type,
    detailedDiff,
    keys,
    inputs: digests(step.new?.inputs ?? {}),
    ...(isDefaultProvider(urn) ? { internal: true as const } : {}),
    ...(state?.protect === true ? { protect: true as const } : {}),
    ...(state?.retainOnDelete === true ? { retainOnDelete: true as const } : {}),
  };
}

/** Holds an operation to a plan that was reviewed. It may do less than the plan says, and nothing else. */
export class ExpectedPlan {
  readonly #steps = new Map<string, PlannedStep[]>();

  constructor(plan: Plan) {
    for (const step of plan.steps) this.#steps.set(step.urn, [...(this.#steps.get(step.urn) ?? []), step]);
  }

  /** Throws when the step is not what was planned for its resource. */
  check(step: Step): void {
    const planned = this.#steps.get(step.urn) ?? [];
    const allowed = planned.filter((candidate) => isConstrainedTo(step.op, candidate.op));
    if (step.op === "same" || step.op === "remove-pending-replace") return;
    if (allowed.length === 0)
      throw violation(step, planned.length === 0 ? "nothing was planned for it" : plannedOps(planned));
    const changed = allowed.map((candidate) => changedInputs(candidate, step.new?.inputs ?? {}));
    if (changed.every((keys) => keys.length > 0))
      throw violation(step, `its inputs have changed since: ${(changed[0] ?? []).join(", ")}`);
  }
}

function violation(step: Step, reason: string): PlanViolationError {
  return new PlanViolationError(
    `the plan does not allow to ${step.op} ${step.urn}: ${reason}. Preview again and review the new plan`,
    {
      urn: step.urn,
    },
  );
}

function plannedOps(planned: PlannedStep[]): string {
  return `the plan says ${[...new Set(planned.map((step) => step.op))].join(", ")}`;
}

/** A replacement that turns out to be a mere update is less than what was agreed to, not more. */
function isConstrainedTo(op: StepOp, planned: StepOp): boolean {
  if (op === planned) return true;
  return (
    op === "update" && (planned === "replace" || planned === "create-replacement" || planned === "delete-replaced")
  );
}

function changedInputs(planned: PlannedStep, inputs: PropertyMap): string[] {
  if (planned.op === "delete" || planned.op === "delete-replaced") return [];
  const today = digests(inputs);
  const keys = new Set([...Object.keys(planned.inputs), ...Object.keys(today)]);
  return [...keys].filter((key) => {
    const then = planned.inputs[key];
    const now = today[key];
    return then !== now && then !== OPEN && now !== OPEN;
  });
}

/** Stands for a value that a plan cannot hold anybody to: not known yet, or secret. */
const OPEN = "*";

function digests(inputs: PropertyMap): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, containsUnknown(value) || containsSecret(value) ? OPEN : digest(value)]),
  );
}

function digest(value: Json): string {
  return createHash("sha256").update(canonical(value)).digest("base64url").slice(0, 22);
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(",")}}`;
}
