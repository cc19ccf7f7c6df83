/** What a page holds, as inputs: what is about to be written over, or all of it. */
import type { Apply, PlannedWrites } from "../../definition/define.ts";
import type { Held } from "../../history/kept.ts";
import { camelKeys, isMap, mapOf, same, type Json, type JsonMap } from "../../values/json.ts";
import { rowOf } from "../../reconcile/listed.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pages } from "./collection.ts";
import { plannedUpdates } from "./content.ts";
import { draftHeld } from "./drafts/draft-held.ts";
import { takenOver } from "./drafts/taken-over.ts";
import { isDeclaredReleased } from "./release-draft.ts";
import type { PageLife } from "./declared.ts";
import { nodesHeld, nodesToWrite } from "./nodes-held.ts";
import { fieldsNow, readFields } from "./page-fields.ts";
import { mentions, render } from "./variables.ts";

/** Shown by the page's own record. */
const ON_RECORD = ["name", "projectId", "publish"] as const;
/** Shown nowhere: what was declared is all that is known. */
const NEVER_SHOWN = ["tags", "productLabel", "delay", "variables"] as const;

export async function pageHeld(
  run: RunContext,
  id: string,
  object: ObjectState,
  writes: PlannedWrites | undefined,
): Promise<Held> {
  const parts = [
    await recordHeld(run, id, object, writes),
    declaredHeld(object, writes),
    await contentHeld(run, id, object, writes),
    await nodesHeld(run, id, object, writes),
  ];
  const { then, sent } = publishedOver(object, writes);
  const content = mapOf(parts[2]?.then["content"]);
  return {
    ...(await draftHeld({ run, id, object }, content, writes)),
    then: parts.reduce((all, part) => withKeys(all, part.then), then),
    sent: parts.reduce((all, part) => withKeys(all, part.sent), sent),
    hidden: parts.flatMap(({ hidden }) => hidden),
  };
}

/** Edits that the code took over are in the draft already: their publication writes over what visitors got. */
function publishedOver(object: ObjectState, writes: PlannedWrites | undefined): Pick<Held, "then" | "sent"> {
  const then = writes === undefined ? {} : takenOver(object, writes.inputs);
  const sent = Object.entries(then).map(([field, keys]): [string, Json] => {
    const live = object.answer[field];
    return [field, Object.fromEntries(Object.keys(mapOf(keys)).map((key) => [key, mapOf(live)[key] ?? null]))];
  });
  return { then, sent: Object.fromEntries(sent) };
}

function withKeys(all: JsonMap, more: JsonMap): JsonMap {
  const merged = Object.entries(more).map(([field, value]): [string, Json] => [
    field,
    isMap(value) && isMap(all[field]) ? { ...all[field], ...value } : value,
  ]);
  return { ...all, ...Object.fromEntries(merged) };
}

/** Of a page that is taken over, where it is public is kept in any case: its own texts have to be published there again. */
async function recordHeld(
  run: RunContext,
  id: string,
  object: ObjectState,
  writes: PlannedWrites | undefined,
): Promise<Held> {
  const adopted = !object.recorded;
  const fields = ON_RECORD.filter(
    (field) => writes === undefined || writes.changed.has(field) || (adopted && field === "publish"),
  );
  if (fields.length === 0) return NOTHING;
  const record = adopted ? undefined : await rowOf(run, pages, id, object);
  const answer = adopted ? object.answer : record && camelKeys(record);
  if (!answer) return NOTHING;
  const then = fields.flatMap((field): [string, Json][] => {
    const value = object.live(field, answer);
    return value === undefined ? [] : [[field, value]];
  });
  return { then: Object.fromEntries(then), sent: sentOf(fields, writes), hidden: [] };
}

function declaredHeld({ declared }: ObjectState, writes: PlannedWrites | undefined): Held {
  const fields = NEVER_SHOWN.filter((field) => writes === undefined || writes.changed.has(field));
  const then = fields.flatMap((field): [string, Json][] => {
    const value = declared.get(field);
    return value === undefined ? [] : [[field, value]];
  });
  const hidden = writes ? fields.filter((field) => field !== "variables" && !declared.has(field)) : [];
  return { then: Object.fromEntries(then), sent: sentOf(fields, writes), hidden };
}

