/**
 * The endpoint tables of the service's prose specification, transcribed by hand and independently of schema/api.yaml.
 *
 * One row an operation. `query` and the inputs in records.ts share a notation: fields are separated by ";", a field is
 * `name type`, `!` after the name marks it as required, `=value` gives the default and `[min..max]` the range.
 */

export interface OperationRow {
  readonly id: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the base address. */
  readonly path: string;
  /** False if the specification doesn't show where the operation is. */
  readonly pathShown: boolean;
  /** The key needs any one of these. */
  readonly scopes: readonly string[];
  readonly query: string;
  readonly body?: string;
  /** A record of records.ts, or an array of it. */
  readonly result: string;
}

const limit = "limit integer [1..100] =50";
const page = "page integer [0..] =0";
const skip = "skip integer [0..] =0";
const inProject = "project_id string";
const query = "query string";
const productType = "type simple|bundle";
const templateFilters = `${limit}; ${query}; category string; type string =page; template_id string`;
const quizFilters = `${limit}; ${page}; ${query}; page_id string; quiz_id string`;

const pageSwitches = "published boolean; is_quiz boolean; has_element string; available_for_funnel boolean";
const pageFilters = `${limit}; ${page}; ${inProject}; site_id string; ${pageSwitches}`;
const leadFilters = `limit integer [1..50] =25; ${query}; type form|quiz; lead_id string; page_id string; email string`;
const hookScopes = "leads:read pages:read products:read funnels:read sites:read projects:read";

type Row = readonly [string, string, string, string, string];

const table: readonly Row[] = [
  // id, method and path ("?" before the path: not shown), scopes, query of a GET or body of another, result
  ["getAccount", "GET /me", "account:read", "", "Account"],
  ["getOpenapi", "GET /openapi.json", "", "", "OpenapiDocument"],

  ["listProjects", "GET /projects", "projects:read", `${limit}; ${page}`, "Project[]"],
  ["createProject", "POST /projects", "projects:write", "ProjectCreate", "Project"],
  ["searchProjects", "GET /search/projects", "projects:read", `${limit}; ${query}; ${inProject}`, "Project[]"],
  ["getProject", "GET /projects/{projectId}", "projects:read", "", "Project"],
  ["deleteProject", "DELETE /projects/{projectId}", "projects:write", "", "Deleted"],
  ["updateProject", "PATCH /projects/{projectId}", "projects:write", "ProjectUpdate", "Project"],

  ["listSites", "GET /sites", "sites:read", `${limit}; ${page}; ${inProject}; ${query}`, "Site[]"],
  ["createSite", "POST /sites", "sites:write", "SiteCreate", "SiteCreated"],
  ["searchSites", "GET /search/sites", "sites:read", `${limit}; ${query}; ${inProject}; site_id string`, "Site[]"],
  ["getSite", "GET /sites/{siteId}", "sites:read", "", "Site"],

  ["listPages", "GET /pages", "pages:read", pageFilters, "Page[]"],
  ["createPage", "POST /pages", "pages:write", "PageCreate", "Page"],
  ["createPageFromTemplate", "POST /pages/from-template", "pages:write", "PageFromTemplate", "TemplatedPage"],
  ["duplicatePage", "POST /pages/duplicate", "pages:write", "PageDuplicate", "PageDuplicateResult"],
  ["updatePageMetadata", "PATCH /pages/metadata", "pages:write", "PageMetadata", "PageMetadataResult"],
  ["updatePageContent", "PATCH /pages/content", "pages:write", "PageContentUpdate", "PageContentResult"],
  ["replacePageVariables", "POST /pages/replace-variables", "pages:write", "PageVariables", "PageVariablesResult"],
  ["validatePage", "POST /pages/validate-before-publish", "pages:read", "PageIdBody", "PageValidation"],
  ["publishPage", "POST /pages/publish", "pages:publish pages:write", "PagePublish", "PagePublishResult"],
  ["getPage", "GET /pages/{pageId}", "pages:read", "", "Page"],
  ["deletePage", "DELETE /pages/{pageId}", "pages:write", "", "Deleted"],
  ["searchPages", "GET ?/search/pages", "pages:read", `${limit}; ${query}; page_id string`, "Page[]"],
  ["listTemplates", "GET /templates", "pages:read", templateFilters, "Template[]"],
  ["searchTemplates", "GET ?/search/templates", "pages:read", templateFilters, "Template[]"],

  [
    "getBuilder",
    "GET /pages/builder",
    "builder:read pages:read",
    "page_id! string; include_tree boolean =true",
    "BuilderSummary",
  ],
  [
    "getBuilderNode",
    "GET /pages/builder/node",
    "builder:read pages:read",
    "page_id! string; node_id! string",
    "BuilderNode",
  ],
  [
    "updateBuilderNode",
    "PATCH /pages/builder/node",
    "builder:write pages:write",
    "BuilderNodeFields",
    "BuilderNodeUpdate",
  ],
  [
    "replaceBuilderNode",
    "PATCH /pages/builder/node/replace",
    "builder:write pages:write",
    "BuilderNodeReplace",
    "BuilderNodeReplaceResult",
  ],
  ["setPageDelay", "PATCH /pages/delay", "pages:write builder:write", "PageDelay", "PageDelayResult"],
  ["getContentMap", "GET /search/page-content-map", "pages:read", "page_id! string", "ContentMap"],

  ["listQuizzes", "GET /quizzes", "pages:read", quizFilters, "Quiz[]"],
  ["createQuiz", "POST /quizzes", "pages:write", "QuizCreate", "QuizPage"],
  ["searchQuizzes", "GET /search/quizzes", "pages:read", quizFilters, "Quiz[]"],
  ["getQuiz", "GET /quizzes/{quizId}", "pages:read", "", "Quiz"],
  ["createQuizFromTemplate", "POST /quizzes/from-template", "pages:write", "PageFromTemplate", "TemplatedQuizPage"],

  ["listFunnels", "GET /funnels", "funnels:read", `${limit}; ${inProject}`, "Funnel[]"],
  ["createFunnel", "POST /funnels", "funnels:write", "FunnelCreate", "Funnel"],
  ["updateFunnel", "PATCH /funnels", "funnels:write", "FunnelUpdate", "Funnel"],
  [
    "searchFunnels",
    "GET /search/funnels",
    "funnels:read",
    `${limit}; ${query}; ${inProject}; funnel_id string`,
    "Funnel[]",
  ],
  ["getFunnel", "GET /funnels/{funnelId}", "funnels:read", "", "Funnel"],

  ["listVideos", "GET /videos", "videos:read", `${limit}; ${skip}`, "Video[]"],
  ["updateVideo", "PATCH /videos", "videos:write", "VideoUpdate", "Video"],
  ["searchVideos", "GET /search/videos", "videos:read", `${limit}; ${query}; video_id string; ${skip}`, "Video[]"],
  ["getVideo", "GET /videos/{videoId}", "videos:read", "", "Video"],

  ["listProducts", "GET /products", "products:read", `${limit}; ${page}; ${inProject}; ${productType}`, "Product[]"],
  ["createProduct", "POST /products", "products:write", "ProductWrite", "Product"],
  ["updateProduct", "PATCH /products", "products:write", "ProductUpdate", "Product"],
  [
    "searchProducts",
    "GET /search/products",
    "products:read",
    `${limit}; ${query}; ${inProject}; ${productType}; product_id string`,
    "Product[]",
  ],
  ["getProduct", "GET ?/products/{productId}", "products:read", "", "Product"],
  ["deleteProduct", "DELETE ?/products/{productId}", "products:write", "", "Deleted"],

  ["searchLeads", "GET /search/leads", "leads:read", leadFilters, "Lead[]"],
  ["getAccountCounts", "GET ?/analytics/counts", "analytics:read", "", "AccountCounts"],

  ["createHook", "POST /hooks", hookScopes, "HookCreate", "HookSubscription"],
  ["deleteHook", "DELETE /hooks/{subscriptionId}", hookScopes, "", "HookDisabled"],
  ["getHookSample", "GET /hooks/sample/{eventType}", hookScopes, "", "Event[]"],
];

