/**
 * The life of a page after its creation, shared by pages and quizzes. A pass loads the draft, plans its writes, holds them against
 * what others have edited, writes, publishes and settles; each step gets what the one before has found. The order of the writes:
 * metadata, content and variables, delay, nodes; then the marker is taken from wherever the service copied it, and from the name;
 * last the check before publishing and the publication. A managed change to a published page publishes it again, once.
 */
import { orGone } from "../../account/presence.ts";
import type { Page, PageValidation } from "../../api/records.ts";
import { pages } from "./collection.ts";
import { applyContent, replaceLeftOver, withOpenAt } from "./content.ts";
import { cleanCopies, expectCopies } from "./copies.ts";
import { ownLag } from "./dates.ts";
import type { Draft, PageLife, PagePass } from "./document.ts";
import { guard, type Guarded, isUndo, onlyTheWord, tell, UNGUARDED } from "./guard.ts";
import { LiveLook } from "./live-look.ts";
import { applyDelay, applyMetadata, METADATA, onceRenamed, slugUnmoved } from "./metadata.ts";
import { noteElsewhere, refuseElsewhere } from "./misplaced.ts";
import { applyNodes } from "./nodes.ts";
import { hasUnpublished, recordAnswer } from "./read.ts";
import { awaitPublication, PageRun, refuseToLeaveEmpty } from "./page-run.ts";
import { PathHeld, publishAt, refusedPath } from "./path.ts";
import { isSamePlace, type Place, placeOf } from "./place.ts";
import { refuseUnready } from "./readiness.ts";
import { withDate } from "./readings.ts";
import { isReleased, learnReleased, leaveToRelease } from "./release-draft.ts";
import {
  lastLook,
  noteGoingPublic,
  noteMade,
  refuseDraft,
  settleAfterError,
  settlePublished,
  settleUnpublished,
} from "./settle.ts";
import { withKeptValues } from "./texts.ts";
import { planWrites, type Writes } from "./writes.ts";
import { halfMadeBefore } from "../../reconcile/creation.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { onceMoved, remove } from "../../reconcile/settled.ts";

/** What the last step gets of a pass. */
type Applied = Writes;

export async function applyPage(pass: PagePass): Promise<Applied> {
  const { run, id, changed, object, now } = pass;
  object.notes = withKeptValues(object, now);
  expectCopies(pass);
  const touchesPage = !onlyTheWord(changed);
  if (now.publish && touchesPage && object.declared.has("publish")) object.redo.add("publish");
  if (touchesPage) awaitPublication(pass);
  const known = { ...object.answer };
  run.part(PageRun).beginWork(id, known);
  if (isReleased(now) && touchesPage) await learnReleased(pass);
  const planned = planWrites(pass);
  const found = touchesPage ? await guard(pass, planned, known) : { ...UNGUARDED, writes: planned };
  const guarded = touchesPage ? await noteMade(pass, found) : found;
  const look = now.publish && touchesPage && !isReleased(now) ? await LiveLook.before(pass, guarded.writes) : undefined;
  try {
    await applied(pass, guarded, look);
  } catch (error) {
    await settleAfterError(pass, guarded);
    throw error;
  }
  return guarded.writes;
}

async function applied(pass: PagePass, guarded: Guarded, look: LiveLook | undefined): Promise<void> {
  const { run, changed, object, created, now, document } = pass;
  const { writes } = guarded;
  const released = isReleased(now) && !onlyTheWord(changed);
  const fields = created ? METADATA.filter((field) => field !== "name") : METADATA;
  const content = await applyContent(pass, await applyMetadata(pass, document, writes.then, fields), writes);
  const nodes = await applyNodes(pass, await applyDelay(pass, content.draft, writes.then), writes);
  const cleaned = await cleanCopies(pass, nodes.draft, created ? guarded.document?.nodes : undefined);
  const draft = created ? await applyMetadata(pass, cleaned, writes.then, ["name"]) : cleaned;
  const due = object.wrote || changed.has("publish") || writes.doubted.size > 0;
  // Where nothing of ours is to go public, there is nothing to hold back.
  if (guarded.isHeld) {
    if (due || holdsValues(writes)) holdBack(pass, guarded);
  } else if (now.publish === undefined) tell(pass, "included", guarded.edits);
  const publishes = now.publish !== undefined && due && !released && !guarded.isHeld;
  const published = publishes ? await publishNow(pass, draft, guarded) : undefined;
  if (released && due) await requireReady(pass, draft);
  const isLooked = published !== undefined || (now.publish !== undefined && (object.wrote || (released && due)));
  if (published) await settlePublished(pass, published, content.sent);
  else if (isLooked) await settleUnpublished(pass, draft, guarded, content.sent);
  if (guarded.isHeld && isUndo(run)) releaseUndone(pass);
  if (released && due) {
    await leaveToRelease(pass, guarded);
    object.wrote = true;
    object.declare("publish", now.publish);
  }
  if (published) await look?.after();
  const contentRead = (now.publish !== undefined && !onlyTheWord(changed)) || content.isLearned;
  if (!created && object.wrote && hasUnreadParts(now, contentRead, nodes.isLearned)) object.unread = true;
}