async function contentHeld(
  run: RunContext,
  id: string,
  object: ObjectState,
  writes: PlannedWrites | undefined,
): Promise<Held> {
  const sent = writes ? plannedUpdates({ ...writes, now: writes.inputs, object }) : {};
  const variables = writes?.changed.has("variables") ? writes.inputs["variables"] : undefined;
  if (writes && Object.keys(sent).length === 0 && !isMap(variables)) return NOTHING;
  const { fields } = await fieldsNow({ run, id, object });
  // Placeholders that content keys don't reach are replaced, too.
  for (const [key, value] of isMap(variables) ? fields.entries() : []) {
    if (!(key in sent) && mentions(value, variables as JsonMap)) sent[key] = render(value, variables as JsonMap);
  }
  const known = isMap(object.answer["content"]) ? object.answer["content"] : {};
  const then: JsonMap = {};
  const hidden: string[] = [];
  for (const key of writes ? Object.keys(sent) : fields.keys()) {
    const value = fields.value(key) ?? (fields.has(key) ? known[key] : undefined);
    if (value !== undefined) then[key] = value;
    else if (fields.has(key)) hidden.push(`content.${key}`);
  }
  return { then: { content: then }, sent: writes ? { content: sent } : {}, hidden };
}

/** To a page that was published just now: these were in its draft before, and nobody had published them. One that is made anew may have other fields. */
export async function pageRestoresDraft(
  run: RunContext,
  id: string,
  { content }: JsonMap,
  { publish }: JsonMap = {},
): Promise<void> {
  // A release does so once it is out: before that, it would be an edit that holds it back.
  const isReleased = isDeclaredReleased({ publish: publish ?? null });
  if (!isMap(content)) return;
  if (isReleased) {
    run.draftsToCome.set(id, { content });
    return;
  }
  const { fields } = await readFields(run, id);
  const updates = entriesOf(content, ([key]) => fields.has(key));
  if (Object.keys(updates).length > 0) await run.api.pages.updateContent({ page_id: id, updates });
}

function sentOf(fields: readonly string[], writes: PlannedWrites | undefined): JsonMap {
  const sent = fields.flatMap((field): [string, Json][] => {
    const value = writes?.inputs[field];
    return writes?.changed.has(field) !== true || value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(sent);
}

const NOTHING: Held = { then: {}, sent: {}, hidden: [] };

/**
 * Without the texts that come back by themselves, as a template or a variable renders them: written as content they would no
 * longer follow it. A page that is made anew may have other fields.
 */
export async function pageRestores(pass: Apply<PageLife>, values: JsonMap): Promise<JsonMap> {
  const { run, id, now, object } = pass;
  const { content, nodes, ...others } = values;
  const rest = { ...others, ...(isMap(nodes) && { nodes: nodesToWrite(nodes) }) };
  if (!isMap(content) || Object.keys(content).length === 0)
    return { ...rest, ...(content !== undefined && { content }) };
  const texts = content;
  const updates = plannedUpdates(pass);
  if (object.recorded) return { ...rest, content: entriesOf(texts, ([key, value]) => !same(updates[key], value)) };
  const { fields } = await fieldsNow(pass);
  const lost = Object.keys(texts).filter((key) => !fields.has(key));
  if (lost.length > 0) {
    const some = lost.slice(0, 8).join(", ");
    const text = `The page that was made anew (${id}) has no field ${some}${lost.length > 8 ? ", …" : ""}, so what these held doesn't come back.`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "fields-lost", text });
  }
  const comes = (key: string): Json => render(fields.value(key) ?? null, now.variables ?? {});
  return { ...rest, content: entriesOf(texts, ([key, value]) => fields.has(key) && !same(comes(key), value)) };
}

function entriesOf(map: JsonMap, keep: (entry: [string, Json]) => boolean): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(keep));
}
