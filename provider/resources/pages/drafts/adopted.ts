/**
 * A published page that is taken over while its draft is newer than what visitors get. The content map shows the draft, so
 * nothing may be left to write though visitors see something else: what waits is published with the page or held back, as
 * the plan says of it.
 */
import { isMap, type JsonMap } from "../../../json.ts";
import type { ObjectState } from "../../../lifecycle/object-state.ts";
import type { RunContext } from "../../../lifecycle/run-context.ts";
import { editedByDates } from "./guard.ts";

/** The inputs that have to be applied whatever the page shows of them. Reads only. */
export async function dueOnAdoption(
  run: RunContext,
  id: string,
  object: ObjectState,
  { publish }: JsonMap,
): Promise<readonly string[]> {
  // What a release publishes, it looks at itself.
  if (!isMap(publish) || publish["release"] !== undefined) return [];
  return (await editedByDates(run, id, object)).length > 0 ? ["publish"] : [];
}
