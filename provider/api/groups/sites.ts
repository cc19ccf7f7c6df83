import { z } from "zod";
import type { Call } from "../caller.ts";
import type { SiteCreate, SiteFilter, SiteList, SiteSearch } from "../inputs.ts";
import type { IterateOptions, Pager } from "../paging.ts";
import { site, siteCreated } from "../records.ts";

const sites = z.array(site);

export function sitesGroup(call: Call, pager: Pager) {
  const list = (query?: SiteList) => call("listSites", sites, { query: { ...query } });
  return {
    list,
    iterate: (filter?: SiteFilter, options?: IterateOptions) =>
      pager.pages("listSites", (paging) => list({ ...filter, ...paging }), options),
    create: (body: SiteCreate) => call("createSite", siteCreated, { body }),
    search: (query: SiteSearch) => call("searchSites", sites, { query: { ...query } }),
    read: (siteId: string) => call("getSite", site, { ids: { siteId } }),
  };
}
