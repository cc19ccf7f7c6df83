/** For plans: edits of others that a planned change would bring before visitors. Reads only. */
import type { AnyDefinition } from "../definition/define.ts";
import type { ForeignEdit } from "../messages/foreign-edits.ts";
import type { JsonMap } from "../values/json.ts";
import { changesBetween } from "./diff.ts";
import { withIgnored } from "./ignored.ts";
import { splitInputs } from "./inputs.ts";
import { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

/** Edits of others that wait in an object's draft. */
export async function waitingEdits(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  state: JsonMap,
): Promise<readonly ForeignEdit[]> {
  return (await definition.plan.foreignEdits?.(run, id, ObjectState.fromState(definition, id, state))) ?? [];
}

/** `state` are the outputs as the state has them; absent for an object that is about to be taken over. */
export async function foreignEditsFor(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  state: JsonMap | undefined,
  inputs: JsonMap,
): Promise<readonly ForeignEdit[]> {
  if (!definition.plan.foreignEdits) return [];
  const object = state ? ObjectState.fromState(definition, id, state) : new ObjectState(definition, id);
  const raw = splitInputs(inputs);
  const { adoptId, ...declared } = raw.inputs;
  object.ignored = raw.ignored;
  const now = state ? withIgnored(declared, object.declared, raw.ignored) : declared;
  const changes = changesBetween(definition, object, now);
  const changed = new Set(changes.filter(({ kind }) => kind !== "removed").map(({ field }) => field));
  const removed = new Set(changes.filter(({ kind }) => kind === "removed").map(({ field }) => field));
  return definition.plan.foreignEdits(run, id, object, { inputs: now, changed, removed });
}
