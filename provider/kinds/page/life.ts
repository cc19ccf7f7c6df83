/**
 * The life of a page after its creation, shared by pages and quizzes. The order of an apply: metadata, content and
 * variables, delay, nodes; then the rename that takes the marker away, and the marker from wherever the service copied it;
 * last the check before publishing and the publication. A managed change to a published page publishes it again, once.
 */
import type { Page, PageValidation } from "../../api/records.ts";
import type { Apply } from "../../definition/define.ts";
import { camelKeys, isMap, mapOf, type Json, type JsonMap } from "../../values/json.ts";
import { halfMadeBefore } from "../../reconcile/creation-notes.ts";
import { ownIn } from "../../reconcile/identity.ts";
import { rowOf } from "../../reconcile/listed.ts";
import { orGone } from "../../account/presence.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { onceMoved, remove } from "../../reconcile/written.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { awaitPublication, endAwaiting, refuseToLeaveEmpty } from "./awaited.ts";
import { slugUnmoved } from "./believed.ts";
import { pages } from "./collection.ts";
import { noteElsewhere, refuseElsewhere } from "./misplaced.ts";
import { isSamePlace, normalSlug, PathHeld, placeOf, publishAt, type Place } from "./path.ts";
import { DRAFT } from "./release-draft-name.ts";
import { DraftForRelease, draftIn, isReleased } from "./release-draft.ts";
import { cleanCopies, expectCopies } from "./copies.ts";
import { applyContent, liveContent } from "./content.ts";
import type { PageLife } from "./declared.ts";
import { ownLag } from "./drafts/dates.ts";
import { withDate } from "./drafts/footprint.ts";
import { PublishGuard } from "./drafts/guard.ts";
import { onlyTheWord } from "./drafts/stowaways.ts";
import { beginWork } from "./drafts/other-pages.ts";
import { editedIn } from "./drafts/taken-over.ts";
import { LiveLook } from "./live-look.ts";
import { lastLook } from "./last-look.ts";
import { valuesThen, withKeptValues } from "./kept-values.ts";
import { applyNodes, liveNodes } from "./nodes.ts";
import { applyDelay, applyMetadata, METADATA, onceRenamed } from "./metadata.ts";
import { fieldsNow } from "./page-fields.ts";
import { withOpenAt } from "./placeholder-notes.ts";
import { replaceLeftOver } from "./placeholders.ts";
import { refuseUnready } from "./readiness.ts";
import { render } from "./variables.ts";
import { refuseDraft } from "./still-draft.ts";
import { refusedPath } from "./waiting.ts";

export async function applyPage(pass: Apply<PageLife>): Promise<void> {
  const { changed, object, created, now } = pass;
  const isDoubtful = object.doubtful.size > 0;
  object.notes = withKeptValues(object, now);
  expectCopies(pass);
  const touchesPage = !onlyTheWord(changed);
  if (now.publish && touchesPage && object.declared.has("publish")) object.redo.add("publish");
  if (touchesPage) awaitPublication(pass);
  const known = { ...object.answer };
  beginWork(pass.run, pass.id, known);
  const draft = isReleased(now) && touchesPage ? await DraftForRelease.open(pass) : undefined;
  const guard = now.publish && touchesPage ? await PublishGuard.open(pass, known) : undefined;
  const look = guard && !draft ? await LiveLook.before(pass) : undefined;
  try {
    await applyMetadata(pass, created ? METADATA.filter((field) => field !== "name") : METADATA);
    const learned = await applyContent(pass);
    await applyDelay(pass);
    const nodesRead = await applyNodes(pass);
    await cleanCopies(pass);
    if (created) await applyMetadata(pass, ["name"]);
    const due = object.wrote || changed.has("publish") || isDoubtful;
    const published = now.publish !== undefined && due && !draft && (await publishUnlessHeld(pass, now.publish, guard));
    if (draft && due) await requireReady(pass, guard);
    // What the code took over is ours without a write.
    if (object.wrote || (draft && due)) await guard?.account(published);
    if (draft && due) await leaveToRelease(pass, draft);
    if (published) await look?.after();
    const contentRead = guard !== undefined || learned;
    if (!created && object.wrote && hasUnreadParts(now, contentRead, nodesRead)) object.unread = true;
  } catch (error) {
    await guard?.accountAfterError();
    throw error;
  }
}

