/** How a page is read: at a refresh, and when it is taken over. */
import type { Page } from "../../api/records.ts";
import { pageKey, pages } from "./collection.ts";
import { editedByDates } from "./dates.ts";
import { Draft } from "./document.ts";
import { wordFor, wordOf } from "./guard.ts";
import { liveContent } from "./learned-texts.ts";
import { liveNodes } from "./nodes.ts";
import { publishedUnder, shippedAs, withShipped } from "./readings.ts";
import { draftIn } from "./release-draft.ts";
import { DRAFT } from "./released.ts";
import { render, valuesThen } from "./texts.ts";
import { editsText, type ForeignEdit } from "../../messages/foreign-edits.ts";
import { rowOf } from "../../reconcile/listed.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { normalSlug } from "../../values/addresses.ts";
import { camelKeys, isMap, type Json, type JsonMap, mapOf } from "../../values/json.ts";

/** Lists pages in bulk; content map and nodes are read only where updated_at moved (or could not be compared). */
export async function readPage(run: RunContext, id: string, old: ObjectState): Promise<JsonMap | undefined> {
  const record = await rowOf(run, pages, id, old);
  if (!record) return undefined;
  const answer: JsonMap = { ...recordAnswer(record), hasUnpublishedChanges: hasUnpublished(record, old.answer) };
  if (waitsForRelease(old, record)) answer["url"] = old.answer["url"] ?? null;
  const waits = isEditedSince(record, old.answer);
  if (!waits) old.published = {};
  const unmoved = record.updated_at !== null && record.updated_at === old.answer["updatedAt"];
  if (unmoved && !old.unread && !run.settings.full) return answer;
  const parts = await readParts(run, id, old);
  if (waits) old.published = publishedUnder(old.published, old.answer, parts);
  return { ...answer, ...parts };
}

async function readParts(run: RunContext, id: string, old: ObjectState): Promise<JsonMap> {
  const parts: JsonMap = {};
  const content = old.declared.get("content");
  const nodes = old.declared.get("nodes");
  if (isMap(content)) {
    const values = valuesThen(old);
    const applied = Object.entries(content).map(([key, value]): [string, Json] => [key, render(value, values)]);
    const { fields } = await new Draft(run, id).fields();
    parts["content"] = liveContent(run, id, fields, Object.fromEntries(applied), mapOf(old.answer["content"]));
  }
  if (isMap(nodes)) parts["nodes"] = await liveNodes(run, id, nodes);
  return parts;
}

/** It is not yet where its release will publish it. */
function waitsForRelease({ answer }: ObjectState, { status, site_id, slug }: Page): boolean {
  const draft = draftIn(answer[DRAFT]);
  if (draft === undefined) return false;
  return status !== "published" || site_id !== draft.place.siteId || normalSlug(slug) !== draft.place.slug;
}

export function recordAnswer(record: Page): JsonMap {
  return camelKeys(record);
}

/** After the publication that we know of. Where somebody else has published it, nobody knows which edits that left. */
function isEditedSince(record: Page, old: JsonMap): boolean {
  const isPublic = record.status === "published" && old["publishedAt"] === record.published_at;
  return isPublic && hasUnpublished(record, old);
}

/** The API doesn't tell whether a published page was edited since: updated_at past the publication we know of does. */
export function hasUnpublished(record: Page, old: JsonMap | undefined): boolean {
  if (record.status !== "published") return false;
  const samePublication = old?.["publishedAt"] !== undefined && old["publishedAt"] === record.published_at;
  if (samePublication) return record.updated_at !== old["updatedAt"] || old["hasUnpublishedChanges"] === true;
  return Date.parse(record.updated_at ?? "") - Date.parse(record.published_at ?? "") > 1_000;
}

// A published page that is taken over while its draft is newer than what visitors get. The content map shows the
// draft, so nothing may be left to write though visitors see something else: what waits is published with the page
// where the word is to include it, as the plan says. Otherwise the page is taken over as it is, and that its draft
// waits is told: nothing of ours is held back, so there is nothing to go on with.

/** The inputs that have to be applied whatever the page shows of them. Reads only. `changed`: what is applied anyway. */
export async function dueOnAdoption(
  run: RunContext,
  id: string,
  object: ObjectState,
  { publish, name, onForeignEdits }: JsonMap,
  changed: ReadonlySet<string>,
): Promise<readonly string[]> {
  // It leaves where it is, and makes way for another page that is to be there.
  if (changed.has("publish")) run.settings.ours?.add(pageKey(id));
  if (!isMap(publish)) return [];
  await noteWithoutDates(run, id, object);
  // What a release publishes, it looks at itself.
  if (publish["release"] !== undefined) return [];
  const edits = await editedByDates(run, id, object);
  const word = wordFor(run, id, edits, wordOf(onForeignEdits));
  if (word === "include") return ["publish"];
  // With a change of ours the guard of the publication tells it.
  if (word === "hold" && changed.size === 0) {
    tellOfDraft(run, id, typeof name === "string" ? name : id, edits);
    // Dates too near for a read by itself to tell; the next publication is held against this.
    object.learn({ hasUnpublishedChanges: true });
  }
  return [];
}

/**
 * Where the service shows no dates, nothing would tell of an edit that comes after this. What the draft holds now is noted, and taken
 * for what is public: whether it is, nobody can say.
 */
async function noteWithoutDates(run: RunContext, id: string, object: ObjectState): Promise<void> {
  const { status, updatedAt, publishedAt } = object.answer;
  if (status !== "published" || (typeof updatedAt === "string" && typeof publishedAt === "string")) return;
  object.notes = withShipped(object.notes, shippedAs(id, await new Draft(run, id).whole()));
}

function tellOfDraft(run: RunContext, id: string, name: string, edits: readonly ForeignEdit[]): void {
  const text =
    `publish: page ${id} ("${name}") is taken over as it is public, and its draft holds edits that are not: ` +
    `${editsText(edits)}. Publish or undo them in the builder.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "draft-waits", text });
}
