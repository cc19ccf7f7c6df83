/** The path that a published page has on its site. No two pages can have the same one. */
import { ApiError } from "../../api/index.ts";
import type { Page } from "../../api/records.ts";
import { ApplyError } from "../../lifecycle/errors.ts";
import { digest } from "../../lifecycle/identity.ts";
import { orGone, type RunContext } from "../../lifecycle/run-context.ts";

/** As services compare them. */
export function normalSlug(slug: string | null | undefined): string {
  return (slug ?? "").toLowerCase().replace(/^\/+|\/+$/g, "");
}

/**
 * The page that is being replaced leaves its path to the new one, which is ready by now. The API can't unpublish, so it
 * is published elsewhere until the engine deletes it: a replacement that fails earlier leaves it where it is.
 */
export async function makeWay(run: RunContext, oldId: string, siteId: string, slug: string): Promise<void> {
  const old = await orGone(run.api.pages.read(oldId));
  if (!old || !holds(old, siteId, slug)) return;
  run.forget(oldId);
  const aside = `${normalSlug(slug) || "root"}-replaced-${digest(oldId, 6)}`;
  await run.api.pages.publish({ page_id: oldId, site_id: siteId, slug: aside });
}

/** Throws the error of a publication, and where another page has the path, which one and what to do. */
export async function explainTaken(
  run: RunContext,
  error: unknown,
  id: string,
  siteId: string,
  slug: string,
): Promise<never> {
  if (!(error instanceof ApiError) || error.outcome !== "refused") throw error;
  const rows = await run.api.pages.search({ query: slug, limit: 100 }).catch((): Page[] => []);
  const holder = rows.find((row) => row.id !== id && holds(row, siteId, slug));
  if (!holder) throw error;
  throw new ApplyError(
    `publish: page ${holder.id} ("${holder.page_name}") has the path /${normalSlug(slug)} of site ${siteId} already ` +
      `(${error.brief}). Choose another slug, or delete that page. If it is a page of this stack whose resource was ` +
      `renamed, give the new one the option aliases: [{ name: "the old name" }], and it stays the same page; without it, ` +
      `a run deletes the old page only after all else.`,
  );
}

function holds(page: Page, siteId: string, slug: string): boolean {
  return page.status === "published" && page.site_id === siteId && normalSlug(page.slug) === normalSlug(slug);
}
