import type { PageRecord, SiteRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";

/** The addresses of sites and pages. Browsers take `NAME.localhost` for this machine; other tools use `/_sites/NAME`. */
export type Addressing = "host" | "path";

export function siteDomain(label: string): string {
  return `${label}.localhost`;
}

export function siteUrl(service: Service, { label }: SiteRecord, addressing: Addressing = "host"): string {
  const { origin } = service;
  return addressing === "host" ? `http://${siteDomain(label)}:${origin.port}/` : `${origin.origin}/_sites/${label}/`;
}

/** Returns the public address of a page, or null if it has none. */
export function pageUrl(service: Service, page: PageRecord, addressing?: Addressing): string | null {
  const site = service.sites.get(page.siteId ?? "");
  if (site === undefined || page.status !== "published") return null;
  return siteUrl(service, site, addressing) + encodeURI(page.slug ?? "");
}

export function editUrl(service: Service, pageId: string): string {
  return `${service.origin.origin}/_edit/${pageId}`;
}
