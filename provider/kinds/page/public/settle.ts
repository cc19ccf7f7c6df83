/**
 * The knowledge that a pass leaves of a page: the values that its publication shipped, or the public values of inputs that it has written
 * and could not publish.
 */
import { mayComeOf } from "../../../account/spelling.ts";
import type { Page } from "../../../api/records.ts";
import { pageKey, pages } from "../document/collection.ts";
import { after, orElse, type PageDocument, type PagePass, type Reached, type Step } from "../document/document.ts";
import { hasEach, isAsLeft } from "../edits/foreign-edits.ts";
import { keepingTexts } from "../draft/content.ts";
import { type Guarded, leftPublished, slippedIn, tell } from "../edits/guard.ts";
import { countAsUnsent, keysShownOtherwise, learnContent, onceTextsAreOurs } from "../draft/learned-texts.ts";
import { withOurs, withoutOurs } from "../document/ours.ts";
import { holderNow } from "./path.ts";
import { holds, PageRun, type Place } from "../document/places.ts";
import { broughtBy, newSalt, saltIn, type Shipped, shippedAs, shippedIn, withShipped } from "../document/readings.ts";
import { innerText, plain, sayingInstead, valuesNow } from "../document/texts.ts";
import { markerIn, withoutMarkerOf } from "../../../ledger/identity.ts";
import { Templates } from "../draft/templates.ts";
import { ApplyError } from "../../../messages/errors.ts";
import { isInLedgerAlone, noteCreation } from "../../../reconcile/creation.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { normalSlug } from "../../../values/addresses.ts";
import { type Json, type JsonMap, mapBy, mapOf, same } from "../../../values/json.ts";
import { render } from "../../../values/placeholders.ts";

/**
 * Notes what its creation gave us. This comes before the first write. Any run that goes on with the page can then tell somebody's edits from
 * our writes, and knows the texts that held placeholders.
 */
export async function noteMade(begun: PagePass, guarded: Guarded): Promise<{ pass: PagePass; guarded: Guarded }> {
  const { run, created, now } = begun;
  if (!created) return { pass: begun, guarded };
  const pass = now.variables === undefined ? begun : keepingTexts(begun, await begun.document.fields());
  const texts = now.variables !== undefined && { texts: pass.object.notes["texts"] ?? {} };
  const isNoted = guarded.shipped !== undefined;
  const document = isNoted ? guarded.document : { ...(await pass.document.tree()), fields: await textsAsMade(pass) };
  const isClean = !isNoted && document !== undefined && guarded.edits.length === 0;
  const made = (value: Json): Json[] => asWritten(pass, value);
  const noted = isClean ? shipping(pass, shippedAs(saltIn(pass.object.notes), document, made)) : pass;
  const { notes } = noted.object;
  const shipped = notes["shipped"] !== undefined && { shipped: notes["shipped"] };
  if (isInLedgerAlone(run, noted.object))
    await noteCreation(run, noted.object, withOurs({ ...texts, ...shipped }, guarded.writes.ours));
  return { pass: noted, guarded: { ...guarded, document, shipped: shippedIn(notes) } };
}

/** Returns the texts that the creation gave the page, so that each written text is known by its place. */
async function textsAsMade({ run, now: { templateId, content }, document }: PagePass): Promise<PageDocument["fields"]> {
  if (content === undefined) return undefined;
  const read = async (): Promise<PageDocument["fields"]> => (await document.fields()).fields.all();
  return templateId === undefined ? read() : run.part(Templates).textsOf(templateId, read);
}

function shipping<Pass extends PagePass>(pass: Pass, shipped: Shipped): Pass {
  return after(pass, (object) => (object.notes = withShipped(object.notes, shipped)));
}

