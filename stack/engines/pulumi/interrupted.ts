/**
 * Decides if Pulumi saves the state once at the end of a run. Otherwise it writes the whole state at each step. Until the end only the
 * ledger tells of a killed run, so every change has to be one that the ledger proves or that is safe to repeat
 * (docs/decisions/exactly-once.md). Pure.
 */
import type { PlannedStep } from "../../report/run-result.ts";
import { definitionOf } from "../../../provider/kinds/registry.ts";
import { isUnfindable } from "../../../provider/reconcile/creation.ts";
import type { Told } from "../../report/steps.ts";
import type { RunRequest } from "../contract.ts";
import { isAtLeast } from "./cli.ts";

export const SKIP_VARIABLE = "PULUMI_SKIP_CHECKPOINTS";

/** Fewer changes are saved soon enough. */
export const FEWEST = 30;

/** The first version that this was tried with. Older ones need more than the variable. */
const OLDEST_THAT_SKIPS = "3.245.0";

interface Surroundings {
  readonly version: string;
  /** The ledger goes where the state goes, so that the next run has it on whatever machine. */
  readonly isProven: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export function savesAtEnd(
  { kind, dryRun, planned = [], preview, restore, program }: RunRequest,
  { version, isProven, env }: Surroundings,
): boolean {
  if (!isProven || env[SKIP_VARIABLE] !== undefined || !isAtLeast(version, OLDEST_THAT_SKIPS)) return false;
  if ((kind !== "up" && kind !== "destroy") || dryRun === true) return false;
  // An environment's record of itself is in its state, and an undo runs a program of its own.
  if (preview !== undefined || restore !== undefined || program !== undefined) return false;
  return planned.length >= FEWEST && planned.every(isSafe);
}

/** Pulumi works out the whole state at each step of a preview, too (3.274, 2026-11). The next refresh repeats one that was killed. */
export function needsNoSaving({ kind, dryRun }: Pick<RunRequest, "kind" | "dryRun">, env: NodeJS.ProcessEnv): boolean {
  return env[SKIP_VARIABLE] === undefined && (kind === "preview" || kind === "refresh" || dryRun === true);
}

function isSafe({ type, op, inputs }: PlannedStep): boolean {
  const definition = definitionOf(type);
  if (definition === undefined) return false;
  const { marked, leaves } = definition;
  // These are what they were, whoever writes the same to them once more.
  if (op === "update" || op === "adopt" || (op === "delete" && leaves === "in place")) return true;
  if (leaves !== "in place") return marked || isUnfindable({ definition });
  // The object is found by its name or its id, unless the program forbids that.
  return op === "create" && inputs["reuse"] !== false;
}

export function savedAtEndText(changes: number): string {
  return `Pulumi saves the state once, when all ${changes} changes are done. If this run is killed, run it again before the code changes: the next run finds in the ledger what this one made.`;
}

// Tells if an interruption left something undone. Pulumi calls a run a success that was interrupted while it deleted, and leaves the rest
// (3.245, 2026-11-25). Pure.

const REMOVES_THE_OLD = ["delete-replaced", "discard-replaced", "remove-pending-replace"];

/** `planned`: undefined if nobody knows the plan. Then nobody can say that all of it was done. */
export function isCutShort(planned: readonly PlannedStep[] | undefined, told: ReadonlyMap<string, Told>): boolean {
  return planned === undefined || !planned.every((step) => isDone(step, told.get(step.urn)));
}

function isDone({ op }: PlannedStep, told: Told | undefined): boolean {
  if (told === undefined || told.failed || told.underWay.size > 0) return false;
  if (op === "replace") return REMOVES_THE_OLD.some((last) => told.steps.has(last));
  return told.steps.size > 0;
}
