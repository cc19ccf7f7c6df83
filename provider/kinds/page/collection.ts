/** Where pages are listed, quizzes among them. */
import { z } from "zod";
import type { Page } from "../../api/index.ts";
import { defineCollection, MOST, ofId } from "../../definition/collection.ts";
import type { Calls } from "../../definition/define.ts";
import { objectKey, type ObjectKey } from "../../definition/references.ts";

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
