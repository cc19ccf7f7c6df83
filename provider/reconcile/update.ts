/** Update: applies what changed between declared-then and declared-now, and what an earlier run left unfinished. */
import type { AnyDefinition } from "../definition/define.ts";
import type { Json, JsonMap } from "../values/json.ts";
import { complete, type Outcome, passOver, recordAsBefore, restoring, withoutAdoption } from "./apply.ts";
import { changesBetween, withIgnored } from "./diff.ts";
import { ObjectState, splitInputs } from "./object-state.ts";
import { discard, namesOf } from "./marked-objects.ts";
import type { RunContext } from "./run-context.ts";
import type { ForeignEdit } from "../messages/foreign-edits.ts";
import { objectKey } from "../ledger/identity.ts";

export async function update(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  olds: JsonMap,
  news: JsonMap,
): Promise<Outcome> {
  const raw = splitInputs(news);
  const object = ObjectState.fromState(definition, id, olds);
  object.account = await run.accountId(object.account);
  object.identity = raw.identity ?? object.identity;
  object.ignored = raw.ignored;
  if (object.twin !== undefined) {
    await discard(definition, run, object.twin, namesOf(object));
    object.twin = undefined;
  }
  const changes = changesBetween(definition, object, withoutAdoption(raw.inputs));
  // A change that the service has no call for may pass if somebody made it in the app.
  if (changes.some(({ onChange }) => onChange === "refuse"))
    object.learn((await definition.read(run, id, object)) ?? {});
  const removed = [...object.declared.keys()].filter((field) => !(field in raw.inputs));
  const gone = changes.filter(({ kind }) => kind === "removed").map(({ field }) => field);
  const cleared = gone.flatMap((field): [string, Json][] => {
    const value = definition.rule(field).cleared;
    return value === undefined ? [] : [[field, value]];
  });
  const kept = changes.filter(({ kind }) => kind !== "removed").map(({ field }) => field);
  const restored = run.settings.restore?.objects[objectKey(definition, id)];
  const changed = new Set([...kept, ...cleared.map(([field]) => field)]);
  const now = definition.inputs.parse({ ...withoutAdoption(raw.inputs), ...Object.fromEntries(cleared) });
  const declared = passOver(definition, run, object, { now, changed, removed: new Set(removed) });
  const pass = await restoring(definition, declared, restored?.values);
  return complete(definition, pass, raw, async () => {
    recordAsBefore(object, restored?.values ?? {}, restored?.recorded);
    if (restored?.draft) await definition.undo.restoresDraft?.(run, id, restored.draft, pass.now as JsonMap);
  });
}

/** Returns the edits of others that wait in an object's draft. */
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
