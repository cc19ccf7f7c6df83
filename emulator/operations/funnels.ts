import { invalid, notFound } from "../http/errors.ts";
import { pageById } from "../records/pages.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { FunnelRecord, FunnelStep } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import type { Call, Operations } from "./operation.ts";
import { projectIdOf } from "./projects.ts";

interface Filters extends Window {
  query?: string;
  project_id?: string;
  funnel_id?: string;
}

interface FunnelFields {
  name: string;
  project_id?: string;
  pages?: FunnelStep[];
}

export const funnels: Operations = {
  listFunnels: search,
  searchFunnels: search,

  createFunnel: (service, { body }: Call<unknown, FunnelFields>) => {
    const name = service.nameOf(body.name);
    const projectId = projectIdOf(service, body.project_id);
    const steps = stepsOf(service, body.pages ?? []);
    const funnel: FunnelRecord = { ...service.born("funnel"), name, projectId, siteId: null, status: "active", steps };
    const wire = funnelOnWire(service, service.funnels.put(funnel));
    service.emit("funnel.created", "funnel", wire);
    return wire;
  },

  updateFunnel: (service, { body }: Call<unknown, Partial<FunnelFields> & { funnel_id: string }>) => {
    const before = funnelById(service, body.funnel_id);
    const name = body.name === undefined ? before.name : service.nameOf(body.name);
    const steps = body.pages === undefined ? before.steps : stepsOf(service, body.pages);
    return funnelOnWire(service, service.funnels.put({ ...before, name, steps, updatedAt: service.now() }));
  },

  getFunnel: (service, { params }: Call) => funnelOnWire(service, funnelById(service, params["funnelId"])),
};

function funnelById(service: Service, id: string | undefined): FunnelRecord {
  const funnel = service.funnels.get(id ?? "");
  if (funnel === undefined) throw notFound("funnel", id ?? "");
  return funnel;
}

function search(service: Service, { query }: Call<Filters>) {
  const found = service
    .list(service.funnels)
    .filter(({ id, projectId }) => equals(query.funnel_id, id) && equals(query.project_id, projectId))
    .filter(({ name }) => matches(query.query, name));
  return windowOf(found, query).map((funnel) => funnelOnWire(service, funnel));
}

/** Returns steps in their stored form: an existing page, or the external URL if there is no page. */
function stepsOf(service: Service, sent: FunnelStep[]): FunnelStep[] {
  const { maxFunnelSteps } = service.notShown;
  if (maxFunnelSteps > 0 && sent.length > maxFunnelSteps) {
    throw invalid(`The body is wrong: pages has ${sent.length} steps, and a funnel takes at most ${maxFunnelSteps}.`);
  }
  return sent.map(({ pageId, url, pageType }, index) => {
    if (pageId) return { pageId: pageById(service, pageId).id, ...(url ? { url } : {}), pageType };
    if (!url) throw invalid(`The body is wrong: pages.${index} needs a pageId or a url.`);
    return { url, pageType };
  });
}

function funnelOnWire(service: Service, funnel: FunnelRecord) {
  return {
    id: funnel.id,
    name: funnel.name,
    site_id: funnel.siteId,
    project_id: funnel.projectId,
    status: funnel.status,
    ...stepsOnWire(service, funnel.steps),
    created_at: funnel.createdAt,
    updated_at: funnel.updatedAt,
  };
}

function stepsOnWire(service: Service, steps: FunnelStep[]) {
  if (service.notShown.funnelPages === "records") return { pages: steps.map(recordOf), steps: steps.map(recordOf) };
  const ids = steps.flatMap(({ pageId }) => pageId ?? []);
  if (service.notShown.funnelPages === "steps" || ids.length < steps.length) return { pages: steps, steps };
  return { pages: ids, page_ids: ids.join(",") };
}

function recordOf({ pageId, url, pageType }: FunnelStep, index: number) {
  return { id: String(index + 1), page_id: pageId ?? null, url: url ?? null, page_type: pageType, order: index };
}
