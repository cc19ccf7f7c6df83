/**
 * Where nothing but dates is known of a page's draft: whether it was edited after it was last published. Publishing may
 * move updated_at by itself, and by some moments past published_at, as does the rename that ends a creation of ours: how far, other pages of the account
 * show. Pure.
 */
import type { Page } from "../../../api/records.ts";

/** A person's edit comes later after a publication than that; only nearer ones have to be told from the service's own. */
const NEAR_MS = 5_000;
const ALIKE = 3;

export type Dates = Pick<Page, "id" | "status" | "updated_at" | "published_at">;

/** `undefined`: too near to tell without other pages to hold it against. */
export function editedSincePublished(page: Dates): boolean | undefined {
  const lag = lagOf(page);
  if (lag === undefined || lag <= 0) return false;
  return lag > NEAR_MS ? true : undefined;
}

/**
 * The same for what is near: it is the service's own, where other pages lag as much, but for those that were edited as soon.
 * Without any other page it is, too: a person is rarely that quick, and a page held back for nothing is never published.
 */
export function editedByComparison(page: Dates, others: readonly Dates[]): boolean {
  const usual = usualLag(page, others);
  return usual !== undefined && (lagOf(page) ?? 0) > ALIKE * Math.max(usual, 0);
}

/** The same, where a draft that is taken for public does harm: without any other page, it may be edited. */
export function mayBeEditedByComparison(page: Dates, others: readonly Dates[]): boolean {
  return usualLag(page, others) === undefined || editedByComparison(page, others);
}

function usualLag(page: Dates, others: readonly Dates[]): number | undefined {
  const lags = others.flatMap((other) => (other.id === page.id ? [] : (lagOf(other) ?? [])));
  const near = lags.filter((lag) => lag <= NEAR_MS).sort((a, b) => a - b);
  return near[Math.floor((near.length - 1) / 4)];
}

function lagOf({ status, updated_at, published_at }: Dates): number | undefined {
  if (status !== "published") return undefined;
  const lag = Date.parse(updated_at ?? "") - Date.parse(published_at ?? "");
  return Number.isNaN(lag) ? undefined : lag;
}
