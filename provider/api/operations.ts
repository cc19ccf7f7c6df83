/**
 * The operations of the service: one line each. `effect` says what a repeated call does, and so what may be sent again:
 *
 * - `read` changes nothing (POST /pages/validate-before-publish is one);
 * - `idempotent` may be repeated: the second call leaves what the first one left. Publishing is by content (a repetition
 *   announces page.published once more, no more), replacing variables is one-way but a repetition of the same finds
 *   nothing left to replace (so the counts of a repeated call may be 0), a repeated delete answers "not found";
 * - `create` makes something new on every call, and is never sent again once it may have reached the service.
 *
 * Five operations have no path in the specification: `path` is then what the service's other paths suggest, and
 * discovery.ts asks the service's own /openapi.json first.
 */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";
export type Effect = "read" | "idempotent" | "create";

export interface Operation {
  readonly method: Method;
  /** Below the base URL, with `{name}` for ids. */
  readonly path: string;
  /** Any one of them allows the call; empty: no key needed. */
  readonly scopes: readonly string[];
  readonly effect: Effect;
  /** True when the specification does not show the path. */
  readonly unlisted?: true;
}

const hookScopes = ["leads:read", "pages:read", "products:read", "funnels:read", "sites:read", "projects:read"];
const builderReadScopes = ["builder:read", "pages:read"];
const builderWriteScopes = ["builder:write", "pages:write"];

export const operations = {
  readAccount: read("/me", "account:read"),
  readOpenApi: read("/openapi.json"),

  listProjects: read("/projects", "projects:read"),
  createProject: create("/projects", "projects:write"),
  searchProjects: read("/search/projects", "projects:read"),
  readProject: read("/projects/{projectId}", "projects:read"),
  deleteProject: remove("/projects/{projectId}", "projects:write"),
  updateProject: patch("/projects/{projectId}", "projects:write"),

  listSites: read("/sites", "sites:read"),
  createSite: create("/sites", "sites:write"),
  searchSites: read("/search/sites", "sites:read"),
  readSite: read("/sites/{siteId}", "sites:read"),

  listPages: read("/pages", "pages:read"),
  createPage: create("/pages", "pages:write"),
  createPageFromTemplate: create("/pages/from-template", "pages:write"),
  duplicatePage: create("/pages/duplicate", "pages:write"),
  updatePageMetadata: patch("/pages/metadata", "pages:write"),
  updatePageContent: patch("/pages/content", "pages:write"),
  replacePageVariables: repeatablePost("/pages/replace-variables", "pages:write"),
  validatePage: { method: "POST", path: "/pages/validate-before-publish", scopes: ["pages:read"], effect: "read" },
  publishPage: repeatablePost("/pages/publish", "pages:publish", "pages:write"),
  readPage: read("/pages/{pageId}", "pages:read"),
  deletePage: remove("/pages/{pageId}", "pages:write"),
  searchPages: unlisted(read("/search/pages", "pages:read")),

  listTemplates: read("/templates", "pages:read"),
  searchTemplates: unlisted(read("/search/templates", "pages:read")),

  readBuilder: read("/pages/builder", ...builderReadScopes),
  readBuilderNode: read("/pages/builder/node", ...builderReadScopes),
  updateBuilderNode: patch("/pages/builder/node", ...builderWriteScopes),
  replaceBuilderNode: patch("/pages/builder/node/replace", ...builderWriteScopes),
  updatePageDelay: patch("/pages/delay", "pages:write", "builder:write"),
  readContentMap: read("/search/page-content-map", "pages:read"),

  listQuizzes: read("/quizzes", "pages:read"),
  createQuiz: create("/quizzes", "pages:write"),
  searchQuizzes: read("/search/quizzes", "pages:read"),
  readQuiz: read("/quizzes/{quizId}", "pages:read"),
  createQuizFromTemplate: create("/quizzes/from-template", "pages:write"),

  listFunnels: read("/funnels", "funnels:read"),
  createFunnel: create("/funnels", "funnels:write"),
  updateFunnel: patch("/funnels", "funnels:write"),
  searchFunnels: read("/search/funnels", "funnels:read"),
  readFunnel: read("/funnels/{funnelId}", "funnels:read"),

  listVideos: read("/videos", "videos:read"),
  updateVideo: patch("/videos", "videos:write"),
  searchVideos: read("/search/videos", "videos:read"),
  readVideo: read("/videos/{videoId}", "videos:read"),

  listProducts: read("/products", "products:read"),
  createProduct: create("/products", "products:write"),
  updateProduct: patch("/products", "products:write"),
  searchProducts: read("/search/products", "products:read"),
  readProduct: unlisted(read("/products/{productId}", "products:read")),
  deleteProduct: unlisted(remove("/products/{productId}", "products:write")),

  searchLeads: read("/search/leads", "leads:read"),
  readCounts: unlisted(read("/analytics/counts", "analytics:read")),

  createHook: create("/hooks", ...hookScopes),
  deleteHook: remove("/hooks/{subscriptionId}", ...hookScopes),
  sampleHook: read("/hooks/sample/{eventType}", ...hookScopes),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

function read(path: string, ...scopes: string[]): Operation {
  return { method: "GET", path, scopes, effect: "read" };
}

function create(path: string, ...scopes: string[]): Operation {
  return { method: "POST", path, scopes, effect: "create" };
}

function repeatablePost(path: string, ...scopes: string[]): Operation {
  return { method: "POST", path, scopes, effect: "idempotent" };
}

function patch(path: string, ...scopes: string[]): Operation {
  return { method: "PATCH", path, scopes, effect: "idempotent" };
}

function remove(path: string, ...scopes: string[]): Operation {
  return { method: "DELETE", path, scopes, effect: "idempotent" };
}

function unlisted(operation: Operation): Operation {
  return { ...operation, unlisted: true };
}
