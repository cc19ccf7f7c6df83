import type { LandformApi, Page } from "../api/index.ts";
import { ContentFields } from "../resources/pages/content-map.ts";
import type { Json } from "../json.ts";
import { collect, findOne, shown, wired, type Limit, type One, type Shown } from "./find.ts";

export interface PageQuery extends Limit {
  readonly projectId?: string;
  /** Pages on this site. */
  readonly siteId?: string;
  /** True: published ones; false: drafts. */
  readonly published?: boolean;
  /** True: quizzes only. */
  readonly isQuiz?: boolean;
  /** Pages whose builder contains this type of element. */
  readonly hasElement?: string;
  /** True: without pages that a funnel uses already. */
  readonly availableForFunnel?: boolean;
}

export interface ContentMapResult {
  readonly pageId: string;
  /** Content keys with their values; null where the service shows none. */
  readonly content: Readonly<Record<string, Json>>;
  /** Placeholders that have no value yet. */
  readonly variables: readonly string[];
  readonly readyForVariableReplacement: boolean;
}

/** One page, by its id or its name (without the site that the service appends). */
export async function getPage(api: LandformApi, wanted: One): Promise<Shown<Page>> {
  const record = await findOne(
    {
      what: "page",
      nameOf: (page) => page.page_name,
      read: api.pages.read,
      search: (query) => api.pages.search({ query, limit: 100 }),
      all: () => api.pages.iterate(),
    },
    wanted,
  );
  return shown(record);
}

export async function listPages(api: LandformApi, { limit, ...filter }: PageQuery = {}): Promise<Shown<Page>[]> {
  return (await collect(api.pages.iterate(wired(filter), { limit }))).map(shown);
}

/** What can be edited on a page: the keys that `content` of a page takes. */
export async function getContentMap(
  api: LandformApi,
  { pageId }: { readonly pageId: string },
): Promise<ContentMapResult> {
  const map = await api.builder.contentMap(pageId);
  const fields = new ContentFields(map.fields);
  return {
    pageId,
    content: Object.fromEntries(fields.keys().map((key) => [key, fields.value(key) ?? null])),
    variables: map.variables,
    readyForVariableReplacement: map.ready_for_variable_replacement,
  };
}
