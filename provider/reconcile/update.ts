/** Update: applies what changed between declared-then and declared-now, and what an earlier run left unfinished. */
import type { AnyDefinition } from "../definition/define.ts";
import type { Json, JsonMap } from "../values/json.ts";
import { objectKey } from "../definition/object-key.ts";
import { complete, withoutAdoption, type Outcome } from "./complete.ts";
import { changesBetween } from "./diff.ts";
import { splitInputs } from "./inputs.ts";
import { discard, namesOf } from "./marked-objects.ts";
import { recordAsBefore, restoring } from "./restoring.ts";
import type { RunContext } from "./run-context.ts";
import { ObjectState } from "./object-state.ts";

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
  // A change that the service has no call for is let through where somebody made it in the app.
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
  const declared = {
    run,
    id,
    now,
    changed,
    removed: new Set(removed),
    object,
    created: false,
    document: definition.life.load?.(run, id),
  };
  const pass = await restoring(definition, declared, restored?.values);
  return complete(definition, pass, raw, async () => {
    recordAsBefore(object, restored?.values ?? {}, restored?.recorded);
    if (restored?.draft) await definition.undo.restoresDraft?.(run, id, restored.draft, pass.now as JsonMap);
  });
}
