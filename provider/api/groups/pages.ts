import { z } from "zod";
import type { Call } from "../caller.ts";
import { MissingOperationError } from "../errors.ts";
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
import { pageSize, type IterateOptions, type Pager } from "../paging.ts";
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
  type Page,
} from "../records.ts";

const pages = z.array(page);

export function pagesGroup(call: Call, pager: Pager) {
  const list = (query?: PageList) => call("listPages", pages, { query: { ...query } });
  const iterate = (filter?: PageFilter, options?: IterateOptions) =>
    pager.pages("listPages", (paging) => list({ ...filter, ...paging }), options);

  /** The specification shows no path of the search: of a service that has none, the list tells the same. */
  async function search(query: PageSearch): Promise<Page[]> {
    try {
      return await call("searchPages", pages, { query: { ...query } });
    } catch (error) {
      if (!(error instanceof MissingOperationError)) throw error;
    }
    const found: Page[] = [];
    for await (const row of iterate()) {
      if (isSearched(row, query)) found.push(row);
      if (found.length >= (query.limit ?? pageSize)) break;
    }
    return found;
  }

  return {
    list,
    iterate,
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
    search,
  };
}

/** What the search of the specification looks at. A row's title is not shown. */
function isSearched({ id, name, page_name, domain, slug }: Page, { page_id, query = "" }: PageSearch): boolean {
  const wanted = query.toLowerCase();
  const texts = [name, page_name, domain, slug].map((text) => (text ?? "").toLowerCase());
  return (page_id === undefined || page_id === id) && texts.some((text) => text.includes(wanted));
}
