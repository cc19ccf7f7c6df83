/** Where a page is, or is to be, public. Pure. */
import type { Page } from "../../api/records.ts";
import { digest } from "../../reconcile/identity.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { normalSlug } from "../../values/addresses.ts";
import { isMap, type Json } from "../../values/json.ts";

export interface Place {
  readonly siteId: string;
  readonly slug: string;
}

export function placeKey({ siteId, slug }: Place): string {
  return `${siteId}/${normalSlug(slug)}`;
}

export function isSamePlace(a: Place, b: Place): boolean {
  return placeKey(a) === placeKey(b);
}

/** Where the page was public when it was last looked at. */
export function placeOf({ answer: { status, siteId, slug } }: Pick<ObjectState, "answer">): Place | undefined {
  if (status !== "published" || typeof siteId !== "string") return undefined;
  return { siteId, slug: typeof slug === "string" ? slug : "" };
}

export function placeOfRecord({ status, site_id, slug }: Pick<Page, "status" | "site_id" | "slug">): Place | undefined {
  return status === "published" && site_id !== null ? { siteId: site_id, slug: slug ?? "" } : undefined;
}

export function holds(page: Page, { siteId, slug }: Place): boolean {
  return page.status === "published" && page.site_id === siteId && normalSlug(page.slug) === normalSlug(slug);
}

export type Aside = "moving" | "replaced";
const REASONS: readonly Aside[] = ["moving", "replaced"];
const ASIDE = 6;

/** The slug of an address that a run of ours gives a page on the way to another one. */
export function asideSlug(id: string, from: Place, why: Aside): string {
  return `${normalSlug(from.slug) || "root"}-${why}-${digest(id, ASIDE)}`;
}

/** Such an address, which a killed run leaves a page at. */
function isAside(id: string, slug: unknown): boolean {
  return typeof slug === "string" && REASONS.some((why) => slug.endsWith(`-${why}-${digest(id, ASIDE)}`));
}

export function isPassingPlace(id: string, field: string, live: Json | undefined): boolean {
  return field === "publish" && isMap(live) && isAside(id, live["slug"]);
}
