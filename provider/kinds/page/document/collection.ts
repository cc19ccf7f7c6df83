/** The lists of pages, quizzes among them, and of the templates that they are made from. */
import { z } from "zod";
import type { LandformApi, Page, Quiz, Template } from "../../../api/index.ts";
import { defineCollection, LookupError, MOST, ofId, recordsOf } from "../../../definition/collection.ts";
import type { Calls } from "../../../definition/define.ts";
import { objectKey, type ObjectKey } from "../../../ledger/identity.ts";
import { insteadOf } from "../../../values/nearest.ts";

export const pages = defineCollection({
  what: "page",
  plural: "pages",
  doc: "One page, by its id or its name (without the site that the service appends).",
  calls: { list: "listPages", search: "searchPages", read: "getPage" },
  filters: z.object({
    projectId: z.string().optional(),
    siteId: z.string().optional().describe("Pages on this site."),
    published: z.boolean().optional().describe("True: published ones; false: drafts."),
    isQuiz: z.boolean().optional().describe("True: quizzes only."),
    hasElement: z.string().optional().describe("Pages whose builder contains this type of element."),
    availableForFunnel: z.boolean().optional().describe("True: without pages that a funnel uses already."),
  }),
  nameOf: ({ page_name }: Page) => page_name,
  read: (api, id) => api.pages.read(id),
  find: (api, id) => ofId(api.pages.search({ page_id: id }), id),
  search: (api, query) => api.pages.search({ query, limit: MOST }),
  all: (api, filter, options) => api.pages.iterate(filter, options),
  listPage: (api, paging) => api.pages.list(paging),
});

/** A page, or a quiz by its page. */
export const pageKey = (id: string): ObjectKey => objectKey({ kind: pages.what }, id);

export const pageCalls: Calls = {
  create: ["searchPages", "createPage", "updatePageMetadata"],
  adopt: ["getPage", "updatePageMetadata"],
  update: ["getPage", "updatePageMetadata"],
  delete: ["getPage", "deletePage"],
  publish: ["validatePage", "publishPage"],
};

export const templates = defineCollection({
  what: "template",
  plural: "templates",
  calls: { list: "listTemplates", search: "listTemplates" },
  filters: z.object({
    query: z.string().optional().describe("Text in the name and related fields."),
    category: z.string().optional(),
    type: z.string().optional().describe("The service's default is page."),
  }),
  nameOf: ({ name }: Template) => name,
  read: readTemplate,
  search: (api, query) => ofEveryType((type) => api.templates.list({ query, type, limit: MOST })),
  all: (api, filter, { limit } = {}) =>
    recordsOf(api.templates.listAll(filter).then(({ records }) => records.slice(0, limit))),
  everything: (api) => recordsOf(everyTemplate(api)),
});

/** No operation reads one template: the list takes an exact id. */
async function readTemplate(api: LandformApi, id: string): Promise<Template> {
  const found = await ofEveryType((type) => api.templates.list({ template_id: id, type }));
  const record = found.find((row) => row.id === id);
  if (record) return record;
  const known = await everyTemplate(api);
  const ids = known.map((row) => row.id);
  throw new LookupError(`There is no template "${id}" (GET /templates)${insteadOf(id, ids, "There are")}`);
}

/** Returns the templates of pages and those of quizzes. */
export function everyTemplate(
  api: LandformApi,
  filter: { readonly query?: string; readonly category?: string } = {},
): Promise<Template[]> {
  return ofEveryType(async (type) => (await api.templates.listAll({ ...filter, type })).records);
}

/**
 * The list returns templates of pages unless a type is given. The specification doesn't say what the type of a quiz's template is called
 * (2026-11-21), so this asks for the obvious word, too.
 */
async function ofEveryType(read: (type: string | undefined) => Promise<Template[]>): Promise<Template[]> {
  const [forPages, forQuizzes] = await Promise.all([read(undefined), read("quiz")]);
  return [...new Map([...forPages, ...forQuizzes].map((row) => [row.id, row])).values()];
}

/** Fails as a read does. Landform knows quizzes by their pages: an id that is a page's and another quiz's own id means the page. */
export async function quizBy(api: LandformApi, id: string): Promise<Quiz> {
  const row = await api.quizzes.read(id);
  if (row.page_id === id || row.page_id === null) return row;
  return (await quizOn(api, id)) ?? row;
}

/** Returns the quiz as a search shows it. */
export async function findQuiz(api: LandformApi, id: string): Promise<Quiz | undefined> {
  return (await quizOn(api, id)) ?? ofId(api.quizzes.search({ quiz_id: id }), id);
}

async function quizOn(api: LandformApi, pageId: string): Promise<Quiz | undefined> {
  return (await api.quizzes.search({ page_id: pageId })).find((row) => row.page_id === pageId);
}
