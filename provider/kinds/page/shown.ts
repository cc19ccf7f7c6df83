/** The content that a page shows, or is to show: for plans, for visitors and for lookups. */
import { ContentFields } from "../../account/content-map.ts";
import type { LandformApi } from "../../api/index.ts";
import type { Page } from "../../api/records.ts";
import type { Life, Planning } from "../../definition/define.ts";
import { pages } from "./document/collection.ts";
import { elsewhereIn } from "./draft/content.ts";
import { editedByDates, editedByItself } from "./edits/dates.ts";
import { Draft, type PageDocument, type PageLife } from "./document/document.ts";
import { liveContent } from "./draft/learned-texts.ts";
import { liveNodes } from "./draft/nodes.ts";
import { isAtItsPlace } from "./document/places.ts";
import { BY_KEY, byKey, publishedUnder, saltIn, shippedAs, templateTexts, withShipped } from "./document/readings.ts";
import { DRAFT, draftIn, isToBePublic } from "./document/released.ts";
import { unfilledTexts, valuesNow, valuesThen } from "./document/texts.ts";
import { editsText, type ForeignEdit } from "../../messages/foreign-edits.ts";
import { changedKeys, isIgnored } from "../../reconcile/diff.ts";
import { policyFor, policyOf } from "../../reconcile/foreign-edits.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { normalSlug } from "../../values/addresses.ts";
import { camelKeys, filterMap, isMap, type Json, type JsonMap, mapEach, mapOf, same } from "../../values/json.ts";
import { UNKNOWN } from "../../values/paths.ts";
import { placeholdersIn, render, renderAll } from "../../values/placeholders.ts";

/**
 * Tells if the page shows the declared values already, although the declaration has changed: a text that comes out as it is live, or a
 * variable that no text holds. Pure.
 */
export function showsAlready(field: string, old: ObjectState, now: JsonMap): boolean {
  const [content, variables] = [mapOf(now["content"]), valuesNow(old, now["variables"])];
  // If a page has an unpublished draft, the service may show the draft or the published text.
  const isDrafted = old.unfinished.has("publish") || old.answer[DRAFT] !== undefined;
  if (field === "content") return isMap(now["content"]) && !isDrafted && contentIsLive(old, content, variables);
  if (field === "publish")
    return isPublishedAlike(old.declared.get("publish"), now["publish"], old.answer["status"] === "published");
  if (field !== "variables" || now["variables"] === UNKNOWN) return false;
  // A draft may have placeholders that no text of the state tells.
  if (old.answer["status"] !== "published") return false;
  const then = valuesThen(old);
  // The apply tells that the old value stays there.
  if (elsewhereIn(old.notes).some((name) => !same(variables[name], then[name]))) return false;
  const texts = { ...templateTexts(old), ...mapOf(old.declared.get("content")), ...content };
  return Object.values(texts).every((text) => same(render(text, then), render(text, variables)));
}

/** Tells if nothing of the publication changes. A look at the public page changes nothing on it, nor does a release that a public page comes into. */
function isPublishedAlike(then: Json | undefined, now: Json | undefined, isPublic: boolean): boolean {
  if (!isMap(then) || !isMap(now)) return false;
  const [was, is] = [then, now].map(({ release }) => release !== undefined);
  // It leaves its release, or comes into one before it is public.
  if ((was && !is) || (!was && is && !isPublic)) return false;
  const beside = { verify: null, release: null };
  // A spreadsheet makes one of the two from the other: both are the root of the site.
  const [before, after] = [then, now].map(({ slug = "", ...place }) => ({ ...place, slug, ...beside }));
  return same(before, after);
}

function contentIsLive(old: ObjectState, content: JsonMap, variables: JsonMap): boolean {
  const [then, live] = [mapOf(old.declared.get("content")), mapOf(old.answer["content"])];
  if (Object.keys(then).some((key) => !Object.hasOwn(content, key))) return false;
  return Object.entries(content).every(([key, value]) => {
    const declared = Object.hasOwn(then, key) && same(then[key], value);
    return declared || (Object.hasOwn(live, key) && same(live[key], render(value, variables)));
  });
}

/** Returns the texts that hold placeholders, as visitors see them. `old`: a page that also has such texts which nobody declared. */
export function renderedContent({ content, variables }: JsonMap, old?: ObjectState): JsonMap {
  const values = mapOf(variables);
  const isFilled = (text: Json): boolean => placeholdersIn(text).every((name) => Object.hasOwn(values, name));
  const texts = { ...filterMap(old === undefined ? {} : templateTexts(old), isFilled), ...mapOf(content) };
  const held = filterMap(texts, (text) => placeholdersIn(text).length > 0);
  return { content: renderAll(held, values) };
}