async function leaveToRelease({ now, object }: Apply<PageLife>, draft: DraftForRelease): Promise<void> {
  await draft.leave();
  object.wrote = true;
  object.edited = {};
  object.declare("publish", now.publish);
}

/** False where the page stays a draft for now: the next apply goes on from there. */
async function publishUnlessHeld(
  pass: Apply<PageLife>,
  target: { siteId: string; slug?: string },
  guard: PublishGuard | undefined,
): Promise<boolean> {
  if (guard?.holds() === true) {
    pass.object.waiting.add("publish");
    return false;
  }
  const [place] = await Promise.all([
    placeFor(pass, { siteId: target.siteId, slug: target.slug ?? "" }),
    requireReady(pass, guard),
  ]);
  guard?.tellIncluded();
  await guard?.noteGoingPublic();
  try {
    await publish(pass, target, place);
  } catch (error) {
    throw error instanceof PathHeld ? refusedPath(pass, place, error) : error;
  }
  return true;
}

function hasUnreadParts({ content = {}, nodes = {} }: PageLife, contentRead: boolean, nodesRead: boolean): boolean {
  return (!contentRead && Object.keys(content).length > 0) || (!nodesRead && Object.keys(nodes).length > 0);
}

async function publish(pass: Apply<PageLife>, target: { siteId: string; slug?: string }, place: Place): Promise<void> {
  const { run, id, object } = pass;
  const before = { from: placeOf(object), predecessor: object.predecessor, halfMade: halfMadeBefore(run, object) };
  const result = await publishAt(run, id, place, before).catch((error: unknown) => {
    noteElsewhere(object, target, error);
    throw error;
  });
  endAwaiting(run, id);
  object.wrote = true;
  object.learn({
    status: "published",
    siteId: result.site_id ?? place.siteId,
    slug: result.slug,
    url: result.url,
    domain: result.domain,
  });
  object.declare("publish", target);
  object.edited = {};
  if (result.revision_warning !== null) {
    const text = `publish: page ${id} is published, but: ${result.revision_warning}`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "published-with-warning", text });
  }
}

async function requireReady(pass: Apply<PageLife>, guard: PublishGuard | undefined): Promise<void> {
  refuseUnready(pass.id, pass.object.answer["status"] === "published", await checkedPage(pass, guard));
}

/** The check before publishing, asked again where it found placeholders that have a value. */
async function checkedPage(pass: Apply<PageLife>, guard: PublishGuard | undefined): Promise<PageValidation> {
  const { api } = pass.run;
  const first = await api.pages.validate(pass.id);
  if (first.ready_to_publish || !(await replaceLeftOver(pass, first.remaining_variables))) return first;
  guard?.replacedAll();
  return api.pages.validate(pass.id);
}

/**
 * Where the page goes public. A publication that only brings another change to visitors leaves a page where somebody has moved
 * it in the app: that is drift, which a refresh finds and its plan tells.
 */
