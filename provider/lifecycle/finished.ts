/**
 * What a killed run finished just before that could be recorded: it has lost its marker already. It is looked for only
 * where the state tells that its creation was begun, and taken only if it has the right name and ids, dates from that
 * time, and is no other object of the stack.
 */
import type { AnyDefinition, Found } from "../define.ts";
import type { JsonMap } from "../json.ts";
import type { Interrupted, RunContext } from "./run-context.ts";
import { ObjectState } from "./object-state.ts";

/** As long as a creation may take, and two clocks may differ. */
const AROUND_MS = 15 * 60_000;

export async function finishedBy(
  interrupted: Interrupted,
  definition: AnyDefinition,
  run: RunContext,
  inputs: JsonMap,
): Promise<Found | undefined> {
  const { name } = inputs;
  if (typeof name !== "string") return undefined;
  const isFree = (id: string): boolean => !interrupted.others.includes(id) && !run.taken.has(id);
  const rows = (await definition.search?.(run, name)) ?? [];
  for (const row of rows.filter((one) => one.name === name && isFree(one.id))) {
    run.forget(row.id);
    const answer = await definition.read(run, row.id, new ObjectState(definition, row.id));
    if (
      !answer ||
      !hasIdsOf(definition, inputs, answer) ||
      !isFrom(interrupted.at, definition, answer) ||
      !isFree(row.id)
    )
      continue;
    run.taken.add(row.id);
    return { ...row, answer };
  }
  return undefined;
}

function hasIdsOf({ references }: AnyDefinition, inputs: JsonMap, answer: JsonMap): boolean {
  return references.every((field) => !(field in inputs) || !(field in answer) || answer[field] === inputs[field]);
}

/** What is taken over instead of made (a retired funnel) has its first date from long before. */
function isFrom(at: Date, definition: AnyDefinition, answer: JsonMap): boolean {
  const date = answer[definition.reuse ? "updatedAt" : "createdAt"];
  return typeof date === "string" && Math.abs(Date.parse(date) - at.getTime()) <= AROUND_MS;
}