export async function contentOf(api: LandformApi, id: string): Promise<JsonMap> {
  const fields = new ContentFields((await api.builder.contentMap(id)).fields);
  const content = fields.entries();
  if (content.length === 0 && fields.keys().length > 0)
    throw new Error(`the content map of page ${id} shows keys and no values`);
  return { content: Object.fromEntries(content) };
}

type Unpublished = Required<Planning>["unpublished"];

/**
 * Published -> declared: the declared values that are public otherwise, as visitors get them and as the code says, by key. A text that the
 * page shows with an open placeholder counts, too. Pure.
 */
export const unpublished: Unpublished = (old, now, found) => {
  const published = found ? publishedFound(old, found.before, found.after) : old.published;
  const values = valuesNow(old, now["variables"]);
  const said = (field: string, key: string): Json | undefined => {
    const declared = mapOf(now[field]);
    if (!Object.hasOwn(declared, key) || isIgnored(old.ignored, [field, key])) return undefined;
    return field === "content" ? render(declared[key] ?? null, values) : declared[key];
  };
  const unfilled: JsonMap = {
    content: unfilledTexts(found ? old.with((next) => (next.answer = found.after)) : old, now),
  };
  const then = byKey((field) => ({
    ...mapOf(unfilled[field]),
    ...filterMap(mapOf(published[field]), (value, key) => {
      const wanted = said(field, key);
      return wanted !== undefined && !same(wanted, value);
    }),
  }));
  return { then, now: byKey((field) => mapEach(mapOf(then[field]), (_, key) => said(field, key))) };
};

/** The same, with the texts of the template: the variables of the code fill them in. Pure. */
export const unpublishedForAll: Unpublished = (old, now, found) =>
  unpublished(old, { ...now, content: { ...templateTexts(old), ...mapOf(now["content"]) } }, found);

/**
 * Tells if all that a held pass left unpublished is public as these inputs say it, and they change nothing else that is public: then nothing of
 * ours waits for the edits of others. Pure.
 */
export function isPublicAgain(old: ObjectState, now: JsonMap): boolean {
  const { published } = old;
  const { delay = null } = now;
  const texts = { ...templateTexts(old), ...mapOf(now["content"]) };
  const said: JsonMap = { content: renderAll(texts, valuesNow(old, now["variables"])), nodes: now["nodes"] ?? {} };
  return (
    Object.keys(published).length > 0 &&
    isAtItsPlace(old, now["publish"]) &&
    same(published["delay"] ?? delay, delay) &&
    BY_KEY.every((field) => {
      const [left, code] = [mapOf(published[field]), mapOf(said[field])];
      const changed = Object.keys(changedKeys(old.declared.get(field), now[field]));
      return Object.keys(left).every((key) => same(code[key], left[key])) && changed.every((key) => key in left);
    })
  );
}

/** Returns the published values as a read leaves them in the state. */
function publishedFound(old: ObjectState, before: JsonMap, after: JsonMap): JsonMap {
  const waits = after["hasUnpublishedChanges"] === true && after["publishedAt"] === before["publishedAt"];
  return waits ? publishedUnder(old.published, before, after) : {};
}

/** Tells if the page is to be published because its draft already says what the code says. Pure. */
function publishesDraft(old: ObjectState, now: JsonMap): boolean {
  if (!isMap(now["publish"])) return false;
  const { now: next } = unpublished(old, now);
  return BY_KEY.some((one) =>
    Object.entries(mapOf(next[one])).some(([key, said]) => same(mapOf(old.answer[one])[key], said)),
  );
}

/** Tells if the page is to be published although its publication is declared as before. Pure. */
export function isPublishDue(field: string, old: ObjectState, now: JsonMap): boolean {
  if (field !== "publish") return false;
  const stayed = old.answer["status"] === "draft" && isToBePublic(old.declared.get("publish"));
  return stayed || publishesDraft(old, now);
}

// How a page is read: at a refresh, and when it is taken over.

