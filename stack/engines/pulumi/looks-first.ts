/**
 * After a run that was killed: what it was updating or deleting may be as the state says, or not, and Pulumi compares the code with
 * the state alone. It can look at everything before, and at nothing less (3.245, 2026-11). Pure.
 */
import type { RecordedState } from "../recorded.ts";
import type { RunRequest } from "../types.ts";

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
