/** Sites: the hosts that pages are published to. The API creates and reads sites, and can't update or delete them. */
import { z } from "zod";
import type { LandformApi, Site } from "../api/index.ts";
import { collect, defineCollection, MOST, ofId } from "../definition/collection.ts";
import { idOf } from "../definition/schema-walk.ts";
import { defineResource } from "../definition/define.ts";
import { camelKeys } from "../values/json.ts";
import { AdoptionError } from "../messages/errors.ts";
import { orGone } from "../account/presence.ts";
import { UNKNOWN } from "../values/paths.ts";
import { displayName, out, timestamps } from "./fields.ts";
import { rootOf } from "./page/public/release-draft.ts";

const sites = defineCollection({
  what: "site",
  plural: "sites",
  calls: { list: "listSites", search: "searchSites", read: "getSite" },
  filters: z.object({
    projectId: z.string().optional(),
    query: z.string().optional().describe("Text in the name and related fields."),
  }),
  nameOf: ({ name }: Site) => name,
  read: (api, id) => api.sites.read(id),
  find: (api, id) => ofId(api.sites.search({ site_id: id }), id),
  search: (api, query) => api.sites.search({ query, limit: MOST }),
  all: (api, filter, options) => api.sites.iterate(filter, options),
  listPage: (api, paging) => api.sites.list(paging),
});

