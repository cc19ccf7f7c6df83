/**
 * The part of a page that its release publishes: the record that the draft is compared with, and, for values that are not public yet, the
 * public value and the new one. It is an output of the page and an input of the release, so that a written page makes the release due.
 */
import { orGone } from "../../../account/presence.ts";
import type { LandformApi } from "../../../api/index.ts";
import { after, orElse, type PagePass, type Reached } from "../document/document.ts";
import type { Guarded } from "../edits/guard.ts";
import { isOfRecord } from "../edits/record.ts";
import { pageShown } from "../document/inputs.ts";
import { isSamePlace, PageRun, type Place, placeOf, placeOfRecord } from "../document/places.ts";
import { saltIn, shippedAs, withDate, withPublished, withShipped } from "../document/readings.ts";
import { DRAFT, draftIn, type ReleaseDraft, type Revision } from "../document/released.ts";
import { valuesNow } from "../document/texts.ts";
import type { Writes } from "../document/writes.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { domainsIn, normalSlug, rootIn, rootOfSite } from "../../../values/addresses.ts";
import { camelKeys, filterMap, type Json, type JsonMap, mapBy, mapEach, mapOf } from "../../../values/json.ts";
import { placeFor } from "./publish.ts";
import { render, renderAll } from "../../../values/placeholders.ts";

/** Stands for a date that no publication has. */
const NEVER = "never";

/**
 * Learns what the release has moved before the first write: the state doesn't know it. A page that is at none of our places was moved by
 * somebody, and counts as we left it.
 */
export async function learnReleased(pass: PagePass): Promise<PagePass> {
  const { run, id, created } = pass;
  const record = created ? undefined : await orGone(run.api.pages.read(id));
  return after(pass, (object) => {
    const [shown, { place } = {}] = [record && placeOfRecord(record), draftIn(object.answer[DRAFT])];
    const known = [placeOf(object), place].filter((one) => one !== undefined);
    const isMoved = shown !== undefined && known.length > 0 && !known.some((one) => isSamePlace(one, shown));
    if (!isMoved) object.sent.add("publish");
    if (!record) return;
    const moved = filterMap(camelKeys(record), (_, output) => pageShown.movedByRelease.includes(output));
    const { url = null } = object.answer;
    object.learn({ ...moved, ...(isMoved ? { ...known[0], url } : { url: record.url ?? url }) });
  });
}

/** Leaves a written page to its release: its draft becomes an output. */
export async function leaveToRelease(pass: Reached, guarded: Guarded): Promise<Reached> {
  const { run, id, now, object } = pass;
  const { writes } = guarded;
  const { siteId = "", slug = "" } = now.publish ?? {};
  const old = draftIn(object.answer[DRAFT]);
  const { status, publishedAt } = object.answer;
  const isPublic = status === "published";
  const at = isPublic && typeof publishedAt === "string" ? publishedAt : NEVER;
  const isContinued = old?.at === at;
  const { content, nodes, delay } = withPublished(isContinued ? { ...old.before } : {}, object.published);
  const before = { content: mapOf(content), nodes: mapOf(nodes), ...(delay !== undefined && { delay }) };
  const next = revisionAfter(pass, writes, isPublic ? before : undefined, isContinued ? old.after : undefined);
  const [place, from] = [{ siteId, slug: normalSlug(slug) }, placeOf(object)];
  const stays = object.sent.has("publish") ? place : await placeFor(pass, place);
  const url = await predictedUrl(run, object.answer, stays);
  const held = guarded.isHeld ? guarded.edits.filter(isOfRecord) : [];
  const notes = withDate(isPublic ? object.notes : await notesOfDraft(pass, guarded), at);
  const shipped = notes["shipped"];
  const draft: ReleaseDraft = {
    revision: (old?.revision ?? 0) + 1,
    name: now.name ?? id,
    place,
    ...(from && { from }),
    ...(!isSamePlace(stays, place) && { stays }),
    ...(held.length > 0 && { held }),
    url,
    ...(object.replacedId !== undefined && { replacedId: object.replacedId }),
    at,
    ...(shipped !== undefined && { shipped }),
    ours: writes.ours.toNote(),
    ...(at !== NEVER && { before }),
    after: next,
    verify: now.publish?.verify === true,
    ...(now.onForeignEdits && { policy: now.onForeignEdits }),
  };
  return after(pass, (left) => {
    left.notes = notes;
    // From now on the draft in the output tells it.
    left.published = {};
    left.learn({ [DRAFT]: JSON.stringify(draft), url, hasUnpublishedChanges: isPublic });
    left.wrote = true;
    if (!writes.held.record.includes("publish")) left.declare("publish", now.publish);
  });
}

/** The record of a page that was never public is from its creation. It doesn't tell which texts variables have become part of since. */
async function notesOfDraft(pass: Reached, { found }: Guarded): Promise<JsonMap> {
  const { object, document, changed, created } = pass;
  const { notes } = object;
  if (created || !changed.has("variables") || found.length > 0) return notes;
  return withShipped(notes, shippedAs(saltIn(notes), await document.written().whole()));
}

/** Returns the new values of a page where the public ones differ. For a page that was never public, it returns all that is declared. */
function revisionAfter(pass: PagePass, writes: Writes, before?: Revision, old?: Revision): Revision {
  const { now, object } = pass;
  const values = valuesNow(object, now.variables);
  const declared = renderAll(now.content, values);
  if (before === undefined) return { content: declared, nodes: {} };
  const said = { ...old?.content, ...writes.content, ...declared };
  const nodes = { ...old?.nodes, ...(now.nodes as JsonMap | undefined) };
  const delay = before.delay === undefined ? undefined : (now.delay as Json | undefined);
  return {
    content: mapEach(before.content, (then, key) => said[key] ?? render(then, values)),
    nodes: mapBy(Object.keys(before.nodes), (id) => nodes[id]),
    ...(delay !== undefined && { delay }),
  };
}

async function predictedUrl(run: RunContext, answer: JsonMap, place: Place): Promise<string | null> {
  const { siteId, slug } = place;
  const was = placeOf({ answer });
  const { url } = answer;
  const known = was?.siteId === siteId && typeof url === "string" ? rootIn(url, was.slug) : undefined;
  const find = (): Promise<string | undefined> => rootOf(run.api, siteId, run.siteAddresses);
  const root = known ?? (await run.part(PageRun).rootOf(siteId, find));
  return root === undefined ? null : root + normalSlug(slug);
}

/** Returns the root address of a site, with a slash at its end. A prediction is a help, so an error stops nothing. */
export function rootOf(
  api: LandformApi,
  siteId: string,
  made?: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  return orElse(findRoot(api, siteId, made), undefined);
}

async function findRoot(
  api: LandformApi,
  siteId: string,
  made?: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const listed = async (site: { site_id?: string }): Promise<JsonMap[]> =>
    (await api.pages.list({ ...site, published: true, limit: 100 })).map(camelKeys);
  const own = rootOfSite(siteId, await listed({ site_id: siteId }));
  if (own !== undefined) return own;
  const site = camelKeys(await api.sites.read(siteId));
  const [host] = domainsIn(site);
  return host && (rootOfSite(siteId, await listed({}), site) ?? made?.get(siteId) ?? `https://${host}/`);
}