/** Reads a page. It lists pages in bulk, and reads content map and nodes only if updated_at moved (or could not be compared). */
export async function readPage(run: RunContext, id: string, old: ObjectState): Promise<JsonMap | undefined> {
  const record = await run.row(pages, id, old);
  if (!record) return undefined;
  const answer: JsonMap = { ...camelKeys(record), hasUnpublishedChanges: hasUnpublished(record, old.answer) };
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
  const [content, nodes] = [old.declared.get("content"), old.declared.get("nodes")];
  if (isMap(content)) {
    const { fields } = await new Draft(run, id).fields();
    const applied = renderAll(content, valuesThen(old));
    parts["content"] = liveContent(run, id, fields, applied, mapOf(old.answer["content"]));
  }
  if (isMap(nodes)) parts["nodes"] = await liveNodes(run, id, nodes);
  return parts;
}

function waitsForRelease({ answer }: ObjectState, { status, site_id, slug }: Page): boolean {
  const draft = draftIn(answer[DRAFT]);
  if (draft === undefined) return false;
  return status !== "published" || site_id !== draft.place.siteId || normalSlug(slug) !== draft.place.slug;
}

/** Tells if the page was edited after the publication that we know of. If somebody else has published it, nobody knows which edits that left. */
function isEditedSince(record: Page, old: JsonMap): boolean {
  const isPublic = record.status === "published" && old["publishedAt"] === record.published_at;
  return isPublic && hasUnpublished(record, old);
}

/** Tells if a published page was edited since. The API doesn't tell it, but updated_at past the publication we know of does. */
export function hasUnpublished(record: Page, old: JsonMap | undefined): boolean {
  if (record.status !== "published") return false;
  const samePublication = old?.["publishedAt"] !== undefined && old["publishedAt"] === record.published_at;
  if (samePublication) return record.updated_at !== old["updatedAt"] || old["hasUnpublishedChanges"] === true;
  return editedByItself(record);
}

// A published page that is adopted while its draft is newer than the public version. The content map shows the draft, so nothing may be
// left to write though visitors see something else. If the policy is to include the edits, the page is published with them, as the plan says.
// Otherwise the page is adopted as it is, and the run tells that its draft waits: nothing of ours is held back, so there is nothing to go
// on with.

export const takenOver: TakenOver = async (run, found, { publish, name, onForeignEdits }, changed) => {
  const { id = "" } = found;
  const isDraft = found.answer["status"] === "draft";
  if (!isMap(publish)) return { object: isDraft ? noted(found, await new Draft(run, id).whole()) : found, due: [] };
  // It is read before the dates: an edit in between counts as somebody's.
  const draft = found.answer["status"] === "published" ? await new Draft(run, id).whole() : undefined;
  const edits = await editedByDates(run, id, found);
  const hasDates = [found.answer["updatedAt"], found.answer["publishedAt"]].every((date) => typeof date === "string");
  const object = draft && (edits.length === 0 || !hasDates) ? noted(found, draft) : found;
  // A release looks itself at what it publishes.
  if (publish["release"] !== undefined) return { object, due: [] };
  const policy = policyFor(run, id, edits, policyOf(onForeignEdits));
  if (policy === "include") return { object, due: ["publish"] };
  // With a change of ours the guard of the publication tells it.
  if (policy !== "hold" || changed.size > 0) return { object, due: [] };
  return { object: withDraft(run, object, name, edits), due: [] };
};

type TakenOver = Required<Life<PageLife, Draft>>["takenOver"];

/**
 * Notes the draft as public, so that later edits have names and can be told from ours. Without dates nothing would tell of a later edit, so
 * the draft counts as public there, too.
 */
function noted(object: ObjectState, draft: PageDocument): ObjectState {
  const { publishedAt } = object.answer;
  // A publication by somebody else later on has another date.
  const at = typeof publishedAt === "string" ? publishedAt : undefined;
  const shipped = { ...shippedAs(saltIn(object.notes), draft), at };
  return object.with((next) => (next.notes = withShipped(next.notes, shipped)));
}

/** Leaves a public page as it is taken over, and tells the edits in its draft. */
export function withDraft(
  run: RunContext,
  object: ObjectState,
  name: Json | undefined,
  edits: readonly ForeignEdit[],
): ObjectState {
  const { id = "" } = object;
  const text =
    `publish: page ${id} ("${typeof name === "string" ? name : id}") is taken over as it is public, and its draft holds edits that are not: ` +
    `${editsText(edits)}. Publish or undo them in the builder.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "draft-waits", text });
  // The dates are too near for a read by itself to tell. The next publication is compared with this.
  return object.with((next) => next.learn({ hasUnpublishedChanges: true }));
}