export const operations: readonly OperationRow[] = table.map(([id, route, scopes, takes, result]) => {
  const [method, path] = route.split(" ") as [OperationRow["method"], string];
  const given = method === "GET" ? { query: takes } : { query: "", body: takes || undefined };
  const shown = { path: path.replace("?", ""), pathShown: !path.startsWith("?") };
  return { id, method, ...shown, scopes: scopes.split(" ").filter(Boolean), ...given, result };
});

export const scopes = [
  "account:read",
  "projects:read",
  "projects:write",
  "sites:read",
  "sites:write",
  "pages:read",
  "pages:write",
  "pages:publish",
  "builder:read",
  "builder:write",
  "funnels:read",
  "funnels:write",
  "videos:read",
  "videos:write",
  "products:read",
  "products:write",
  "leads:read",
  "analytics:read",
] as const;

export const eventTypes = [
  "form_lead.created",
  "quiz_lead.created",
  "page.created",
  "page.published",
  "product.created",
  "funnel.created",
  "site.created",
  "project.created",
] as const;

/** The errors table. Undefined means that the specification shows no status or no code. */
export const errors: readonly { condition: string; status?: number; code?: string }[] = [
  { condition: "key missing, unknown, expired or revoked", status: 401 },
  { condition: "key lacks the scope, or the address is outside its list", status: 403 },
  { condition: "delete of a project that is still referenced", status: 409, code: "project_in_use" },
  { condition: "delete of a published page that has no site", status: 400 },
  { condition: "malformed request", code: "invalid_request" },
  { condition: "page that does not exist", code: "page_not_found" },
  { condition: "project creation without a paid plan" },
  { condition: "target_url that breaks the webhook URL rules" },
];