export const site = defineResource({
  kind: "site",
  section: "sites",
  doc: "A site: the host that pages are published on. Landform takes over an existing site of exactly that name. The API can't change or delete a site.",
  named: true,
  inputs: z.strictObject({
    name: displayName.describe("Display name, often the domain. Default: the resource's logical name."),
    description: z.string().optional().describe("Description, sent on creation only."),
    projectId: idOf("project").optional().describe("Project that the site is attached to."),
    reuse: z.boolean().optional().describe("Take over an existing site of this name. Default: true."),
    replaceOnChange: z
      .boolean()
      .optional()
      .describe(
        "Make a new site when name, description or project change; the old one stays in the account. Default: false.",
      ),
  }),
  outputs: z.object({
    name: out.text("Display name."),
    siteName: out.nullable("Name stored on the site."),
    domain: out.nullable("Public domain."),
    customDomain: out.nullable("Connected custom domain."),
    atomicDomain: out.nullable("Domain provided by the service."),
    url: out.nullable("Public URL."),
    projectId: out.nullable("Project of the site."),
    status: out.nullable("Status as the service calls it."),
    customDomainInstructions: z
      .unknown()
      .describe("DNS instructions for a custom domain, when the service returned them."),
    ...timestamps,
  }),
  rules: {
    name: { onChange: "refuse" },
    description: { onChange: "refuse" },
    projectId: { onChange: "refuse" },
    reuse: { onChange: "none" },
    replaceOnChange: { onChange: "none" },
  },
  collection: sites,
  shown: {
    answerOf,
    // The answer to its creation tells these.
    beside: ["url", "customDomainInstructions"],
    // A site is often named by its domain.
    repeats: {
      name: ["siteName", "domain", "customDomain", "atomicDomain", "url", "customDomainInstructions"],
    },
    steady: {
      siteName: [],
      domain: [],
      customDomain: [],
      atomicDomain: [],
      url: [],
      projectId: [],
      createdAt: [],
    },
  },
  calls: { create: ["searchSites", "createSite"], adopt: ["getSite"], update: [], delete: [] },
  leaves: "in place",
  inPreview: { becomes: "base's", root: (api, id) => rootOf(api, id) },
  limits: [
    {
      api: "The API can't change or delete a site.",
      landform:
        "If the name, description or project changes, the preview fails and says why (`replaceOnChange: true` makes a new site). A removed site stays, with a warning.",
    },
    {
      api: "The API would make a second site of the same name.",
      landform:
        "Landform takes over the site of exactly that name (`reuse: false` forbids this). If there are two of that name, the error names both ids.",
    },
  ],
  exporting: { hidden: { text: "A site's description is not shown by the API." }, nameIsUnique: true },
  plan: {
    refusal:
      "the API can't change a site. Restore the old value, change it in the app, leave it out with ignoreChanges, or set replaceOnChange: true to make a new site (the old one stays in the account)",
    foresee: async (api, { op, declared }) => {
      const name = declared("name");
      const isById = typeof declared("adoptId") === "string";
      if ((op !== "create" && op !== "replace") || typeof name !== "string" || isById) return [];
      const refused = refusalOfReuse(name, await plannedNamed(api, name), declared("reuse"));
      return refused === undefined ? [] : [{ text: refused, at: ["name"] }];
    },
    takesOver: async (api, { name }) => {
      const [only, second] = await plannedNamed(api, name);
      return only && second === undefined ? [{ id: only.id, project: only.project_id }] : [];
    },
    claims: ({ name, adoptId }) =>
      typeof name === "string" && name !== UNKNOWN && adoptId === undefined
        ? [{ kind: "site", thing: name, path: ["name"], what: `the site "${name}"` }]
        : [],
    letsPass: async ({ api }, field, { projectId }) =>
      field === "projectId" && typeof projectId === "string" && !(await orGone(api.projects.read(projectId))),
  },
  life: {
    reuse: async (run, inputs, name) => {
      const twins = await sitesNamed(run.api, name);
      const [only] = twins;
      if (!only) return undefined;
      const refused = refusalOfReuse(name, twins, inputs.reuse);
      if (refused !== undefined) throw new AdoptionError(refused);
      const { projectId } = inputs;
      if (projectId !== undefined && only.project_id !== null && only.project_id !== projectId) {
        const text = `Site "${name}" (${only.id}) belongs to project ${only.project_id}, not ${projectId}; the API can't move it.`;
        run.warn({ code: "of-kind", kind: "site", id: only.id, topic: "other-project", text });
      }
      return { id: only.id, answer: answerOf(only), sent: ["name", "description", "projectId"] };
    },
    refind: async (run, _inputs, name) => {
      const [found] = await sitesNamed(run.api, name);
      return found && { id: found.id, answer: answerOf(found), sent: ["name", "description", "projectId"] };
    },
  },
  create: async ({ api, siteAddresses }, inputs, name) => {
    const record = await api.sites.create({ name, description: inputs.description, project_id: inputs.projectId });
    if (record.url) siteAddresses.set(record.id, record.url.replace(/\/*$/, "/"));
    const answer = camelKeys({ ...record, name: record.name ?? name });
    return { id: record.id, answer, sent: ["name", "description", "projectId"] };
  },
  read: async (run, id, old) => {
    const record = await run.row(sites, id, old);
    // Only the answer to the creation carries the URL; the host stands in for it elsewhere.
    return record && { ...answerOf(record), ...(old.answer["url"] && { url: old.answer["url"] }) };
  },
  apply: ({ run, id, now, changed, object }) => {
    const { projectId } = object.answer;
    if (changed.has("projectId") && now.projectId !== undefined && now.projectId !== projectId) {
      const text = `Site ${id} stays with project ${typeof projectId === "string" ? projectId : "(none)"}, which is gone: the API can't move it. Attach it to ${now.projectId} in the app.`;
      run.warn({ code: "of-kind", kind: "site", id, topic: "other-project", text });
    }
    return Promise.resolve();
  },
  delete: (run, id, old) => {
    const name = typeof old.answer["name"] === "string" ? ` "${old.answer["name"]}"` : "";
    const text = `Site${name} (${id}) stays in the account: the API can't delete sites. Remove it in the app if you don't want it.`;
    run.warn({ code: "stays", kind: "site", id, text });
    return Promise.resolve();
  },
});

async function sitesNamed(api: LandformApi, name: string): Promise<Site[]> {
  // A search may stop at others with similar names.
  const [found, listed] = await Promise.all([
    api.sites.search({ query: name, limit: 100 }),
    collect(api.sites.iterate({ query: name })),
  ]);
  const all = new Map([...found, ...listed].map((row) => [row.id, row]));
  return [...all.values()].filter((row) => isNamed(row, name));
}

/** Several questions of a plan are about one name. */
function plannedNamed(api: LandformApi, name: string): Promise<Site[]> {
  return api.once(`sites named ${name}`, () => sitesNamed(api, name));
}

function isNamed(row: Site, name: string): boolean {
  const wanted = name.trim().toLowerCase();
  return [row.name, row.site_name].some((candidate) => candidate?.trim().toLowerCase() === wanted);
}

/** Returns the reason why none of the sites of that name can be taken over; undefined if there is none, or one that may be. */
function refusalOfReuse(name: string, [only, ...others]: readonly Site[], reuse: unknown): string | undefined {
  if (only === undefined) return undefined;
  if (others.length > 0) {
    const ids = [only, ...others].map(({ id }) => id).join(" and ");
    return `There are ${others.length + 1} sites named "${name}" (${ids}), so Landform can't tell which one you mean. Set adoptId to one of these ids.`;
  }
  if (reuse !== false) return undefined;
  return `Site "${name}" exists already (${only.id}), and reuse: false forbids taking it over. Choose another name, or remove reuse: false.`;
}

function answerOf(record: Site): ReturnType<typeof camelKeys> {
  const host = record.domain ?? record.custom_domain ?? record.atomic_domain;
  return { ...camelKeys(record), url: host === null ? null : `https://${host}` };
}
