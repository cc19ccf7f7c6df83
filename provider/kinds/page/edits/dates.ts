/**
 * Tells if a page's draft was edited after its last publication, when nothing but dates is known of it, or when somebody else has published
 * it.
 */
import type { Page } from "../../../api/records.ts";
import { pages } from "../document/collection.ts";
import type { Shipped } from "../document/readings.ts";
import type { ForeignEdit } from "../../../messages/foreign-edits.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import type { RunContext } from "../../../reconcile/run-context.ts";

export type Dates = Pick<Page, "status" | "updated_at" | "published_at">;

/** A service that moves updated_at by its publication leaves no more between the dates. No person edits a page so soon. */
const OWN_MS = 1_000;

/** Tells if the page was edited after its publication. */
export function editedSincePublished({ status, updated_at, published_at }: Dates): boolean {
  return status === "published" && Date.parse(updated_at ?? "") - Date.parse(published_at ?? "") > OWN_MS;
}

type Known = Pick<ObjectState, "answer" | "recorded">;

/**
 * Tells if somebody published the page since and nobody edited it after that, so that all of it is public. Its release counts as somebody,
 * too. If a refresh has told of the release's publication, any move after that refresh was an edit, however soon.
 */
export async function publishedByOthers(
  run: RunContext,
  id: string,
  { at }: Pick<Shipped, "at">,
  { publishedAt, updatedAt }: Known["answer"],
): Promise<boolean> {
  const ours = at ?? publishedAt;
  const record = await run.account.read(pages, id);
  if (!record || typeof ours !== "string" || record.published_at === null) return false;
  if (Date.parse(record.published_at) === Date.parse(ours)) return false;
  if (record.published_at === publishedAt && record.updated_at !== updatedAt) return false;
  return !editedSincePublished(record);
}

/** Finds edits by their dates, for a page without a record of ours: one that was adopted. */
export async function editedByDates(run: RunContext, id: string, { answer, recorded }: Known): Promise<ForeignEdit[]> {
  const record = await run.account.read(pages, id);
  if (record?.status !== "published") return [];
  const { updated_at, published_at } = record;
  const isSame = answer["publishedAt"] === published_at;
  const unmoved = updated_at !== null && answer["updatedAt"] === updated_at && isSame;
  const told = recorded ? answer["hasUnpublishedChanges"] : undefined;
  // An edit that was held stays held.
  const isHeld = told === true && isSame;
  if ((told === false && unmoved) || !(isHeld || editedSincePublished(record))) return [];
  return [{ kind: "unnamed", editedAt: updated_at ?? "", publishedAt: published_at ?? "" }];
}
