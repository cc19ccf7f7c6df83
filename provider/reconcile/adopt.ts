/** Adoption: an existing object becomes the resource's, and the run sends only the values that differ from the declared ones. */
import type { AnyDefinition } from "../definition/define.ts";
import { type JsonMap, same } from "../values/json.ts";
import { complete, type Outcome, passOver, withoutAdoption } from "./apply.ts";
import { AdoptionError } from "../messages/errors.ts";
import { ObjectState, type Raw } from "./object-state.ts";
import type { RunContext, SeenStates } from "./run-context.ts";
import { objectKey } from "../ledger/identity.ts";

export async function adopt(
  definition: AnyDefinition,
  run: RunContext,
  raw: Raw,
  adoptId: string,
  { account, seen }: { account: string | undefined; seen: SeenStates },
): Promise<Outcome> {
  const id = (await definition.life.identify?.(run, adoptId)) ?? adoptId;
  const inputs = withoutAdoption(raw.inputs);
  const found = new ObjectState(definition, id);
  found.account = account;
  found.identity = raw.identity;
  const replacedId = seen.replacedIdOf(raw.identity);
  if (replacedId !== id) found.replacedId = replacedId;
  const differing = await fieldsToWrite(definition, run, found, inputs, id);
  const key = objectKey(definition, id);
  run.adopted.add(key);
  // It may leave its place for another object.
  if (differing.size > 0) run.settings.ours?.add(key);
  const { object, due } = (await definition.life.takenOver?.(run, found, inputs, differing)) ?? {
    object: found,
    due: [],
  };
  const changed = new Set([...differing, ...due]);
  if (changed.size === 0) {
    object.declare("adoptId", adoptId);
    object.replacedId = undefined;
    return { id, outs: object.toState() };
  }
  const now = definition.inputs.parse(inputs);
  return complete(definition, passOver(definition, run, object, { now, changed }), raw);
}

/** Returns the inputs that differ on the object, and are written when it is adopted. If none differs, nothing is published either. */
export async function fieldsToWrite(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
  inputs: JsonMap,
  id: string,
): Promise<Set<string>> {
  for (const [field, value] of Object.entries(inputs)) object.declare(field, value);
  const answer = await definition.read(run, id, object);
  if (!answer) throw notThere(definition, id);
  object.learn(answer);
  return differing(definition, object, inputs, id);
}

/** Takes the live values as declared-then, and returns the inputs that the program wants different. */
function differing(definition: AnyDefinition, object: ObjectState, inputs: JsonMap, id: string): Set<string> {
  const [why] = unadoptable(definition, object, inputs, id);
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
export function unadoptable(definition: AnyDefinition, object: ObjectState, inputs: JsonMap, id: string): string[] {
  return Object.entries(inputs).flatMap(([field, value]) => {
    const { shownValue: shows, onChange, emptyStays } = definition.rule(field);
    const live = object.live(field);
    const differs = shows !== undefined && !same(live, value);
    const isSet = emptyStays === true ? live !== undefined : live !== undefined && live !== null;
    const isFixed = onChange === "refuse" || (onChange === "replace" && isSet);
    return differs && isFixed ? [fixed(definition, id, field, live ?? null)] : [];
  });
}

function notThere(definition: AnyDefinition, id: string): AdoptionError {
  return new AdoptionError(
    `adoptId: there is no ${definition.kind} "${id}" in this account, or the key can't see it. ` +
      `Correct the id, or remove adoptId to create a new ${definition.kind}.`,
  );
}

function fixed({ kind }: AnyDefinition, id: string, field: string, live: unknown): string {
  return (
    `${field}: ${kind} "${id}" has ${JSON.stringify(live)}, which can't be changed on an existing ` +
    `${kind}. Declare that value, or remove adoptId to create a new one.`
  );
}
