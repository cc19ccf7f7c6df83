import { z } from "zod";
import type { Call } from "../caller.ts";
import type { FunnelCreate, FunnelFilter, FunnelList, FunnelSearch, FunnelUpdate } from "../inputs.ts";
import { type Capped, distinct, readCapped } from "../paging.ts";
import { funnel, type Funnel, type Project } from "../records.ts";

const funnels = z.array(funnel);

/** `projects` is read only when one list does not hold all funnels. */
export function funnelsGroup(call: Call, projects: () => AsyncIterable<Project>) {
  const list = (query?: FunnelList) => call("listFunnels", funnels, { query: { ...query } });

  /**
   * The list takes no page, and no more than 100 come. When that many come, the lists of the single projects are added;
   * `complete` is then false, since a funnel of no project, or of a project with a hundred others, may still be missing.
   */
  async function listAll(filter: FunnelFilter = {}): Promise<Capped<Funnel>> {
    const first = await readCapped((paging) => list({ ...filter, ...paging }));
    if (first.complete || filter.project_id !== undefined) return first;
    const records = [...first.records];
    for await (const { id } of projects()) {
      const ofProject = await readCapped((paging) => list({ project_id: id, ...paging }));
      records.push(...ofProject.records);
    }
    return { records: distinct(records), complete: false };
  }

  return {
    list,
    listAll,
    create: (body: FunnelCreate) => call("createFunnel", funnel, { body }),
    update: (body: FunnelUpdate) => call("updateFunnel", funnel, { body }),
    search: (query: FunnelSearch) => call("searchFunnels", funnels, { query: { ...query } }),
    read: (funnelId: string) => call("getFunnel", funnel, { ids: { funnelId } }),
  };
}
