/** Update: applies what changed between declared-then and declared-now, and what an earlier run left unfinished. */
import type { AnyDefinition } from "../define.ts";
import type { JsonMap } from "../json.ts";
import { complete, withoutAdoption, type Outcome } from "./complete.ts";
import { changesBetween } from "./diff.ts";
import { splitInputs } from "./inputs.ts";
import { discard } from "./leftovers.ts";
import type { Services } from "./services.ts";
import { Work } from "./work.ts";

export async function update(
  definition: AnyDefinition,
  services: Services,
  id: string,
  olds: JsonMap,
  news: JsonMap,
): Promise<Outcome> {
  const raw = splitInputs(news);
  const work = Work.fromState(definition, id, olds);
  work.account = (await services.account(work.account)) ?? work.account;
  work.identity = raw.identity ?? work.identity;
  if (work.twin !== undefined) {
    await discard(definition, services, work.twin);
    work.twin = undefined;
  }
  const changes = changesBetween(definition, work, withoutAdoption(raw.inputs));
  const changed = changes.filter(({ kind }) => kind !== "removed").map(({ field }) => field);
  const removed = changes.filter(({ kind }) => kind === "removed").map(({ field }) => field);
  const now = definition.inputs.parse(withoutAdoption(raw.inputs));
  const pass = { services, id, now, changed: new Set(changed), removed: new Set(removed), work, created: false };
  return complete(definition, pass, raw);
}
