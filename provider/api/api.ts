/** The client: every operation once, under the kind of object that it is about. */
import { z } from "zod";
import { createCall, createSender } from "./calls.ts";
import { type ApiConfig, checkConfig } from "./config.ts";
import { MissingOperationError } from "./errors.ts";
import type * as inputs from "./inputs.ts";
import { type Call, type OperationName, operations } from "./operations.ts";
import { type Capped, createPager, distinct, type IterateOptions, pageSize, type Pager, readCapped } from "./paging.ts";
import { noting, permission, type Permission, type Proven } from "./permission.ts";
import * as records from "./records.ts";

/** All calls of a list together may take as long as this many of the slowest calls. */
export const callsInAList = 10;

/** The ways in which the service takes the input of an operation. */
function waysOf(call: Call) {
  return {
    query:
      <Name extends OperationName, T>(name: Name, answer: z.ZodType<T>) =>
      (asked?: inputs.Query<Name>) =>
        call(name, answer, { query: { ...asked } }),
    body:
      <Name extends OperationName, T>(name: Name, answer: z.ZodType<T>) =>
      (sent: inputs.Body<Name>) =>
        call(name, answer, { body: sent }),
    /** An id is the one parameter of its path. */
    id: <T>(name: OperationName, answer: z.ZodType<T>) => {
      const [, parameter = ""] = /\{(\w+)\}/.exec(operations[name].path) ?? [];
      return (id: string) => call(name, answer, { ids: { [parameter]: id } });
    },
  };
}

function operationsBy(call: Call, pager: Pager, proven: Proven) {
  const { query, body, id } = waysOf(call);
  const list = {
    funnels: query("listFunnels", z.array(records.funnel)),
    pages: query("listPages", z.array(records.page)),
    products: query("listProducts", z.array(records.product)),
    projects: query("listProjects", z.array(records.project)),
    quizzes: query("listQuizzes", z.array(records.quiz)),
    sites: query("listSites", z.array(records.site)),
    templates: query("listTemplates", z.array(records.template)),
    videos: query("listVideos", z.array(records.video)),
  };
  const all =
    <Name extends OperationName, T extends { readonly id: string }>(
      name: Name,
      read: (asked: inputs.Query<Name>) => Promise<T[]>,
    ) =>
    (filter?: inputs.Filter<Name>, options?: IterateOptions) =>
      pager(name, (paging) => read({ ...filter, ...paging } as inputs.Query<Name>), options);
  const everyPage = all("listPages", list.pages);
  const everyProject = (options?: IterateOptions) => pager("listProjects", list.projects, options);
  return {
    account: {
      /** The account that owns the key. */
      me: () => call("getAccount", records.account),
    },
    analytics: { counts: () => call("getAccountCounts", records.counts) },
    builder: {
      read: (pageId: string, options?: { include_tree?: boolean }) =>
        call("getBuilder", records.builderSummary, {
          query: { page_id: pageId, include_tree: options?.include_tree },
        }),
      readNode: (pageId: string, nodeId: string) =>
        call("getBuilderNode", records.builderNode, { query: { page_id: pageId, node_id: nodeId } }),
      /** Patches `misc` and `style`. Keys that they don't name stay. */
      updateNode: body("updateBuilderNode", records.builderNodeUpdate),
      replaceNode: body("replaceBuilderNode", records.builderNodeReplace),
      setDelay: body("setPageDelay", records.pageDelay),
      contentMap: (pageId: string) => call("getContentMap", records.contentMap, { query: { page_id: pageId } }),
    },
    funnels: {
      list: list.funnels,
      listAll: (filter?: inputs.Filter<"listFunnels">) => allFunnels(list.funnels, everyProject, filter),
      create: body("createFunnel", records.funnel),
      update: body("updateFunnel", records.funnel),
      search: query("searchFunnels", z.array(records.funnel)),
      read: id("getFunnel", records.funnel),
    },
    hooks: {
      /** The target URL is a secret: the service never returns it, and no message of ours repeats it. */
      create: (sent: inputs.HookCreate) =>
        call("createHook", records.hookSubscription, { body: sent, secrets: [sent.target_url] }),
      /** Deliveries stop; the subscription stays, inactive. */
      delete: id("deleteHook", records.deleted),
      /** Returns an example of an event, in an array of one. */
      sample: (eventType: inputs.EventType) => call("getHookSample", records.hookSample, { ids: { eventType } }),
    },
    leads: {
      /** Returns at most 50 leads. There is no way to ask for the next ones. */
      search: query("searchLeads", z.array(records.lead)),
    },
    pages: {
      list: list.pages,
      iterate: everyPage,
      create: body("createPage", records.page),
      createFromTemplate: body("createPageFromTemplate", records.pageFromTemplate),
      duplicate: body("duplicatePage", records.pageDuplicate),
      updateMetadata: body("updatePageMetadata", records.pageMetadata),
      updateContent: body("updatePageContent", records.pageContent),
      /** The counts are of the last attempt: 0 when an answer was lost and the call repeated. */
      replaceVariables: body("replacePageVariables", records.pageVariables),
      validate: (pageId: string) => call("validatePage", records.pageValidation, { body: { page_id: pageId } }),
      publish: body("publishPage", records.pagePublished),
      /** Also reads drafts that lists do not show yet. */
      read: id("getPage", records.page),
      delete: id("deletePage", records.deleted),
      search: (asked: inputs.PageSearch) =>
        searchedPages(() => call("searchPages", z.array(records.page), { query: { ...asked } }), everyPage, asked),
    },
    products: {
      list: list.products,
      iterate: all("listProducts", list.products),
      create: (sent: inputs.ProductCreate) => call("createProduct", records.product, { body: sent }),
      update: body("updateProduct", records.product),
      search: query("searchProducts", z.array(records.product)),
      read: id("getProduct", records.product),
      delete: id("deleteProduct", records.deleted),
    },
    projects: {
      list: list.projects,
      iterate: everyProject,
      create: body("createProject", records.project),
      search: query("searchProjects", z.array(records.project)),
      read: id("getProject", records.project),
      /** Refused with a ConflictError (`project_in_use`) while a page, product, site or funnel is in the project. */
      delete: id("deleteProject", records.deleted),
      update: (projectId: string, sent: inputs.ProjectUpdate) =>
        call("updateProject", records.project, { ids: { projectId }, body: sent }),
    },
    quizzes: {
      list: list.quizzes,
      iterate: all("listQuizzes", list.quizzes),
      create: body("createQuiz", records.quizPage),
      search: query("searchQuizzes", z.array(records.quiz)),
      /** Takes the id of a quiz, or of a page that is one. */
      read: id("getQuiz", records.quiz),
      createFromTemplate: body("createQuizFromTemplate", records.quizPage),
    },
    sites: {
      list: list.sites,
      iterate: all("listSites", list.sites),
      create: body("createSite", records.siteCreated),
      search: query("searchSites", z.array(records.site)),
      read: id("getSite", records.site),
    },
    templates: {
      list: list.templates,
      /** Returns at most 100 templates, since the list takes no page. `complete` says if that was all. */
      listAll: (filter?: Omit<inputs.TemplateSearch, "limit">) =>
        readCapped((paging) => list.templates({ ...filter, ...paging })),
      search: query("searchTemplates", z.array(records.template)),
    },
    videos: {
      list: list.videos,
      iterate: (options?: IterateOptions) =>
        pager("listVideos", ({ limit, page }) => list.videos({ limit, skip: page * limit }), options),
      update: body("updateVideo", records.video),
      search: query("searchVideos", z.array(records.video)),
      read: id("getVideo", records.video),
    },
    /** The service's own description of itself; sent without the key. */
    openapi: () => call("getOpenapi", z.record(z.string(), z.unknown())),
    /** Tells if the key has one of these scopes. The question changes nothing in the account. */
    permission: (scopes: readonly string[]): Promise<Permission> => permission(call, scopes, proven),
  };
}