/** Notes the edits that go out with our values, for a page that no state has yet. If the run is killed, the next one finds them. */
export async function noteGoingPublic({ run, object }: PagePass, guarded: Guarded): Promise<void> {
  const { edits, document, writes } = guarded;
  if (edits.length === 0 || document === undefined || !isInLedgerAlone(run, object)) return;
  await noteCreation(run, object, withOurs(withShipped({}, shippedAs(newSalt(), document)), writes.ours));
}

/**
 * Takes the look after the publication. If a page goes public for the first time, the values of its creation and our writes went out:
 * nothing else of it was public. The next look finds edits that come in between.
 */
export async function* settlePublished(at: Reached, guarded: Guarded, isFirst: boolean): Step {
  const { now } = at;
  const { writes, document: before, shipped: known } = guarded;
  // A page that goes public after all was written by a pass that failed or was held. The look of that pass may have shown the public values
  // of that time.
  const goesOn = at.changed.has("publish") && known !== undefined;
  const byTree = isFirst || goesOn ? undefined : await settledByTree(at, guarded);
  if (byTree) return byTree;
  const out = isFirst ? at : { ...at, document: at.document.written() };
  const settled = now.content ? yield* onceTextsAreOurs(out, writes.then, { isPublished: true }) : out;
  const keys = goesOn ? [...at.sent, ...(await keysSaid(settled))] : Object.keys(writes.content);
  const learned = await learnContent(settled, keys);
  yield learned;
  const document = isFirst && before ? await asMade(learned, before) : await learned.document.whole();
  const slipped = before && !isFirst ? slippedIn(before, document, writes, known) : [];
  const as = isFirst ? asSent(learned, before?.fields, document.fields) : undefined;
  const shipped = shippedAs(saltIn(learned.object.notes), document, as);
  const others = broughtBy([...guarded.edits, ...slipped], known?.others);
  tell(learned, "slipped-in", slipped);
  return after(allShipped(learned, { ...shipped, lag: known?.lag, others }), (object) => {
    // The record may have the date of that edit. The next refresh looks, whatever the date says.
    if (slipped.length > 0) object.unread = true;
  });
}

/**
 * Settles a publication by the tree alone. If the look before took the tree alone, and the tree has our texts word for word in the place of
 * the old ones and is otherwise as it was published, the content map has nothing to add.
 */
async function settledByTree(at: Reached, guarded: Guarded): Promise<Reached | undefined> {
  const { now } = at;
  const { writes, document: before, shipped } = guarded;
  const isSure = !writes.broad && writes.interrupted.size === 0 && writes.held.content.length === 0;
  if (!isSure || before === undefined || before.fields !== undefined || !shipped?.fields.size) return undefined;
  const known = mapOf(writes.then.answer["content"]);
  const content = { ...known, ...writes.content };
  const keys = Object.keys(writes.content);
  const isKnown = keys.every((key) => known[key] !== undefined && shipped.fields.holds(key, known[key]));
  const then = mapBy(keys, (key) => known[key]);
  if (!isKnown || !hasEach(before, then)) return undefined;
  const tree = await at.document.written().tree();
  if (!hasEach(tree, writes.content) || !isAsLeft(shipped, tree, content)) return undefined;
  const fields = keys.reduce((all, key) => all.replaced(key, known[key], content[key]), shipped.fields);
  const { nodes } = shippedAs(shipped.salt, tree);
  return after(allShipped(at, { ...shipped, fields, nodes, at: undefined }), (one) => {
    if (now.content) one.learn({ content: mapBy(Object.keys(now.content), (key) => content[key]) });
    one.unfinished.delete("content");
  });
}

function allShipped(at: Reached, shipped: Shipped): Reached {
  return after(shipping(at, shipped), (object) => {
    object.notes = withoutOurs(object.notes);
    object.published = {};
  });
}

async function asMade({ now, document }: PagePass, { nodes }: Pick<PageDocument, "nodes">): Promise<PageDocument> {
  const isAlone = now.content === undefined && now.variables === undefined;
  return { nodes, fields: isAlone ? undefined : (await document.fields()).fields.all() };
}

