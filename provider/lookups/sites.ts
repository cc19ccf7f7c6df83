import type { LandformApi, Site } from "../api/index.ts";
import { collect, findOne, shown, wired, type Limit, type One, type Shown } from "./find.ts";

export interface SiteQuery extends Limit {
  readonly projectId?: string;
  /** Text in the name and related fields. */
  readonly query?: string;
}

/** One site, by its id or its name. */
export async function getSite(api: LandformApi, wanted: One): Promise<Shown<Site>> {
  const record = await findOne(
    {
      what: "site",
      nameOf: ({ name }) => name,
      read: api.sites.read,
      search: (query) => api.sites.search({ query, limit: 100 }),
      all: () => api.sites.iterate(),
    },
    wanted,
  );
  return shown(record);
}

export async function listSites(api: LandformApi, { limit, ...filter }: SiteQuery = {}): Promise<Shown<Site>[]> {
  return (await collect(api.sites.iterate(wired(filter), { limit }))).map(shown);
}
