import { notFound } from "../http/errors.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { SiteRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { siteDomain, siteUrl } from "../visitors/urls.ts";
import type { Call, Operations } from "./operation.ts";
import { projectIdOf } from "./projects.ts";

interface SiteCreate {
  name?: string;
  description?: string;
  project_id?: string;
}

interface Filters extends Window {
  query?: string;
  project_id?: string;
  site_id?: string;
}

export const sites: Operations = {
  listSites: search,
  searchSites: search,

  createSite: (service, { body }: Call<unknown, SiteCreate>) => {
    const projectId = projectIdOf(service, body.project_id);
    const name = body.name === undefined ? undefined : service.nameOf(body.name);
    const label = freeLabel(service, name ?? "site");
    const site = service.sites.put({
      ...service.born("site"),
      name: name ?? siteDomain(label),
      description: body.description ?? null,
      label,
      projectId,
    });
    service.emit("site.created", "site", siteOnWire(site));
    return {
      id: site.id,
      site_id: site.id,
      name: site.name,
      atomic_domain: siteDomain(label),
      url: siteUrl(service, site),
      project_id: projectId,
      custom_domain_instructions: dnsInstructions(site),
    };
  },

  getSite: (service, { params }: Call) => siteOnWire(siteById(service, params["siteId"])),
};

export function siteById(service: Service, id: string | undefined): SiteRecord {
  const site = service.sites.get(id ?? "");
  if (site === undefined) throw notFound("site", id ?? "");
  return site;
}

function search(service: Service, { query }: Call<Filters>) {
  const found = service
    .list(service.sites)
    .filter(({ id, projectId }) => equals(query.site_id, id) && equals(query.project_id, projectId))
    .filter(({ name, label }) => matches(query.query, name, siteDomain(label)));
  return windowOf(found, query).map(siteOnWire);
}

function siteOnWire(site: SiteRecord) {
  return {
    id: site.id,
    name: site.name,
    site_name: site.name,
    domain: siteDomain(site.label),
    custom_domain: null,
    atomic_domain: siteDomain(site.label),
    project_id: site.projectId,
    status: "active",
    created_at: site.createdAt,
    updated_at: site.updatedAt,
  };
}

/** Makes a host label of a name: `spring.example` becomes `spring-example`, and the second one `spring-example-2`. */
function freeLabel(service: Service, name: string): string {
  const plain = name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-");
  const label = plain.slice(0, 50).replace(/^-+|-+$/g, "") || "site";
  const taken = new Set(service.sites.all().map((site) => site.label));
  let free = label;
  for (let n = 2; taken.has(free); n++) free = `${label}-${n}`;
  return free;
}

/** Returns instructions if the name could be a domain to connect. */
function dnsInstructions({ name, label }: SiteRecord): { type: string; host: string; value: string }[] | null {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(name) ? [{ type: "CNAME", host: name, value: siteDomain(label) }] : null;
}