function holdsValues({ held }: Writes): boolean {
  return held.content.length + held.nodes.length > 0;
}

function holdBack(pass: PagePass, { edits, writes: { held } }: Guarded): void {
  const { object, now } = pass;
  tell(pass, "held-back", edits);
  if (now.publish) object.waiting.add("publish");
  if (held.content.length > 0) object.waiting.add("content");
  if (held.nodes.length > 0) object.waiting.add("nodes");
}

/** An undo of a run that was held back: where all that it goes back to is public, nothing waits to be published. */
function releaseUndone({ object, now }: PagePass): void {
  const was = placeOf(object);
  if (!now.publish || !was || !isSamePlace(was, { ...now.publish, slug: now.publish.slug ?? "" })) return;
  if (Object.keys(object.published).length > 0 || object.waiting.has("content") || object.waiting.has("nodes")) return;
  object.waiting.delete("publish");
  object.redo.delete("publish");
}

/** The page as it went out. */
export interface Published {
  readonly guarded: Guarded;
  readonly draft: Draft;
  readonly isFirst: boolean;
}

async function publishNow(pass: PagePass, before: Draft, guarded: Guarded): Promise<Published> {
  const target = pass.now.publish ?? { siteId: "" };
  const [place, ready] = await Promise.all([
    placeFor(pass, { siteId: target.siteId, slug: target.slug ?? "" }),
    requireReady(pass, before),
  ]);
  const isFirst = guarded.writes.then.answer["status"] !== "published";
  // Placeholders were replaced wherever they stood, which no change of the pass had named.
  const writes = ready === before ? guarded.writes : { ...guarded.writes, broad: true };
  tell(pass, "included", guarded.edits);
  await noteGoingPublic(pass, guarded);
  try {
    await publish(pass, target, place);
  } catch (error) {
    throw error instanceof PathHeld ? refusedPath(pass, place, error) : error;
  }
  return { guarded: { ...guarded, writes }, draft: ready, isFirst };
}

function hasUnreadParts({ content = {}, nodes = {} }: PageLife, contentRead: boolean, nodesRead: boolean): boolean {
  return (!contentRead && Object.keys(content).length > 0) || (!nodesRead && Object.keys(nodes).length > 0);
}

async function publish(pass: PagePass, target: { siteId: string; slug?: string }, place: Place): Promise<void> {
  const { run, id, object } = pass;
  const before = { from: placeOf(object), predecessor: object.predecessor, halfMade: halfMadeBefore(run, object) };
  const result = await publishAt(run, id, place, before).catch((error: unknown) => {
    noteElsewhere(object, target, error);
    throw error;
  });
  run.part(PageRun).endAwaiting(id);
  object.wrote = true;
  object.learn({
    status: "published",
    siteId: result.site_id ?? place.siteId,
    slug: result.slug,
    url: result.url,
    domain: result.domain,
  });
  object.declare("publish", target);
  object.published = {};
  if (result.revision_warning !== null) {
    const text = `publish: page ${id} is published, but: ${result.revision_warning}`;
    run.warn({ code: "of-kind", kind: "page", id, topic: "published-with-warning", text });
  }
}

/** The draft as it was found ready: it is asked again where there were placeholders that have a value. */
async function requireReady(pass: PagePass, draft: Draft): Promise<Draft> {
  const { run, id, object } = pass;
  const ask = (): Promise<PageValidation> => run.api.pages.validate(id);
  const first = await ask();
  const replaced = first.ready_to_publish ? undefined : await replaceLeftOver(pass, draft, first.remaining_variables);
  refuseUnready(id, object.answer["status"] === "published", replaced ? await ask() : first);
  return replaced ?? draft;
}

/**
 * Where the page goes public. A publication that only brings another change to visitors leaves a page where somebody has moved
 * it in the app: that is drift, which a refresh finds and its plan tells.
 */
async function placeFor({ run, id, created, changed, object }: PagePass, wanted: Place): Promise<Place> {
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
export async function settlePage(pass: PagePass, writes: Applied): Promise<void> {
  const { run, id, now, object } = pass;
  const isHeld = object.waiting.has("publish");
  const isPublic = now.publish !== undefined && !isHeld && !isReleased(now);
  const { url, slug } = object.answer;
  const { then } = writes;
  const record = await asWritten(pass, writes, await lastLook(pass, then.answer, isPublic), isPublic);
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

async function asWritten(pass: PagePass, { then }: Applied, shown: Page, isPublic: boolean): Promise<Page> {
  const again = () => pass.run.api.pages.read(pass.id);
  const renamed = await onceRenamed(pass, then, shown, again);
  if (!isPublic) return renamed;
  const isUnmoved = slugUnmoved(pass, then);
  return onceMoved(pass, {
    call: "POST /pages/publish",
    answer: renamed,
    again,
    unmoved: ({ slug }) => isUnmoved(slug),
  });
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
