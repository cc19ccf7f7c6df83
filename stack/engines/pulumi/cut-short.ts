/**
 * Whether an interruption left something undone. Pulumi calls a run a success that was interrupted while it deleted, and leaves
 * the rest (3.245, 2026-11-25). Pure.
 */
import type { Told } from "../../report/steps.ts";
import type { PlannedStep } from "../types.ts";

const REMOVES_THE_OLD = ["delete-replaced", "discard-replaced", "remove-pending-replace"];

/** `planned`: undefined where nobody knows what was to be done; that all of it was done can't be said then. */
export function isCutShort(planned: readonly PlannedStep[] | undefined, told: ReadonlyMap<string, Told>): boolean {
  return planned === undefined || !planned.every((step) => isDone(step, told.get(step.urn)));
}

function isDone({ op }: PlannedStep, told: Told | undefined): boolean {
  if (told === undefined || told.failed || told.underWay.size > 0) return false;
  if (op === "replace") return REMOVES_THE_OLD.some((last) => told.steps.has(last));
  return told.steps.size > 0;
}
