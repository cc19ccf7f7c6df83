/** Name, project, tags, label and delay of a page. */
import type { PageMetadataInput } from "../../api/index.ts";
import type { PageMetadata } from "../../api/records.ts";
import { camelKeys, type JsonMap, snake } from "../../values/json.ts";
import { onceMoved } from "../../reconcile/settled.ts";
import { type FieldOf, wireInputs } from "../fields.ts";
import { delayUnmoved, hiddenUnmoved, shownUnmoved } from "./believed.ts";
import type { PagePass } from "./declared.ts";
import type { Draft } from "./document.ts";
import type { Then } from "./writes.ts";

export const METADATA = [
  "name",
  "projectId",
  "tags",
  "productLabel",
] as const satisfies readonly FieldOf<PageMetadataInput>[];

const CALL = "PATCH /pages/metadata";

export async function applyMetadata(
  pass: PagePass,
  draft: Draft,
  then: Then,
  fields: readonly (typeof METADATA)[number][],
): Promise<Draft> {
  const { run, id, now, changed, created, object } = pass;
  const due = fields.filter((field) => changed.has(field));
  const metadata = wireInputs(now, due);
  if (Object.keys(metadata).length === 0) return draft;
  const write = () => run.api.pages.updateMetadata({ page_id: id, ...metadata });
  const result = await write();
  object.wrote = true;
  const { pageName, projectId } = await believed(pass, then, due, result, write);
  for (const field of due) object.declare(field, now[field]);
  if (due.includes("name")) object.learn({ pageName: pageName ?? now.name ?? null });
  if (due.includes("projectId")) object.learn({ projectId: projectId ?? now.projectId ?? null });
  // The rename that ends a creation moves none: what had copied the name was cleaned before.
  return created ? draft : draft.written();
}

async function believed(
  pass: PagePass,
  then: Then,
  due: readonly string[],
  result: PageMetadata,
  write: () => Promise<PageMetadata>,
): Promise<JsonMap> {
  const { name: pageName, project_id: projectId } = result;
  const again = async () => camelKeys(await pass.run.api.pages.read(pass.id));
  const unmoved = shownUnmoved(pass, then, due);
  await onceMoved(pass, { call: CALL, answer: result, again: write, unmoved: hiddenUnmoved(pass, then, due) });
  return onceMoved<JsonMap>(pass, { call: CALL, answer: { pageName, projectId }, again, unmoved });
}

/** To be called with what is shown in the end, whatever the answers said. */
export async function onceRenamed<Record extends object>(
  pass: PagePass,
  then: Then,
  record: Record,
  again: () => Promise<Record>,
): Promise<Record> {
  const isUnmoved = shownUnmoved(pass, then, [...pass.changed]);
  return onceMoved(pass, { call: CALL, answer: record, again, unmoved: (shown) => isUnmoved(camelKeys(shown)) });
}

export async function applyDelay(pass: PagePass, draft: Draft, then: Then): Promise<Draft> {
  const { run, id, now, changed, object } = pass;
  if (!changed.has("delay") || !now.delay) return draft;
  const settings = Object.fromEntries(Object.entries(now.delay).map(([key, value]) => [snake(key), value]));
  const write = () => run.api.builder.setDelay({ page_id: id, ...settings });
  const answer = await write();
  object.wrote = true;
  await onceMoved(pass, { call: "PATCH /pages/delay", answer, again: write, unmoved: delayUnmoved(pass, then) });
  object.declare("delay", now.delay);
  return draft.written();
}
