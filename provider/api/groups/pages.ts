import { z } from "zod";
import type { Call } from "../caller.ts";
import type {
  FromTemplate,
  PageContentInput,
  PageCreate,
  PageDuplicateInput,
  PageFilter,
  PageList,
  PageMetadataInput,
  PagePublishInput,
  PageSearch,
  PageVariablesInput,
} from "../inputs.ts";
import type { IterateOptions, Pager } from "../paging.ts";
import {
  deleted,
  page,
  pageContent,
  pageDuplicate,
  pageFromTemplate,
  pageMetadata,
  pagePublished,
  pageValidation,
  pageVariables,
} from "../records.ts";

const pages = z.array(page);

export function pagesGroup(call: Call, pager: Pager) {
  const list = (query?: PageList) => call("listPages", pages, { query: { ...query } });
  return {
    list,
    iterate: (filter?: PageFilter, options?: IterateOptions) =>
      pager.pages("listPages", (paging) => list({ ...filter, ...paging }), options),
    create: (body: PageCreate) => call("createPage", page, { body }),
    createFromTemplate: (body: FromTemplate) => call("createPageFromTemplate", pageFromTemplate, { body }),
    duplicate: (body: PageDuplicateInput) => call("duplicatePage", pageDuplicate, { body }),
    updateMetadata: (body: PageMetadataInput) => call("updatePageMetadata", pageMetadata, { body }),
    updateContent: (body: PageContentInput) => call("updatePageContent", pageContent, { body }),
    /** The counts are of the last attempt: 0 when an answer was lost and the call repeated. */
    replaceVariables: (body: PageVariablesInput) => call("replacePageVariables", pageVariables, { body }),
    validate: (pageId: string) => call("validatePage", pageValidation, { body: { page_id: pageId } }),
    publish: (body: PagePublishInput) => call("publishPage", pagePublished, { body }),
    /** Also reads drafts that lists do not show yet. */
    read: (pageId: string) => call("getPage", page, { ids: { pageId } }),
    delete: (pageId: string) => call("deletePage", deleted, { ids: { pageId } }),
    search: (query: PageSearch) => call("searchPages", pages, { query: { ...query } }),
  };
}
