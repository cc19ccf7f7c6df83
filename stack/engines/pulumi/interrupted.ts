/**
 * Whether Pulumi saves the state once, at the end of a run, and not at each step, where it writes the whole of it each time.
 * Until then the ledger alone tells of a killed run, so only what that proves, or what is repeated safely, may be under
 * way (docs/decisions/exactly-once.md). Pure.
 */
import { definitionOf } from "../../../provider/kinds/registry.ts";
import type { Told } from "../../report/steps.ts";
import type { PlannedStep, RunRequest } from "../contract.ts";
import type { RecordedState } from "../recorded.ts";
import { isAtLeast } from "./cli.ts";

export const SKIP_VARIABLE = "PULUMI_SKIP_CHECKPOINTS";

/** Fewer are written soon enough. */
export const FEWEST = 30;

/** The first that it was tried with; older ones want more than the variable. */
const OLDEST_THAT_SKIPS = "3.245.0";

interface Surroundings {
  readonly version: string;
  /** Buckets and databases were slower with it, and have the ledger in tags. */
  readonly inFolder: boolean;
  readonly env: NodeJS.ProcessEnv;
}

export function savesAtEnd(
  { kind, dryRun, planned = [], preview, restore, program }: RunRequest,
  { version, inFolder, env }: Surroundings,
): boolean {
  if (!inFolder || env[SKIP_VARIABLE] !== undefined || !isAtLeast(version, OLDEST_THAT_SKIPS)) return false;
  if ((kind !== "up" && kind !== "destroy") || dryRun === true) return false;
  // An environment's record of itself is in its state, and an undo runs a program of its own.
  if (preview !== undefined || restore !== undefined || program !== undefined) return false;
  return planned.length >= FEWEST && planned.every(isSafe);
}

function isSafe({ type, op, inputs }: PlannedStep): boolean {
  const definition = definitionOf(type);
  if (definition === undefined || definition.gathers !== undefined) return false;
  const { marked, leaves, life } = definition;
  if (op === "update" || (op === "delete" && leaves === "in place")) return true;
  // What is retired may be somebody else's by the time that it would be retired once more.
  if (op === "delete" || op === "replace") return marked && leaves === undefined;
  // Found by its name, unless the program forbids that.
  const isFoundByName = leaves === "in place" && life.reuse !== undefined && inputs["reuse"] !== false;
  return (op === "create" && marked) || isFoundByName;
}

export function savedAtEndText(changes: number): string {
  return `Pulumi saves the state once, when all ${changes} changes are done. If this run is killed, run it again before the code changes: what it made is found by the ledger beside the state.`;
}

// After a run that was killed: what it was updating or deleting may be as the state says, or not, and Pulumi compares the code with
// the state alone. It can look at everything before, and at nothing less (3.245, 2026-11). Pure.

export const LOOKS_FIRST =
  "An earlier run was ended while it updated, replaced or deleted: what exists is looked at first, as with --refresh.";

/** `unsaved`: a run has not saved the state at all. */
export function looksFirst(
  { kind, refresh }: Pick<RunRequest, "kind" | "refresh">,
  { pending, resources }: Pick<RecordedState, "pending" | "resources">,
  unsaved: boolean,
): boolean {
  if ((kind !== "up" && kind !== "preview") || refresh === true) return false;
  const recorded = new Set(resources.map(({ urn }) => urn));
  // What was being created and is there is being replaced.
  return unsaved || pending.some(({ type, resource }) => type !== "creating" || recorded.has(resource.urn));
}

// Whether an interruption left something undone. Pulumi calls a run a success that was interrupted while it deleted, and leaves
// the rest (3.245, 2026-11-25). Pure.

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
