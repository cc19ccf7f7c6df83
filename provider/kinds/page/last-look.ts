/**
 * The last look at a page that was written to, shared by those that are ready together. What it shows beside the page may tell of
 * an address that somebody took between the plan's look and our publication: where a service lets the newest publication
 * win, it refuses neither, and one of the two pages is no longer what visitors get.
 */
import { ApiError } from "../../api/index.ts";
import type { Page } from "../../api/records.ts";
import type { Json, JsonMap } from "../../values/json.ts";
import { ApplyError } from "../../messages/errors.ts";
import { markerIn } from "../../reconcile/identity.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { pageKey, pages } from "./collection.ts";
import type { PagePass } from "./declared.ts";
import { PageRun } from "./page-run.ts";
import { holderNow } from "./path.ts";
import { holds, normalSlug, type Place } from "./place.ts";
import { oncePublic } from "./still-draft.ts";

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
  const record = await oncePublic(run, shown);
  const isUnseen = listed.length === 0 && mayBeNewThere(pass, then, record);
  await tellSharedAddress(pass, record, isUnseen ? await run.part(PageRun).publicOn(record.site_id ?? "") : listed);
  return record;
}

/** A list may lag behind by more than one run. */
function isAfter(date: string, before: Json | undefined): boolean {
  return typeof before !== "string" || Date.parse(date) > Date.parse(before);
}

/** Of a page that was read by its id: one that is where it was takes no other look. A killed run may have brought it there. */
function mayBeNewThere({ created, object }: PagePass, then: JsonMap, { site_id: siteId, slug }: Page): boolean {
  const { status, siteId: site, slug: path } = then;
  const isThere = status === "published" && site === siteId && path === slug;
  return siteId !== null && (created || object.doubtful.size > 0 || !isThere);
}

/** `listed`: what the look showed beside the page. */
async function tellSharedAddress(
  { run, id, object: { predecessor } }: PagePass,
  { site_id: siteId, slug }: Page,
  listed: readonly Page[],
): Promise<void> {
  if (siteId === null) return;
  const place = { siteId, slug: slug ?? "" };
  const other = listed.find((row) => row.id !== id && row.id !== predecessor && holds(row, place));
  if (!other || mayHaveLeft(run, other.id, place) || !(await mayHold(run, other.id, place))) return;
  const text =
    `publish: page ${other.id} ("${other.page_name}") has the path /${normalSlug(slug)} of site ${siteId}, too: somebody published it ` +
    `there while this run was on its way to page ${id}, and the service refused neither. Visitors get one of the two alone. ` +
    `Choose another slug for one of them, or delete that page.`;
  run.warn({ code: "of-kind", kind: "page", id, topic: "shared-address", text });
}

/** A list may lag behind what earlier runs did. */
async function mayHold(run: RunContext, id: string, place: Place): Promise<boolean> {
  try {
    return (await holderNow(run, id, place)) !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
}

/** A list may lag behind what this run did to its own pages, and it may not have come to all of them. */
function mayHaveLeft(run: RunContext, id: string, place: Place): boolean {
  const { ours, seen } = run.settings;
  const key = pageKey(id);
  const isOurs = ours?.has(key) === true || seen?.objectOf(key) !== undefined;
  return isOurs || run.putAside.has(id) || run.deleted.has(key) || run.part(PageRun).isVacated(place);
}
