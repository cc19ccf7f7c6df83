/** Name, project, tags, label and delay of a page. */
import type { PageMetadataInput } from "../../api/index.ts";
import { type FieldOf, wireInputs } from "../fields.ts";
import { after, type Reached, type Step, written } from "./document.ts";
import type { Guarded } from "./guard.ts";
import type { Then } from "./writes.ts";
import { snake } from "../../values/json.ts";

const METADATA = ["name", "projectId", "tags", "productLabel"] as const satisfies readonly FieldOf<PageMetadataInput>[];

/** All of it; at a creation, the name comes last: until then it has the marker. */
export async function* applyMetadata(at: Reached, { writes }: Guarded): Step {
  return yield* sendMetadata(at, writes.then, at.created ? METADATA.filter((field) => field !== "name") : METADATA);
}

export async function* rename(at: Reached, { writes }: Guarded): Step {
  return at.created ? yield* sendMetadata(at, writes.then, ["name"]) : at;
}

async function* sendMetadata(at: Reached, then: Then, fields: readonly (typeof METADATA)[number][]): Step {
  const { run, id, now, changed, created } = at;
  const due = fields.filter((field) => changed.has(field));
  const metadata = wireInputs(now, due);
  if (Object.keys(metadata).length === 0) return at;
  const write = () => run.api.pages.updateMetadata({ page_id: id, ...metadata });
  const result = await write();
  // The rename that ends a creation moves none of the draft: what had copied the name was cleaned before.
  const sent = created ? after(at, (object) => (object.wrote = true)) : written(at);
  yield sent;
  const { pageName, projectId } = await run.account.documents.metadata(id, { write, result, pass: at, then, due });
  return after(sent, (object) => {
    for (const field of due) object.declare(field, now[field]);
    if (due.includes("name")) object.learn({ pageName: pageName ?? now.name ?? null });
    if (due.includes("projectId")) object.learn({ projectId: projectId ?? now.projectId ?? null });
  });
}

export async function* applyDelay(at: Reached, { writes }: Guarded): Step {
  const { run, id, now, changed } = at;
  const { delay } = now;
  if (!changed.has("delay") || !delay) return at;
  const settings = Object.fromEntries(Object.entries(delay).map(([key, value]) => [snake(key), value]));
  const write = () => run.api.builder.setDelay({ page_id: id, ...settings });
  const result = await write();
  const sent = written(at);
  yield sent;
  await run.account.documents.delay(id, { write, result, pass: at, then: writes.then });
  return after(sent, (object) => {
    object.declare("delay", delay);
  });
}