type Operations = ReturnType<typeof operationsBy>;

/**
 * The list takes no page, and at most 100 come. If 100 come, this adds the lists of the single projects. `complete` is then false: a funnel
 * of no project, or of a project with a hundred others, may still be missing.
 */
async function allFunnels(
  list: (asked: inputs.Query<"listFunnels">) => Promise<records.Funnel[]>,
  projects: () => AsyncIterable<records.Project>,
  filter: inputs.Filter<"listFunnels"> = {},
): Promise<Capped<records.Funnel>> {
  const first = await readCapped((paging) => list({ ...filter, ...paging }));
  if (first.complete || filter.project_id !== undefined) return first;
  const found = [...first.records];
  for await (const { id } of projects()) {
    const ofProject = await readCapped((paging) => list({ project_id: id, ...paging }));
    found.push(...ofProject.records);
  }
  return { records: distinct(found), complete: false };
}

/** The specification shows no path for the search. If a service has none, its list tells the same. */
async function searchedPages(
  search: () => Promise<records.Page[]>,
  all: () => AsyncIterable<records.Page>,
  asked: inputs.PageSearch,
): Promise<records.Page[]> {
  try {
    return await search();
  } catch (error) {
    if (!(error instanceof MissingOperationError)) throw error;
  }
  const found: records.Page[] = [];
  for await (const row of all()) {
    if (isSearched(row, asked)) found.push(row);
    if (found.length >= (asked.limit ?? pageSize)) break;
  }
  return found;
}

/** Tells if the search of the specification finds this page. A row doesn't show its title. */
function isSearched({ id, name, page_name, domain, slug }: records.Page, asked: inputs.PageSearch): boolean {
  const { page_id, query = "" } = asked;
  const wanted = query.toLowerCase();
  const texts = [name, page_name, domain, slug].map((text) => (text ?? "").toLowerCase());
  return (page_id === undefined || page_id === id) && texts.some((text) => text.includes(wanted));
}

class Client {
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(by: Operations) {
    Object.assign(this, by);
  }

  /** Asks each question once. For a client that lives no longer than its questions, such as the client of a plan. */
  once<Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const answer = (this.#asked.get(question) as Promise<Answer> | undefined) ?? ask();
    this.#asked.set(question, answer);
    return answer;
  }
}

const WithOperations = Client as new (by: Operations) => Client & Operations;

export class LandformApi extends WithOperations {
  /** The variable to set where another key is needed. */
  readonly keyVariable: string;
  /** Waits for the calls under way and closes the connections. */
  readonly close: () => Promise<void>;

  /** `layer` wraps every call. */
  constructor(config: ApiConfig, layer: (call: Call) => Call = (call) => call) {
    const checked = checkConfig(config);
    const sender = createSender(checked);
    const proven: Proven = new Set();
    const call = layer(noting(createCall(checked, sender), proven));
    const pager = createPager(callsInAList * checked.timeoutMs);
    super(operationsBy(call, pager, proven));
    this.keyVariable = checked.apiKey.variable;
    this.close = sender.close;
  }
}
