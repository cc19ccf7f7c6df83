/**
 * Tells if a page's draft was edited after its last publication, when nothing but dates is known of it, or when somebody else has published
 * it. A publication may itself move updated_at some moments past published_at, and so may the rename that ends a creation of ours. Other
 * pages of the account show how far.
 */
import type { Page } from "../../../api/records.ts";
import { pages } from "../document/collection.ts";
import { type Dates, PageRun } from "../document/places.ts";
import type { Shipped } from "../document/readings.ts";
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";

/** A person's edit comes later after a publication than this. Only nearer ones have to be told from the service's own changes. */
const NEAR_MS = 5_000;
const ALIKE = 3;
/** A service that writes two dates, one after the other, leaves no more between them. */
const OWN_MS = 1_000;

/** Tells if the page was edited after its publication; undefined if the dates are too near to tell without other pages. */
export function editedSincePublished(page: Dates): boolean | undefined {
  const lag = lagOf(page);
  if (lag === undefined || lag <= 0) return false;
  return lag > NEAR_MS ? true : undefined;
}

/**
 * Tells the same for near dates. The lag is the service's own if our own publication of the page left as much (`own`), or if other pages
 * lag as much, except those that were edited as soon. Undefined if neither is known.
 */
export function editedByComparison(page: Dates, others: readonly Dates[], own?: number): boolean | undefined {
  const usual = own ?? usualLag(page, others);
  return usual === undefined ? undefined : (lagOf(page) ?? 0) > ALIKE * Math.max(usual, 0);
}

/**
 * Tells the same if nothing can be compared. A tiny lag is the service's own, and a longer one may be somebody's edit. Including an edit
 * takes a person's word, since nobody can take back what went public.
 */
export function editedByItself(page: Dates): boolean {
  return (lagOf(page) ?? 0) > OWN_MS;
}

function usualLag(page: Dates, others: readonly Dates[]): number | undefined {
  const lags = others.flatMap((other) => (other.id === page.id ? [] : (lagOf(other) ?? [])));
  const near = lags.filter((lag) => lag <= NEAR_MS).sort((a, b) => a - b);
  return near[Math.floor((near.length - 1) / 4)];
}

/** Returns how far a publication of ours has moved updated_at by itself; undefined if it tells nothing. */
export function ownLag(page: Dates): number | undefined {
  const lag = lagOf(page);
  return lag === undefined || lag > NEAR_MS ? undefined : lag;
}

function lagOf({ status, updated_at, published_at }: Dates): number | undefined {
  if (status !== "published") return undefined;
  const lag = Date.parse(updated_at ?? "") - Date.parse(published_at ?? "");
  return Number.isNaN(lag) ? undefined : lag;
}

type Known = Pick<ObjectState, "answer" | "recorded">;

/**
 * Tells if somebody published the page since and nobody edited it after that, so that all of it is public. Its release counts as somebody,
 * too. If a refresh has told of the release's publication, any move after that refresh was an edit, however soon.
 */
export async function publishedByOthers(
  run: RunContext,
  id: string,
  { at, lag }: Pick<Shipped, "at" | "lag">,
  { publishedAt, updatedAt }: Known["answer"],
): Promise<boolean> {
  const ours = at ?? publishedAt;
  const record = await run.account.read(pages, id);
  if (!record || typeof ours !== "string" || record.published_at === null) return false;
  if (Date.parse(record.published_at) === Date.parse(ours)) return false;
  if (record.published_at === publishedAt && record.updated_at !== updatedAt) return false;
  // A draft that is taken for public does harm.
  return (await isEdited(run, record, lag)) === false;
}

/** Finds edits by their dates, for a page without a record of ours: one that was adopted. */
export async function editedByDates(run: RunContext, id: string, { answer, recorded }: Known): Promise<ForeignEdit[]> {
  const record = await run.account.read(pages, id);
  if (record?.status !== "published") return [];
  run.part(PageRun).noteDates(record);
  const { updated_at, published_at } = record;
  const isSame = answer["publishedAt"] === published_at;
  const unmoved = updated_at !== null && answer["updatedAt"] === updated_at && isSame;
  const told = recorded ? answer["hasUnpublishedChanges"] : undefined;
  // An edit that was held stays held: the pages that its dates were compared with may be gone, or edited, in the next run.
  const isHeld = told === true && isSame;
  if ((told === false && unmoved) || !(isHeld || ((await isEdited(run, record)) ?? editedByItself(record)))) return [];
  return [{ kind: "unnamed", editedAt: updated_at ?? "", publishedAt: published_at ?? "" }];
}

/** `lag`: how far a publication of ours has moved updated_at by itself. */
async function isEdited(run: RunContext, record: Page, lag?: number): Promise<boolean | undefined> {
  const told = editedSincePublished(record);
  if (told !== undefined) return told;
  return editedByComparison(record, lag === undefined ? await run.part(PageRun).publishedPages() : [], lag);
}
