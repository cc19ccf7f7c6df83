/** The lists of pages, quizzes among them. */
import { z } from "zod";
import type { LandformApi, Page, Quiz } from "../../../api/index.ts";
import { defineCollection, MOST, ofId } from "../../../definition/collection.ts";
import type { Calls } from "../../../definition/define.ts";
import { objectKey, type ObjectKey } from "../../../ledger/identity.ts";

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

/** Fails as a read does. Landform knows quizzes by their pages: an id that is a page's and another quiz's own id means the page. */
export async function quizBy(api: LandformApi, id: string): Promise<Quiz> {
  const row = await api.quizzes.read(id);
  if (row.page_id === id || row.page_id === null) return row;
  return (await quizOn(api, id)) ?? row;
}

export async function findQuiz(api: LandformApi, id: string): Promise<Quiz | undefined> {
  return (await quizOn(api, id)) ?? ofId(api.quizzes.search({ quiz_id: id }), id);
}

async function quizOn(api: LandformApi, pageId: string): Promise<Quiz | undefined> {
  return (await api.quizzes.search({ page_id: pageId })).find((row) => row.page_id === pageId);
}
