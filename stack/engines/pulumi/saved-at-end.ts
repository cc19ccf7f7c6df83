/**
 * Whether Pulumi saves the state once, at the end of a run, and not at each step, where it writes the whole of it each time.
 * Until then the ledger alone tells of a killed run, so only what that proves, or what is repeated safely, may be under
 * way (docs/decisions/exactly-once.md). Pure.
 */
import { definitionOf } from "../../../provider/kinds/registry.ts";
import type { PlannedStep, RunRequest } from "../types.ts";
import { isAtLeast } from "./find.ts";

export const SKIP_VARIABLE = "PULUMI_SKIP_CHECKPOINTS";

/** Fewer are written soon enough. */
export const FEWEST = 30;

/** The first that it was tried with; older ones want more than the variable. */
const OLDEST_THAT_SKIPS = "3.245.0";

export interface Surroundings {
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
