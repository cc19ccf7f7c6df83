/**
 * Where nothing but dates is known of a page's draft, or somebody else has published it: whether it was edited after it was last
 * published. Publishing may move updated_at by itself, and by some moments past published_at, as does the rename that ends a
 * creation of ours: how far, other pages of the account show.
 */
import type { Page } from "../../api/records.ts";
import { pages } from "./collection.ts";
import { PageRun } from "./places.ts";
import type { Shipped } from "./readings.ts";
import type { ForeignEdit } from "../../messages/foreign-edits.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import type { RunContext } from "../../reconcile/run-context.ts";

/** A person's edit comes later after a publication than that; only nearer ones have to be told from the service's own. */
const NEAR_MS = 5_000;
const ALIKE = 3;
/** A service that writes two dates, one after the other, leaves no more between them. */
const OWN_MS = 1_000;

export type Dates = Pick<Page, "id" | "status" | "updated_at" | "published_at">;

/** `undefined`: too near to tell without other pages to hold it against. */
export function editedSincePublished(page: Dates): boolean | undefined {
  const lag = lagOf(page);
  if (lag === undefined || lag <= 0) return false;
  return lag > NEAR_MS ? true : undefined;
}

/**
 * The same for what is near: it is the service's own, where our own publication of the page has left as much (`own`), or other
 * pages lag as much, but for those that were edited as soon. `undefined`: there is neither.
 */
export function editedByComparison(page: Dates, others: readonly Dates[], own?: number): boolean | undefined {
  const usual = own ?? usualLag(page, others);
  return usual === undefined ? undefined : (lagOf(page) ?? 0) > ALIKE * Math.max(usual, 0);
}

/**
 * Where there is nothing to hold it against: next to nothing is the service's own, and what is more may be somebody's. To say that it
 * goes along takes a word, and what has gone public can't be taken back.
 */
export function editedByItself(page: Dates): boolean {
  return (lagOf(page) ?? 0) > OWN_MS;
}

function usualLag(page: Dates, others: readonly Dates[]): number | undefined {
  const lags = others.flatMap((other) => (other.id === page.id ? [] : (lagOf(other) ?? [])));
  const near = lags.filter((lag) => lag <= NEAR_MS).sort((a, b) => a - b);
  return near[Math.floor((near.length - 1) / 4)];
}

/** How far a publication of ours has moved updated_at by itself; undefined where it tells nothing. */
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
 * Somebody published the page since, and nothing was edited after that: all of it is public. Its release is somebody, too, of
 * whose publication a refresh has told: what moved after that refresh was edited, however soon.
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
  return !(await isEdited(run, record, lag));
}

/** Without a record of ours (a page taken over, an older state) dates decide. */
export async function editedByDates(run: RunContext, id: string, { answer, recorded }: Known): Promise<ForeignEdit[]> {
  const record = await run.account.read(pages, id);
  if (record?.status !== "published") return [];
  run.part(PageRun).noteDates(record);
  const { updated_at, published_at } = record;
  const isSame = answer["publishedAt"] === published_at;
  const unmoved = updated_at !== null && answer["updatedAt"] === updated_at && isSame;
  const told = recorded ? answer["hasUnpublishedChanges"] : undefined;
  // Held once, it stays held: the pages that dates were held against may be gone, or edited, in the next run.
  const isHeld = told === true && isSame;
  if ((told === false && unmoved) || !(isHeld || (await isEdited(run, record)))) return [];
  return [{ kind: "unnamed", editedAt: updated_at ?? "", publishedAt: published_at ?? "" }];
}

/** `lag`: how far a publication of ours has moved updated_at by itself. */
async function isEdited(run: RunContext, record: Page, lag?: number): Promise<boolean> {
  return (await edited(run, record, lag)) ?? editedByItself(record);
}

/** The same, where a draft that is taken for public does harm. */
export async function mayBeEdited(run: RunContext, record: Page, lag?: number): Promise<boolean> {
  return (await edited(run, record, lag)) ?? true;
}

async function edited(run: RunContext, record: Page, lag?: number): Promise<boolean | undefined> {
  const told = editedSincePublished(record);
  if (told !== undefined) return told;
  return editedByComparison(record, lag === undefined ? await run.part(PageRun).publishedPages() : [], lag);
}
