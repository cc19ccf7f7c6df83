/** Adoption: an existing object becomes the resource's, and the run sends only the values that differ from the declared ones. */
import type { AnyDefinition } from "../definition/define.ts";
import { type JsonMap, same } from "../values/json.ts";
import { complete, type Outcome, passOver } from "./apply.ts";
import { AdoptionError } from "../messages/errors.ts";
import { type KindInRun, type ObjectInRun, ObjectState, type Raw, withoutAdoption } from "./object-state.ts";
import { objectKey } from "../ledger/identity.ts";

export async function adopt(
  { definition, run }: KindInRun,
  raw: Raw,
  adoptId: string,
  account: string | undefined,
): Promise<Outcome> {
  const id = (await definition.life.identify?.(run, adoptId)) ?? adoptId;
  const inputs = withoutAdoption(raw.inputs);
  const found = new ObjectState(definition, id);
  found.account = account;
  found.identity = raw.identity;
  const replacedId = run.settings.seen?.replacedIdOf(raw.identity);
  if (replacedId !== id) found.replacedId = replacedId;
  const differing = await fieldsToWrite({ definition, run, object: found }, inputs);
  const key = objectKey(definition, id);
  run.adopted.add(key);
  // It may leave its place for another object.
  if (differing.size > 0) run.settings.ours?.add(key);
  const taken = await definition.life.takenOver?.(run, found, inputs, differing);
  const { object, due } = taken ?? { object: found, due: [] };
  const changed = new Set([...differing, ...due]);
  if (changed.size === 0) {
    object.declare("adoptId", adoptId);
    object.replacedId = undefined;
    return { id, outs: object.toState() };
  }
  const now = definition.inputs.parse(inputs);
  return complete(passOver({ definition, run, object }, { now, changed }), raw);
}

/** The object takes its live values as declared-then. If no input differs, nothing is published either. */
export async function fieldsToWrite({ definition, run, object }: ObjectInRun, inputs: JsonMap): Promise<Set<string>> {
  const { id = "" } = object;
  for (const [field, value] of Object.entries(inputs)) object.declare(field, value);
  const answer = await definition.read(run, id, object);
  if (!answer)
    throw new AdoptionError(
      `adoptId: there is no ${definition.kind} "${id}" in this account, or the key can't see it. ` +
        `Correct the id, or remove adoptId to create a new ${definition.kind}.`,
    );
  object.learn(answer);
  const [why] = unadoptable(definition, object, inputs);
  if (why !== undefined) throw new AdoptionError(why);
  const changed = new Set<string>();
  for (const [field, value] of Object.entries(inputs)) {
    const { shownValue: shows, onChange = "update" } = definition.rule(field);
    const live = object.live(field);
    if (onChange !== "update" || (shows && same(live, value))) continue;
    object.declare(field, live ?? undefined);
    changed.add(field);
  }
  return changed;
}

/** Finds declared inputs that differ on the object, and can't be changed on one that is there: a sentence each. Pure. */
export function unadoptable(definition: AnyDefinition, object: ObjectState, inputs: JsonMap): string[] {
  return Object.entries(inputs).flatMap(([field, value]) => {
    const { shownValue: shows, onChange, emptyStays } = definition.rule(field);
    const live = object.live(field);
    const differs = shows !== undefined && !same(live, value);
    const isSet = emptyStays === true ? live !== undefined : live !== undefined && live !== null;
    const isFixed = onChange === "refuse" || (onChange === "replace" && isSet);
    if (!differs || !isFixed) return [];
    const { kind } = definition;
    return [
      `${field}: ${kind} "${object.id ?? ""}" has ${JSON.stringify(live ?? null)}, which can't be changed on an existing ` +
        `${kind}. Declare that value, or remove adoptId to create a new one.`,
    ];
  });
}
