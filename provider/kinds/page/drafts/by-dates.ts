/** What the service's dates tell of a published page's draft: where nothing else is known of it, or somebody else has published it. */
import type { Page } from "../../../api/records.ts";
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";
import { pages } from "../collection.ts";
import { editedByComparison, editedByItself, editedSincePublished } from "./dates.ts";
import type { Footprint } from "./footprint.ts";
import { noteDates, publishedPages } from "./other-pages.ts";

type Known = Pick<ObjectState, "answer" | "recorded">;

/**
 * Somebody published the page since, and nothing was edited after that: all of it is public. Its release is somebody, too, of
 * whose publication a refresh has told: what moved after that refresh was edited, however soon.
 */
export async function publishedByOthers(
  run: RunContext,
  id: string,
  { at, lag }: Pick<Footprint, "at" | "lag">,
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
  noteDates(run, record);
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
export async function isEdited(run: RunContext, record: Page, lag?: number): Promise<boolean> {
  return (await edited(run, record, lag)) ?? editedByItself(record);
}

/** The same, where a draft that is taken for public does harm. */
export async function mayBeEdited(run: RunContext, record: Page, lag?: number): Promise<boolean> {
  return (await edited(run, record, lag)) ?? true;
}

async function edited(run: RunContext, record: Page, lag?: number): Promise<boolean | undefined> {
  const told = editedSincePublished(record);
  if (told !== undefined) return told;
  return editedByComparison(record, lag === undefined ? await publishedPages(run) : [], lag);
}
