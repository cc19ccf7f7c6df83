import { type PageDocument, validateDocument } from "../document/index.ts";
import { invalid, Refusal } from "../http/errors.ts";
import { draftOf, duplicate, pageById, pageOnWire } from "../records/pages.ts";
import type { PageRecord, SiteRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { pageUrl, siteDomain } from "../visitors/urls.ts";
import type { Call, Operations } from "./operation.ts";
import { siteById } from "./sites.ts";

interface PagePublish {
  page_id: string;
  site_id: string;
  slug?: string;
}

export const publishing: Operations = {
  publishPage: (service, { body }: Call<unknown, PagePublish>) => {
    const before = pageById(service, body.page_id);
    const site = siteById(service, body.site_id);
    const asked = slugOf(service, body.slug ?? "");
    const edited = draftOf(service, before);
    refuseUnready(service, before, edited);
    const slug = freeSlug(service, before, site, asked);
    const draft = service.notShown.publishingRenamesNodes ? duplicate(edited) : edited;
    const now = service.now();
    const moved = new Date(Date.parse(now) + service.notShown.publishMovesUpdatedAtMs).toISOString();
    const page = service.pages.put({
      ...before,
      status: "published",
      siteId: site.id,
      slug,
      publishedAt: now,
      updatedAt: moved,
    });
    const former = service.documents.get(page.id)?.live ?? null;
    service.formerly.set(page.id, { live: former, at: Date.now() });
    service.keepDocument({ id: page.id, draft, live: draft });
    service.emit("page.published", "page", pageOnWire(service, page));
    const { revisionWarning } = service.notShown;
    return {
      id: page.id,
      page_id: page.id,
      site_id: site.id,
      success: true,
      url: pageUrl(service, page),
      domain: siteDomain(site.label),
      slug,
      revision_saved: revisionWarning === null,
      revision_warning: revisionWarning,
    };
  },
};

/** Returns the slug as the service stores it. Paths that start with an underscore belong to the emulator. */
function slugOf(service: Service, sent: string): string {
  const slug = sent.trim().replace(/^\/+|\/+$/g, "");
  const wrong =
    slug.split("/").some((segment) => segment === "." || segment === "..") || /[\s?#\\%]|^_|\/\//.test(slug);
  if (wrong) throw invalid(`The slug "${sent}" can't be a path on a site. Use letters, digits, hyphens and slashes.`);
  return service.notShown.lowercaseSlugs ? slug.toLowerCase() : slug;
}

function refuseUnready(service: Service, page: PageRecord, draft: PageDocument): void {
  const { ready, issues } = validateDocument(draft);
  if (ready || !service.notShown.publishRefusesUnready) return;
  const reasons = issues.map(({ message }) => message).join(" ");
  throw new Refusal("page_not_ready", `The page "${page.pageName}" is not ready to publish: ${reasons}`);
}

/** Returns the requested slug. If another page has it, it returns one with a suffix or refuses. */
function freeSlug(service: Service, page: PageRecord, site: SiteRecord, slug: string): string {
  const others = service.pages
    .all()
    .filter(({ id, siteId, status }) => id !== page.id && siteId === site.id && status === "published");
  const holder = (wanted: string): PageRecord | undefined => others.find((one) => one.slug === wanted);
  const other = holder(slug);
  const { duplicateSlug } = service.notShown;
  if (other === undefined || duplicateSlug === "newest-wins") return slug;
  for (let number = 2; duplicateSlug === "suffix"; number++) {
    const suffixed = slug === "" ? `page-${number}` : `${slug}-${number}`;
    if (holder(suffixed) === undefined) return suffixed;
  }
  const where = slug === "" ? "the root" : `the slug "${slug}"`;
  const message = `The page "${other.pageName}" (${other.id}) is published at ${where} of ${site.name} already.`;
  throw new Refusal("slug_taken", `${message} Choose another slug, or delete that page.`);
}