/**
 * Returns a leaf of a page that was just made, and how it may be once its placeholders are replaced and the marker is gone. The service may
 * escape the values that it puts between tags.
 */
function asWritten({ now, object }: PagePass, value: Json): Json[] {
  const { identity } = object;
  const values = valuesNow(object, now.variables);
  const text = render(value, values);
  const forms = same(text, value) ? [text] : [text, ...sayingInstead(value, render(innerText(value), values))];
  const unmarked = (form: Json): Json =>
    typeof form === "string" && identity !== undefined ? withoutMarkerOf(identity, form) : form;
  return [value, ...forms.map(unmarked)];
}

/**
 * Returns how each leaf of a page that was just made is after our writes: a leaf that showed a content field shows its new text. Several fields
 * may have had the same text.
 */
function asSent(pass: PagePass, before: PageDocument["fields"], after: PageDocument["fields"]): (leaf: Json) => Json[] {
  const known = [...(before ?? [])].flatMap(([key, text]) =>
    text === undefined || text === "" ? [] : [{ key, text }],
  );
  const keys = Map.groupBy(known, ({ text }) => plain(text));
  return (leaf) => {
    const shown = keys.get(plain(leaf)) ?? [];
    const forms = shown.flatMap(({ key, text }) => {
      const now = after?.get(key) ?? text;
      return same(now, text) ? asWritten(pass, leaf) : sayingInstead(leaf, now);
    });
    return forms.length === 0 ? asWritten(pass, leaf) : forms;
  };
}

/** Returns the content keys for which the page shows what the code says, as far as anybody can tell. */
async function keysSaid({ now, object, document }: PagePass): Promise<string[]> {
  if (!now.content) return [];
  const { fields } = await document.fields();
  const values = valuesNow(object, now.variables);
  return Object.entries(now.content).flatMap(([key, value]) => {
    const [text, shown] = [render(value, values), fields.value(key)];
    return same(shown, text) || (text !== "" && shown !== undefined && mayComeOf(text, shown)) ? [key] : [];
  });
}

/** Settles a page whose draft stays unpublished. The public values stay known. */
export async function* settleUnpublished(at: Reached, guarded: Guarded): Step {
  const { writes } = guarded;
  const kept = keepPublished(at, guarded);
  const settled = at.now.content ? yield* onceTextsAreOurs(kept, writes.then, { mayBeOld: true }) : kept;
  return learnContent(settled, Object.keys(writes.content));
}

function keepPublished(at: Reached, guarded: Guarded): Reached {
  const { document, shipped, edits } = guarded;
  // If nobody had edited the draft, it is public. If somebody has, and nobody knows what, dates go on to decide.
  const isPublic = document !== undefined && edits.length === 0 && guarded.writes.then.answer["status"] === "published";
  const known = shipped ?? (isPublic ? shippedAs(saltIn(at.object.notes), document) : undefined);
  return after(known ? shipping(at, known) : at, (object) => (object.published = leftPublished(guarded, at.now)));
}

/** Settles a pass that an error has ended, so that the next one doesn't take its writes for somebody else's. */
export async function settleAfterError(at: Reached, guarded: Guarded): Promise<Reached> {
  if (!at.object.wrote) return at;
  const kept = at.object.answer["status"] === "published" ? keepPublished(at, guarded) : at;
  if (!at.now.content) return kept;
  const { writes } = guarded;
  const shown = { ...kept, document: kept.document.written(), sent: Object.keys(writes.content) };
  try {
    const strange = await keysShownOtherwise(shown, writes.then);
    const ours = shown.sent.filter((key) => !strange.includes(key));
    const learned = await learnContent(shown, ours);
    return after(learned, (object) => {
      if (strange.length > 0) countAsUnsent(object, writes.then, strange);
    });
  } catch {
    // The next look finds it.
    return kept;
  }
}

