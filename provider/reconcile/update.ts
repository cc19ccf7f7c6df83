/** Update: applies what changed between declared-then and declared-now, and what an earlier run left unfinished. */
import type { AnyDefinition } from "../definition/define.ts";
import type { JsonMap } from "../values/json.ts";
import { complete, type Outcome, passOver, recordAsBefore, restoring, withoutAdoption } from "./apply.ts";
import { changesBetween, clearedBy } from "./diff.ts";
import { guarded } from "./foreign-edits.ts";
import { ObjectState, splitInputs } from "./object-state.ts";
import { discard, namesOf } from "./marked-objects.ts";
import type { RunContext } from "./run-context.ts";
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
  const cleared = clearedBy(definition, changes);
  const kept = changes.filter(({ kind }) => kind !== "removed").map(({ field }) => field);
  const restored = run.settings.restore?.objects[objectKey(definition, id)];
  const changed = new Set([...kept, ...Object.keys(cleared)]);
  const now = definition.inputs.parse({ ...withoutAdoption(raw.inputs), ...cleared });
  const declared = passOver(definition, run, object, { now, changed, removed: new Set(removed) });
  const { pass, held, live, tell } = await guarded(
    definition,
    await restoring(definition, declared, restored?.values),
    raw.hidden,
  );
  const atEnd = async (): Promise<void> => {
    tell();
    recordAsBefore(object, restored?.values ?? {}, restored?.recorded);
    if (restored?.draft) await definition.undo.restoresDraft?.(run, id, restored.draft, pass.now as JsonMap);
  };
  return complete(definition, pass, raw, { held, live, atEnd });
}