async function placeFor({ run, id, created, changed, object }: Apply<PageLife>, wanted: Place): Promise<Place> {
  const was = placeOf(object);
  if (created || was === undefined || changed.has("publish") || run.putAside.has(id)) return wanted;
  const placeNow = (record: Page | undefined): Place =>
    record?.status === "published" && record.site_id !== null ? placeIn(record.site_id, record.slug) : was;
  const isKnown = (place: Place): boolean => [was, wanted].some((known) => isSamePlace(known, place));
  // A list may lag behind.
  if (isKnown(placeNow(await run.account.row(pages, id)))) return wanted;
  const now = placeNow(await orGone(run.api.pages.read(id)));
  if (isKnown(now)) return wanted;
  const text =
    `publish: page ${id} is at /${now.slug} of site ${now.siteId}, where somebody moved it in the app, and stays there. ` +
    `up --refresh moves it back to /${wanted.slug}; to keep it there, change publish in the code.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "moved-by-hand", text });
  return now;
}

function placeIn(siteId: string, slug: string | null): Place {
  return { siteId, slug: slug ?? "" };
}

/** The last look after an apply: gives the answer that the next drift is measured against, updated_at included. */
export async function settlePage(pass: Apply<PageLife>): Promise<void> {
  const { run, id, now, object } = pass;
  const isHeld = object.waiting.has("publish");
  const isPublic = now.publish !== undefined && !isHeld && !isReleased(now);
  const { url, slug } = object.answer;
  const record = await asWritten(pass, await lastLook(pass, isPublic), isPublic);
  object.learn({
    ...recordAnswer(record),
    // Where it will be, which others may point to before it is there.
    ...(isReleased(now) && url !== undefined && { url }),
    hasUnpublishedChanges: isHeld || (!isPublic && hasUnpublished(record, undefined)),
  });
  if (isPublic) refuseDraft(record, run.settings.patienceMs);
  if (isPublic && typeof slug === "string") await refuseElsewhere(pass, record, slug);
  object.notes = withOpenAt(object.notes, record.updated_at);
  if (isPublic) object.notes = withDate(object.notes, id, record.published_at, ownLag(record));
}

async function asWritten(pass: Apply<PageLife>, shown: Page, isPublic: boolean): Promise<Page> {
  const again = () => pass.run.api.pages.read(pass.id);
  const renamed = await onceRenamed(pass, shown, again);
  if (!isPublic) return renamed;
  const isUnmoved = slugUnmoved(pass);
  return onceMoved(pass, {
    call: "POST /pages/publish",
    answer: renamed,
    again,
    unmoved: ({ slug }) => isUnmoved(slug),
  });
}

/** Lists pages in bulk; content map and nodes are read only where updated_at moved (or could not be compared). */
export async function readPage(run: RunContext, id: string, old: ObjectState): Promise<JsonMap | undefined> {
  const record = await rowOf(run, pages, id, old);
  if (!record) return undefined;
  const answer: JsonMap = { ...recordAnswer(record), hasUnpublishedChanges: hasUnpublished(record, old.answer) };
  if (waitsForRelease(old, record)) answer["url"] = old.answer["url"] ?? null;
  const waits = isEditedSince(record, old.answer);
  if (!waits) old.edited = {};
  const unmoved = record.updated_at !== null && record.updated_at === old.answer["updatedAt"];
  if (unmoved && !old.unread && !run.settings.full) return answer;
  const parts = await readParts(run, id, old);
  if (waits) old.edited = editedIn(old, parts);
  return { ...answer, ...parts };
}

async function readParts(run: RunContext, id: string, old: ObjectState): Promise<JsonMap> {
  const parts: JsonMap = {};
  const content = old.declared.get("content");
  const nodes = old.declared.get("nodes");
  if (isMap(content)) {
    const values = valuesThen(old);
    const applied = Object.entries(content).map(([key, value]): [string, Json] => [key, render(value, values)]);
    const { fields } = await fieldsNow({ run, id, object: old });
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

function recordAnswer(record: Page): JsonMap {
  return camelKeys(record);
}

/** After the publication that we know of. Where somebody else has published it, nobody knows which edits that left. */
function isEditedSince(record: Page, old: JsonMap): boolean {
  const isPublic = record.status === "published" && old["publishedAt"] === record.published_at;
  return isPublic && hasUnpublished(record, old);
}

/** The API doesn't tell whether a published page was edited since: updated_at past the publication we know of does. */
function hasUnpublished(record: Page, old: JsonMap | undefined): boolean {
  if (record.status !== "published") return false;
  const samePublication = old?.["publishedAt"] !== undefined && old["publishedAt"] === record.published_at;
  if (samePublication) return record.updated_at !== old["updatedAt"] || old["hasUnpublishedChanges"] === true;
  return Date.parse(record.updated_at ?? "") - Date.parse(record.published_at ?? "") > 1_000;
}

export async function deletePage(run: RunContext, id: string): Promise<void> {
  await refuseToLeaveEmpty(run, id);
  await remove(run, {
    kind: "page",
    id,
    call: `DELETE /pages/${id}`,
    send: () => run.api.pages.delete(id),
    look: () => run.api.pages.read(id),
  });
}