// The last look at a page that was written to. Pages that are ready together share it. The other rows may tell of an address that somebody
// took between the plan's look and our publication. If a service lets the newest publication win, it refuses neither, and visitors no
// longer get one of the two pages.

/** `then`: the answer from before the pass. */
export async function lastLook(pass: PagePass, then: JsonMap, isPublic: boolean): Promise<Page> {
  const { run, id, object } = pass;
  const { updatedAt: before } = object.answer;
  let listed: readonly Page[] = [];
  const shown = await run.account.latest(pages, id, (row, rows) => {
    listed = rows;
    if (markerIn(row.page_name) !== undefined || row.updated_at === null || !isAfter(row.updated_at, before))
      return false;
    return !isPublic || row.status === "published";
  });
  if (!shown)
    throw new ApplyError(
      `Page ${id} was deleted by somebody else while it was worked on. Run again to create it anew.`,
    );
  if (!isPublic) return shown;
  const record = await run.account.documents.published(shown);
  const isUnseen = listed.length === 0 && mayBeNewThere(pass, then, record);
  const onSite = { site_id: record.site_id ?? "", published: true, limit: 100 };
  await tellSharedAddress(pass, record, isUnseen ? await orElse(run.api.pages.list(onSite), []) : listed);
  return record;
}

/** Tells if the date is a later one. A list may lag by more than one run. */
function isAfter(date: string, before: Json | undefined): boolean {
  return typeof before !== "string" || Date.parse(date) > Date.parse(before);
}

/**
 * Tells if a page that was read by its id may be new at its place. A page that is where it was takes no other look. A killed run may have
 * brought it there.
 */
function mayBeNewThere({ created, object }: PagePass, then: JsonMap, { site_id: siteId, slug }: Page): boolean {
  const { status, siteId: site, slug: path } = then;
  const isThere = status === "published" && site === siteId && path === slug;
  return siteId !== null && (created || object.interrupted().size > 0 || !isThere);
}

/** `rows`: the other rows of the look. */
async function tellSharedAddress(
  pass: PagePass,
  { site_id: siteId, slug }: Page,
  rows: readonly Page[],
): Promise<void> {
  const { run, id, object } = pass;
  if (siteId === null) return;
  const place = { siteId, slug: slug ?? "" };
  const other = rows.find((row) => row.id !== id && row.id !== object.replacedId && holds(row, place));
  // A list may lag behind earlier runs.
  if (!other || mayHaveLeft(run, other.id, place) || !(await orElse(holderNow(run, other.id, place), other))) return;
  const text =
    `publish: page ${other.id} ("${other.page_name}") has the path /${normalSlug(slug)} of site ${siteId}, too: somebody published it ` +
    `there while this run published page ${id} there, and the service refused neither. Visitors see only one of the two. ` +
    `Choose another slug for one of them, or delete that page.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "shared-address", text });
}

/** A list may lag behind this run's work on its own pages, and the run may not have come to all of them. */
function mayHaveLeft(run: RunContext, id: string, place: Place): boolean {
  const { ours, seen } = run.settings;
  const key = pageKey(id);
  const isOurs = ours?.has(key) === true || seen?.objectOf(key) !== undefined;
  return isOurs || run.putAside.has(id) || run.deleted.has(key) || run.part(PageRun).isVacated(place);
}

// A page that was published as far as the answer told, but that a look shows as a draft: visitors get nothing.

/** Refuses a page that is a draft. Callers learn the shown values first, so that the next run knows them. */
export function refuseDraft(page: Page, patienceMs: number): void {
  if (page.status !== "draft") return;
  throw new ApplyError(
    `publish: page ${page.id} is still a draft ${Math.round(patienceMs / 1000)} s after POST /pages/publish was answered ` +
      `with success. Run again: the next run publishes it once more. If it stays a draft, publish it in the app.`,
  );
}
