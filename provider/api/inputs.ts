/** The inputs of operations: bodies and queries, as schema/api.yaml describes them. A property left undefined is not sent. */
import { eventTypes } from "./generated/fields.ts";
import type { operations } from "./generated/types.ts";
import type { OperationName } from "./operations.ts";

/** An operation that takes neither has no type of its own. */
type Taking<Name extends OperationName> = Name extends keyof operations ? operations[Name] : unknown;

export type Body<Name extends OperationName> =
  Taking<Name> extends {
    readonly requestBody: { readonly content: { readonly "application/json": infer Taken } };
  }
    ? Taken
    : never;

export type Query<Name extends OperationName> =
  Taking<Name> extends {
    readonly parameters: { readonly query?: infer Taken };
  }
    ? NonNullable<Taken>
    : never;

/** The filters of a list. */
type Filter<Name extends OperationName> = Omit<Query<Name>, "limit" | "page" | "skip">;

export type ProjectCreate = Body<"createProject">;
export type ProjectUpdate = Body<"updateProject">;
export type SiteCreate = Body<"createSite">;
export type PageCreate = Body<"createPage">;
export type FromTemplate = Body<"createPageFromTemplate">;
export type PageDuplicateInput = Body<"duplicatePage">;
/** At least one of the optional fields must be there. */
export type PageMetadataInput = Body<"updatePageMetadata">;
export type PageContentInput = Body<"updatePageContent">;
export type PageVariablesInput = Body<"replacePageVariables">;
/** An empty slug is the root of the site. */
export type PagePublishInput = Body<"publishPage">;
export type PageDelayInput = Body<"setPageDelay">;
export type BuilderNodeInput = Body<"updateBuilderNode">;
export type BuilderNodeReplaceInput = Body<"replaceBuilderNode">;
export type QuizCreate = Body<"createQuiz">;
export type FunnelCreate = Body<"createFunnel">;
/** `pages` replaces the whole list of steps. */
export type FunnelUpdate = Body<"updateFunnel">;
export type FunnelStep = NonNullable<FunnelUpdate["pages"]>[number];
export type VideoUpdate = Body<"updateVideo">;
export type ProductCreate = Body<"createProduct"> & { readonly name: string };
export type ProductUpdate = Body<"updateProduct">;
export type HookCreate = Body<"createHook">;

export { eventTypes };
export type EventType = (typeof eventTypes)[number];

export type SiteFilter = Filter<"listSites">;
export type PageFilter = Filter<"listPages">;
export type QuizFilter = Filter<"listQuizzes">;
export type ProductFilter = Filter<"listProducts">;
export type FunnelFilter = Filter<"listFunnels">;

export type ProjectList = Query<"listProjects">;
export type SiteList = Query<"listSites">;
export type PageList = Query<"listPages">;
export type QuizList = Query<"listQuizzes">;
export type ProductList = Query<"listProducts">;
export type FunnelList = Query<"listFunnels">;
export type VideoList = Query<"listVideos">;

export type ProjectSearch = Query<"searchProjects">;
export type SiteSearch = Query<"searchSites">;
export type PageSearch = Query<"searchPages">;
export type TemplateSearch = Query<"listTemplates">;
export type FunnelSearch = Query<"searchFunnels">;
export type VideoSearch = Query<"searchVideos">;
export type ProductSearch = Query<"searchProducts">;
/** 50 leads come at most. */
export type LeadSearch = Query<"searchLeads">;
