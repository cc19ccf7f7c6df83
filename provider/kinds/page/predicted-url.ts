/** Where a page will be public: its site's address, as other pages of it show that, or else the site itself. */
import { ApiError, type LandformApi } from "../../api/index.ts";
import type { Page } from "../../api/records.ts";
import type { JsonMap } from "../../values/json.ts";
import type { RunContext } from "../../reconcile/run-context.ts";
import { PageRun } from "./page-run.ts";
import { normalSlug, type Place } from "./place.ts";

/** Null where nothing tells. `answer`: what is known of the page. */
export async function predictedUrl(run: RunContext, answer: JsonMap, place: Place): Promise<string | null> {
  const { status, siteId, slug, url } = answer;
  const slugNow = normalSlug(place.slug);
  if (status === "published" && siteId === place.siteId && typeof url === "string") {
    const root = rootIn(url, typeof slug === "string" ? slug : "");
    if (root !== undefined) return root + slugNow;
  }
  const { siteId: site } = place;
  const root = await run.part(PageRun).rootOf(site, () => rootOf(run.api, site, run.siteAddresses));
  return root === undefined ? null : root + slugNow;
}

/** Address of what is on a site, with a slash at its end. A prediction is a help, and stops nothing. */
export async function rootOf(
  api: LandformApi,
  siteId: string,
  made: ReadonlyMap<string, string> = new Map(),
): Promise<string | undefined> {
  try {
    const [own] = (await api.pages.list({ site_id: siteId, published: true, limit: 100 })).flatMap(rootOfPage);
    if (own !== undefined) return own;
    const { custom_domain, domain, atomic_domain } = await api.sites.read(siteId);
    const host = custom_domain ?? domain ?? atomic_domain;
    if (host === null || host === "") return undefined;
    const others = await api.pages.list({ published: true, limit: 100 });
    return others.flatMap((page) => likeThatOf(page, host))[0] ?? made.get(siteId) ?? `https://${host}/`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}

function rootOfPage({ url, slug }: Page): string[] {
  const root = url === null ? undefined : rootIn(url, slug ?? "");
  return root === undefined ? [] : [root];
}

/** Without the path; undefined where the address has another one. */
export function rootIn(url: string, slug: string): string | undefined {
  const path = normalSlug(slug);
  const bare = url.replace(/\/+$/, "");
  if (path === "") return `${bare}/`;
  return bare.toLowerCase().endsWith(`/${path}`) ? bare.slice(0, -path.length) : undefined;
}

/** With the scheme and the port that another site has. */
function likeThatOf(page: Page, host: string): string[] {
  const [root] = rootOfPage(page);
  const own = root === undefined ? null : URL.parse(root);
  if (!own || page.domain === null || own.hostname !== page.domain.replace(/:.*$/, "")) return [];
  return [`${own.protocol}//${host}${own.port === "" || host.includes(":") ? "" : `:${own.port}`}/`];
}
