/** Adoption: an existing object becomes the resource's, and only what differs from the declared is sent. */
import type { AnyDefinition } from "../define.ts";
import { same, type JsonMap } from "../json.ts";
import { complete, withoutAdoption, type Outcome } from "./complete.ts";
import { AdoptionError } from "./errors.ts";
import type { Raw } from "./inputs.ts";
import type { Services } from "./services.ts";
import { Work } from "./work.ts";

export async function adopt(
  definition: AnyDefinition,
  services: Services,
  raw: Raw,
  adoptId: string,
  account: string | undefined,
): Promise<Outcome> {
  const id = (await definition.identify?.(services, adoptId)) ?? adoptId;
  const inputs = withoutAdoption(raw.inputs);
  const work = new Work(definition, id);
  work.account = account;
  work.identity = raw.identity;
  for (const [field, value] of Object.entries(inputs)) work.declare(field, value);
  const answer = await definition.read(services, id, work);
  if (!answer) throw notThere(definition, id);
  work.learn(answer);
  const changed = differing(definition, work, inputs, id);
  if (changed.size === 0) {
    work.declare("adoptId", adoptId);
    return { id, outs: work.toState() };
  }
  const now = definition.inputs.parse(inputs);
  const pass = { services, id, now, changed, removed: new Set<string>(), work, created: false };
  return complete(definition, pass, raw);
}

/** Takes the live side as declared-then, and returns what the program wants different. */
function differing(definition: AnyDefinition, work: Work, inputs: JsonMap, id: string): Set<string> {
  const changed = new Set<string>();
  for (const [field, value] of Object.entries(inputs)) {
    const rule = definition.rule(field);
    const live = work.live(field);
    if (rule.live ? same(live, value) : rule.onChange !== undefined && rule.onChange !== "update") continue;
    if (rule.onChange === "replace" && live !== undefined && live !== null) throw fixed(definition, id, field, live);
    if (rule.onChange === "replace" || rule.onChange === "none") continue;
    if (rule.onChange === "refuse") throw fixed(definition, id, field, live ?? null);
    work.declare(field, live ?? undefined);
    changed.add(field);
  }
  return changed;
}

function notThere(definition: AnyDefinition, id: string): AdoptionError {
  return new AdoptionError(
    `adoptId: there is no ${definition.kind} "${id}" in this account, or the key can't see it. ` +
      `Correct the id, or remove adoptId to create a new ${definition.kind}.`,
  );
}

function fixed(definition: AnyDefinition, id: string, field: string, live: unknown): AdoptionError {
  return new AdoptionError(
    `${field}: ${definition.kind} "${id}" has ${JSON.stringify(live)}, which can't be changed on an existing ` +
      `${definition.kind}. Declare that value, or remove adoptId to create a new one.`,
  );
}
