/**
 * Read finds drift: live-now against answered-then. A drifted input is handed back with its live value, so that the
 * plan shows it and the next apply repairs it; what did not drift keeps its declared value.
 */
import type { AnyDefinition } from "../define.ts";
import { isMap, same, type Json, type JsonMap } from "../json.ts";
import { twinOf } from "./leftovers.ts";
import type { Services } from "./services.ts";
import { Work } from "./work.ts";

export interface ReadOutcome {
  readonly id: string;
  readonly props: JsonMap;
  readonly inputs?: JsonMap;
}

export async function read(
  definition: AnyDefinition,
  services: Services,
  id: string,
  props: JsonMap,
): Promise<ReadOutcome> {
  const work = Work.fromState(definition, id, props);
  work.account = (await services.account(work.account)) ?? work.account;
  const before = new Map([...work.declared.keys()].map((field) => [field, work.shown(field)]));
  const answer = await definition.read(services, id, work);
  if (!answer) return { id: "", props: {} };
  work.learn(answer);
  work.twin = await twinOf(definition, services, work);
  if (work.twin !== undefined) {
    services.warn(`There is a second copy of ${definition.kind} ${id}: ${work.twin}. The next apply removes it.`);
  }
  const drifted = [...before].filter(([field, then]) => takeDrift(definition, services, work, field, then));
  if (drifted.length === 0) return { id, props: work.toState() };
  return { id, props: work.toState(), inputs: inputsOf(work) };
}

function takeDrift(
  definition: AnyDefinition,
  services: Services,
  work: Work,
  field: string,
  then: Json | undefined,
): boolean {
  const rule = definition.rule(field);
  const live = work.shown(field);
  if (live === undefined || same(live, then)) return false;
  if (rule.onChange === "refuse") {
    services.warn(
      `${definition.kind} ${work.id ?? ""}: ${field} was changed outside to ${JSON.stringify(live)}, which can't be changed back by the API.`,
    );
    return false;
  }
  if (rule.witness) work.declare(field, undefined);
  else work.declared.set(field, rule.perKey ? mergeDrift(work.declared.get(field), then, live) : live);
  return true;
}

function mergeDrift(declared: Json | undefined, then: Json | undefined, live: Json): Json {
  if (!isMap(declared) || !isMap(live)) return live;
  const before = isMap(then) ? then : {};
  const merged: JsonMap = {};
  for (const [key, value] of Object.entries(declared)) {
    if (same(before[key], live[key])) merged[key] = value;
    else if (live[key] !== undefined) merged[key] = live[key];
  }
  return merged;
}

function inputsOf(work: Work): JsonMap {
  const inputs: JsonMap = Object.fromEntries(work.declared);
  if (work.identity !== undefined) inputs["__identity"] = work.identity;
  return inputs;
}
