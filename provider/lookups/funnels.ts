import type { Funnel, LandformApi } from "../api/index.ts";
import { findOne, shown, type Limit, type One, type Shown } from "./find.ts";

export interface FunnelQuery extends Limit {
  readonly projectId?: string;
}

/** One funnel, by its id or its name. */
export async function getFunnel(api: LandformApi, wanted: One): Promise<Shown<Funnel>> {
  const record = await findOne(
    {
      what: "funnel",
      nameOf: ({ name }) => name,
      read: api.funnels.read,
      search: (query) => api.funnels.search({ query, limit: 100 }),
      all: async () => (await api.funnels.listAll()).records,
    },
    wanted,
  );
  return shown(record);
}

/** The service lists 100 funnels of a project at most. */
export async function listFunnels(
  api: LandformApi,
  { limit = Infinity, projectId }: FunnelQuery = {},
): Promise<Shown<Funnel>[]> {
  return (await api.funnels.listAll({ project_id: projectId })).records.slice(0, limit).map(shown);
}
