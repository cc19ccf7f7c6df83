/** Generated from schema/api.yaml by "npm run generate". */
export interface paths {
  readonly "/me": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read the account that owns the key */
    readonly get: operations["getAccount"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/openapi.json": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the OpenAPI 3.0 document of this API
     * @description The only operation that needs no key.
     */
    readonly get: operations["getOpenapi"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/projects": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List projects */
    readonly get: operations["listProjects"];
    readonly put?: never;
    /**
     * Create a project
     * @description A paid plan is required.
     */
    readonly post: operations["createProject"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/search/projects": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Search projects
     * @description Always answers an array.
     */
    readonly get: operations["searchProjects"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/projects/{projectId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Project id */
        readonly projectId: components["parameters"]["ProjectId"];
      };
      readonly cookie?: never;
    };
    /** Read a project */
    readonly get: operations["getProject"];
    readonly put?: never;
    readonly post?: never;
    /**
     * Delete a project
     * @description Deletes only when no page, product, site or funnel references the project.
     */
    readonly delete: operations["deleteProject"];
    readonly options?: never;
    readonly head?: never;
    /**
     * Update a project
     * @description Send only the fields to change.
     */
    readonly patch: operations["updateProject"];
    readonly trace?: never;
  };
  readonly "/sites": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List sites */
    readonly get: operations["listSites"];
    readonly put?: never;
    /**
     * Create a hosting site
     * @description Answers the domain which the service gave it, with DNS instructions for a custom domain when available.
     */
    readonly post: operations["createSite"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/search/sites": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Search sites */
    readonly get: operations["searchSites"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/sites/{siteId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read a site */
    readonly get: operations["getSite"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List pages */
    readonly get: operations["listPages"];
    readonly put?: never;
    /**
     * Create a blank page
     * @description The page is a draft without a site.
     */
    readonly post: operations["createPage"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/from-template": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Create a page from a template
     * @description The page is a draft; it has a site when one was given.
     */
    readonly post: operations["createPageFromTemplate"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/duplicate": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Copy a page */
    readonly post: operations["duplicatePage"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/metadata": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Update a page's name, project, tags or product label */
    readonly patch: operations["updatePageMetadata"];
    readonly trace?: never;
  };
  readonly "/pages/content": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Update editable content
     * @description Keys come from the content map. Unknown keys are returned in `missing` and are not applied.
     */
    readonly patch: operations["updatePageContent"];
    readonly trace?: never;
  };
  readonly "/pages/replace-variables": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Replace {{name}} placeholders */
    readonly post: operations["replacePageVariables"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/validate-before-publish": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Check whether a page is ready to publish
     * @description Not ready when the page has no sections or still contains template variables.
     */
    readonly post: operations["validatePage"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/publish": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Publish a page on a site
     * @description An empty slug publishes at the root. The page gets url, domain, slug and published_at.
     */
    readonly post: operations["publishPage"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/search/pages": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Search pages
     * @description `query` matches name, title, domain and slug.
     */
    readonly get: operations["searchPages"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/{pageId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Page id */
        readonly pageId: components["parameters"]["PageId"];
      };
      readonly cookie?: never;
    };
    /**
     * Read a page
     * @description Also reads drafts that lists do not show yet.
     */
    readonly get: operations["getPage"];
    readonly put?: never;
    readonly post?: never;
    /**
     * Delete a page
     * @description A draft without a site is removed directly; a page with a site is removed through the site; a published page without a site is refused with 400.
     */
    readonly delete: operations["deletePage"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/templates": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List templates */
    readonly get: operations["listTemplates"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/search/templates": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Search templates
     * @description The same filters and response as listTemplates.
     */
    readonly get: operations["searchTemplates"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/builder": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read a page's builder */
    readonly get: operations["getBuilder"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/pages/builder/node": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read one node */
    readonly get: operations["getBuilderNode"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Patch a node's misc and style
     * @description Patches the `misc` and `style` objects; does not replace the node.
     */
    readonly patch: operations["updateBuilderNode"];
    readonly trace?: never;
  };
  readonly "/pages/builder/node/replace": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Replace a node */
    readonly patch: operations["replaceBuilderNode"];
    readonly trace?: never;
  };
  readonly "/pages/delay": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Set the reveal delay of a page */
    readonly patch: operations["setPageDelay"];
    readonly trace?: never;
  };
  readonly "/search/page-content-map": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a page's editable fields and variables
     * @description Field keys are used with updatePageContent.
     */
    readonly get: operations["getContentMap"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/quizzes": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List quizzes */
    readonly get: operations["listQuizzes"];
    readonly put?: never;
    /**
     * Create a quiz page
     * @description The id of the answer is the page id; lists return the quiz id, which can differ.
     */
    readonly post: operations["createQuiz"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/search/quizzes": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Search quizzes
     * @description The same filters and response as listQuizzes.
     */
    readonly get: operations["searchQuizzes"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/quizzes/from-template": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Create a quiz page from a template */
    readonly post: operations["createQuizFromTemplate"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/quizzes/{quizId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a quiz
     * @description Takes a quiz id (qid) or the id of a page marked as a quiz.
     */
    readonly get: operations["getQuiz"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/funnels": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List funnels */
    readonly get: operations["listFunnels"];
    readonly put?: never;
    /** Create a funnel */
    readonly post: operations["createFunnel"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Update a funnel
     * @description When `pages` is sent it replaces the step list.
     */
    readonly patch: operations["updateFunnel"];
    readonly trace?: never;
  };
  readonly "/search/funnels": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Search funnels */
    readonly get: operations["searchFunnels"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/funnels/{funnelId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read a funnel */
    readonly get: operations["getFunnel"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/videos": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List videos
     * @description A video uploaded in the app shows up here; there is no upload event.
     */
    readonly get: operations["listVideos"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Update a video's player settings
     * @description Send only the settings to change.
     */
    readonly patch: operations["updateVideo"];
    readonly trace?: never;
  };
  readonly "/search/videos": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Search videos */
    readonly get: operations["searchVideos"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/videos/{videoId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Read a video */
    readonly get: operations["getVideo"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/products": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List products */
    readonly get: operations["listProducts"];
    readonly put?: never;
    /**
     * Create a product
     * @description A bundle requires bundle_items_json.
     */
    readonly post: operations["createProduct"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /** Update a product */
    readonly patch: operations["updateProduct"];
    readonly trace?: never;
  };
  readonly "/search/products": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Search products */
    readonly get: operations["searchProducts"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/products/{productId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Product id */
        readonly productId: components["parameters"]["ProductId"];
      };
      readonly cookie?: never;
    };
    /** Read a product */
    readonly get: operations["getProduct"];
    readonly put?: never;
    readonly post?: never;
    /** Delete a product */
    readonly delete: operations["deleteProduct"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/search/leads": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Search leads */
    readonly get: operations["searchLeads"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/analytics/counts": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Count the records of the account */
    readonly get: operations["getAccountCounts"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/hooks": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Subscribe to an event */
    readonly post: operations["createHook"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/hooks/{subscriptionId}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Disable a subscription
     * @description Marks the subscription inactive; deliveries stop.
     */
    readonly delete: operations["deleteHook"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/hooks/sample/{eventType}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a sample event
     * @description An unknown event type answers the form-lead sample.
     */
    readonly get: operations["getHookSample"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Format: date-time
     * @description ISO-8601
     */
    readonly Timestamp: string | null;
    readonly Error: {
      /** @description Stable code */
      readonly error: string;
      /** @description Readable explanation */
      readonly message: string;
    };
    readonly Deleted: {
      readonly success: boolean;
      /** @description Id of the deleted record */
      readonly id: string;
      readonly deleted: boolean;
    };
    readonly OpenapiDocument: {
      readonly openapi: string;
      readonly info: Record<string, unknown>;
      readonly paths: Record<string, unknown>;
    };
    readonly Account: {
      /** @description Account id */
      readonly id: string;
      readonly email: string | null;
      /** @description Display name */
      readonly name: string;
      /** @description Plan name when one exists */
      readonly plan?: unknown;
      /** @description Same value as id */
      readonly workspace_id: string;
    };
    readonly AccountCounts: {
      readonly projects?: number;
      readonly sites?: number;
      readonly pages?: number;
      readonly quizzes?: number;
      readonly funnels?: number;
      readonly videos?: number;
      readonly products?: number;
      readonly leads?: number;
    } & {
      readonly [key: string]: unknown;
    };
    readonly Project: {
      readonly id: string;
      readonly name: string;
      readonly description: string | null;
      /** @description Brand brief; present on create and update responses */
      readonly context?: string | null;
      /** @description false when the project is inactive */
      readonly active: boolean;
      readonly created_at: components["schemas"]["Timestamp"];
      readonly updated_at: components["schemas"]["Timestamp"];
    };
    readonly ProjectCreate: {
      readonly name: string;
      readonly description: string;
      /** @description Brand and offer brief */
      readonly context: string;
    };
    readonly ProjectUpdate: {
      readonly name?: string;
      readonly description?: string;
      readonly context?: string;
    };
    readonly Site: {
      readonly id: string;
      /** @description Display name, often the domain */
      readonly name: string;
      /** @description Name stored on the site */
      readonly site_name: string | null;
      /** @description Public domain */
      readonly domain: string | null;
      /** @description When connected */
      readonly custom_domain: string | null;
      /** @description Domain provided by the service */
      readonly atomic_domain: string | null;
      readonly project_id: string | null;
      /** @description Site status when present */
      readonly status?: string | null;
      readonly created_at: components["schemas"]["Timestamp"];
      readonly updated_at: components["schemas"]["Timestamp"];
    };
    readonly SiteCreated: {
      readonly id: string;
      /** @description Same as id */
      readonly site_id: string;
      readonly name: string | null;
      readonly atomic_domain: string | null;
      /** @description Public URL */
      readonly url: string | null;
      readonly project_id: string | null;
      /** @description DNS instructions for a custom domain, when returned */
      readonly custom_domain_instructions?: unknown;
    };
    readonly SiteCreate: {
      readonly name?: string;
      readonly description?: string;
      /** @description Project to attach to */
      readonly project_id?: string;
    };
    readonly Page: {
      readonly id: string;
      /** @description Display name; includes the site name in parentheses when the page is on a site */
      readonly name: string;
      /** @description Name without the site suffix */
      readonly page_name: string;
      readonly status: components["schemas"]["PageStatus"];
      /** @description true when the page is a quiz */
      readonly is_quiz: boolean;
      readonly project_id: string | null;
      /** @description Set once the page is attached to a site */
      readonly site_id: string | null;
      readonly site_name: string | null;
      /** @description Published domain */
      readonly domain: string | null;
      /** @description Path on the site; empty means the site root */
      readonly slug: string | null;
      /** @description Public URL after publish */
      readonly url: string | null;
      /** @description Link to the page in the builder */
      readonly edit_url: string;
      readonly created_at: components["schemas"]["Timestamp"];
      readonly updated_at: components["schemas"]["Timestamp"];
      readonly published_at: components["schemas"]["Timestamp"];
    };
    /** @enum {string} */
    readonly PageStatus: "published" | "draft";
    readonly TemplatedPage: components["schemas"]["Page"] & components["schemas"]["FromTemplate"];
    readonly FromTemplate: {
      readonly template_id: string;
      /** @enum {boolean} */
      readonly from_template: true;
    };
    readonly PageCreate: {
      readonly name: string;
      readonly project_id?: string;
    };
    readonly PageFromTemplate: {
      /** @description Taken from the templates list */
      readonly template_id: string;
      readonly name?: string;
      /** @description Site to attach, if any */
      readonly site_id?: string;
      readonly project_id?: string;
    };
    readonly PageDuplicate: {
      /** @description The page to copy */
      readonly page_id: string;
      readonly new_name?: string;
    };
    /** @description At least one field besides page_id. */
    readonly PageMetadata: {
      readonly page_id: string;
      readonly name?: string;
      readonly project_id?: string;
      /** @description Tag names */
      readonly tags?: readonly string[] | string;
      readonly product_label?: string;
      /** @description Alias of product_label */
      readonly produkt?: string;
    };
    readonly PageIdBody: {
      readonly page_id: string;
    };
    readonly PageContentUpdate: {
      readonly page_id: string;
      /** @description Content-field keys mapped to new values */
      readonly updates:
        | {
            readonly [key: string]: unknown;
          }
        | string;
    };
    readonly PageVariables: {
      readonly page_id: string;
      /** @description Placeholder names mapped to replacement text */
      readonly variables:
        | {
            readonly [key: string]: unknown;
          }
        | string;
    };
    readonly PagePublish: {
      readonly page_id: string;
      /** @description The hosting site */
      readonly site_id: string;
      /** @description Omit or send empty for the root */
      readonly slug?: string;
    };
    readonly PageDelay: {
      readonly page_id: string;
      /** @description Seconds */
      readonly time?: number;
      readonly sync_with_video?: boolean;
      readonly scroll_into_view?: boolean;
      /** @description Builder node id of the video */
      readonly video_node_id?: string;
    };
    readonly PageDuplicateResult: {
      /** @description New page id */
      readonly id: string;
      /** @description The new name */
      readonly name: string;
      /** @description The new name */
      readonly page_name: string;
      readonly source_page_id: string;
      readonly edit_url: string;
    };
    readonly PageMetadataResult: {
      readonly id: string;
      readonly page_id: string;
      readonly updated: boolean;
      readonly name: string | null;
      readonly project_id: string | null;
      /** @description After the update */
      readonly tags: unknown;
      readonly product_label: string | null;
    };
    readonly PageContentResult: {
      readonly id: string;
      readonly page_id: string;
      readonly success: boolean;
      readonly applied_count: number;
      readonly changed_section_count: number;
      readonly missing_count: number;
      readonly applied: string;
      readonly missing: string;
    };
    readonly PageVariablesResult: {
      readonly id: string;
      readonly page_id: string;
      readonly success: boolean;
      readonly replacement_count: number;
      readonly changed_section_count: number;
      readonly replaced_variables: string;
      readonly remaining_variables: string;
      readonly remaining_variable_count: number;
    };
    readonly PageValidation: {
      readonly id: string;
      readonly page_id: string;
      /** @description false when the page has no sections or still contains template variables */
      readonly ready_to_publish: boolean;
      readonly issue_count: number;
      readonly issues: string;
      /** @description Editable fields */
      readonly field_count: number;
      readonly remaining_variable_count: number;
      readonly remaining_variables: string;
    };
    readonly PagePublishResult: {
      readonly id: string;
      readonly page_id: string;
      readonly site_id: string;
      readonly success: boolean;
      readonly url: string | null;
      readonly domain: string | null;
      readonly slug: string;
      readonly revision_saved: boolean;
      /** @description Set when a revision could not be saved */
      readonly revision_warning: string | null;
    };
    readonly PageDelayResult: {
      readonly id: string;
      readonly page_id: string;
      readonly updated: boolean;
      /** @description The saved settings */
      readonly delay: {
        readonly time?: number;
      };
    };
    readonly Template: {
      readonly id: string;
      readonly name: string;
      /** @description Same as name */
      readonly template_name: string;
      readonly category: string | null;
      /** @description Normally `page` */
      readonly type: string;
      readonly description: string | null;
      readonly preview_url: string | null;
      readonly image_url: string | null;
    };
    readonly BuilderSummary: {
      readonly id: string;
      readonly page_id: string;
      readonly builder: {
        readonly sectionCount: number;
        /** @description Present when include_tree is true */
        readonly tree?: {
          readonly sections: readonly Record<string, unknown>[];
        };
      };
    };
    readonly BuilderNode: {
      readonly id: string;
      readonly page_id: string;
      readonly node_id: string;
      /** @description Location in the tree */
      readonly path: string | null;
      /** @description Short summary when the builder returns one */
      readonly summary?: unknown;
      readonly node: Record<string, unknown>;
    };
    readonly BuilderNodeFields: {
      readonly page_id: string;
      readonly node_id: string;
      /** @description At least one of the two */
      readonly updates: {
        readonly misc?: Record<string, unknown>;
        readonly style?: Record<string, unknown>;
      };
      /** @description Hint */
      readonly node_type?: string;
    };
    readonly BuilderNodeUpdate: {
      readonly id: string;
      readonly page_id: string;
      readonly node_id: string;
      readonly updated: boolean;
      readonly path: string | null;
    };
    readonly BuilderNodeReplace: {
      readonly page_id: string;
      /** @description Node to replace */
      readonly node_id: string;
      /** @description The complete replacement */
      readonly node:
        | {
            readonly [key: string]: unknown;
          }
        | string;
    };
    readonly BuilderNodeReplaceResult: {
      readonly id: string;
      readonly page_id: string;
      readonly node_id: string;
      readonly updated: boolean;
      readonly path: string | null;
      readonly builder_warnings: string;
    };
    readonly ContentMap: {
      readonly id: string | null;
      readonly page_id: string | null;
      readonly page_name: string | null;
      readonly field_count: number;
      readonly variable_count: number;
      readonly variables: string;
      readonly fields: string;
      /** @description true while the page still has variables */
      readonly ready_for_variable_replacement: boolean;
    };
    readonly Quiz: {
      /** @description Quiz id (qid); not always equal to the page id */
      readonly id: string;
      /** @description Display name, with the page name when known */
      readonly name: string;
      readonly quiz_name: string;
      /** @description Page hosting the quiz */
      readonly page_id: string | null;
      readonly page_name: string | null;
      readonly site_id: string | null;
      readonly project_id: string | null;
      readonly created_at: components["schemas"]["Timestamp"];
      readonly updated_at: components["schemas"]["Timestamp"];
    };
    /** @description A newly created quiz page; its id is the page id. */
    readonly QuizPage: {
      readonly id?: string;
      /** @description Display name; includes the site name in parentheses when the page is on a site */
      readonly name?: string;
      /** @description Name without the site suffix */
      readonly page_name?: string;
      readonly status?: components["schemas"]["PageStatus"];
      /** @description true when the page is a quiz */
      readonly is_quiz?: boolean;
      readonly project_id?: string | null;
      /** @description Set once the page is attached to a site */
      readonly site_id?: string | null;
      readonly site_name?: string | null;
      /** @description Published domain */
      readonly domain?: string | null;
      /** @description Path on the site; empty means the site root */
      readonly slug?: string | null;
      /** @description Public URL after publish */
      readonly url?: string | null;
      /** @description Link to the page in the builder */
      readonly edit_url?: string;
      readonly created_at?: components["schemas"]["Timestamp"];
      readonly updated_at?: components["schemas"]["Timestamp"];
      readonly published_at?: components["schemas"]["Timestamp"];
    } & {
      /** @description Equals id on create */
      readonly quiz_id: string;
      /** @enum {boolean} */
      readonly is_quiz: true;
    };
    readonly TemplatedQuizPage: components["schemas"]["QuizPage"] & components["schemas"]["FromTemplate"];
    readonly QuizCreate: {
      readonly name: string;
      readonly project_id?: string;
      readonly site_id?: string;
    };
    readonly Funnel: {
      readonly id: string;
      readonly name: string;
      readonly site_id: string | null;
      readonly project_id: string | null;
      readonly status: string | null;
      /** @description Page ids or step objects stored on the funnel */
      readonly pages: readonly (string | Record<string, unknown>)[];
      /** @description Comma-separated ids when pages is an array of ids */
      readonly page_ids?: string;
      /** @description Step objects when the funnel stores them */
      readonly steps?: readonly Record<string, unknown>[];
      readonly created_at: components["schemas"]["Timestamp"];
      readonly updated_at: components["schemas"]["Timestamp"];
    };
    /** @description A step; it needs pageId or url. */
    readonly FunnelPage: {
      /** @description Id of an existing page */
      readonly pageId?: string;
      /** @description External URL used when there is no pageId */
      readonly url?: string;
      /** @description The step type, such as presell, sales or thankyou */
      readonly pageType: string;
    };
    readonly FunnelCreate: {
      readonly name: string;
      readonly project_id?: string;
      readonly pages?: components["schemas"]["FunnelPages"];
    };
    readonly FunnelUpdate: {
      readonly funnel_id: string;
      readonly name?: string;
      readonly pages?: components["schemas"]["FunnelPages"];
    };
    readonly FunnelPages: readonly components["schemas"]["FunnelPage"][];
    /** @description The specification declares every field nullable, the id too. */
    readonly Video: {
      readonly id: string | null;
      /** @description Same as id */
      readonly video_id: string | null;
      readonly name: string | null;
      /** @description Player title */
      readonly title: string | null;
      /** @description Encoding or playback status */
      readonly status: string | null;
      /** @description Seconds, when the player returns it */
      readonly duration?: unknown;
      readonly thumbnail_url: string | null;
      readonly project_id: string | null;
      readonly created_at: components["schemas"]["Timestamp"];
      readonly updated_at: components["schemas"]["Timestamp"];
    };
    readonly VideoUpdate: {
      readonly video_id: string;
      /** @description Library name */
      readonly name?: string;
      /** @description Player title */
      readonly title?: string;
      /** @description Player language */
      readonly language?: string;
      readonly project_id?: string;
      /** @description Player accent color */
      readonly primary_color?: string;
      /** @description Show controls */
      readonly controls?: boolean;
      readonly autoplay?: boolean;
      /** @description Start muted */
      readonly muted?: boolean;
      readonly loop?: boolean;
    };
    /** @enum {string} */
    readonly ProductType: "simple" | "bundle";
    readonly Product: {
      readonly id: string;
      readonly name: string;
      readonly type: components["schemas"]["ProductType"];
      readonly sku: string | null;
      readonly description: string | null;
      /** @description Image URL */
      readonly image: string | null;
      /** @description Show the full product block */
      readonly show_full_product: boolean;
      readonly price: number;
      /** @description Comparison price */
      readonly compare_price: number;
      /** @description Rating label */
      readonly rating: string | null;
      /** @description Rating count label */
      readonly rating_count: string | null;
      readonly project_id: string | null;
      /** @description Button text */
      readonly cta_text: string | null;
      /** @description Button URL */
      readonly cta_url: string | null;
      /** @description Open the URL in a new tab */
      readonly cta_target: boolean;
      readonly use_single_cta_link: boolean;
      readonly bundle_discount: number;
      readonly bundle_item_count: number;
      /** @description Quantity tiers active */
      readonly tiers_enabled: boolean;
      readonly subscription_enabled: boolean;
      readonly created_at: components["schemas"]["Timestamp"];
      readonly updated_at: components["schemas"]["Timestamp"];
    };
    /** @description A bundle requires bundle_items_json. */
    readonly ProductWrite: components["schemas"]["ProductFields"] & {
      /**
       * @default simple
       * @enum {string}
       */
      readonly type?: "simple" | "bundle";
    };
    readonly ProductUpdate: components["schemas"]["ProductFields"] & {
      readonly product_id: string;
      readonly type?: components["schemas"]["ProductType"];
    };
    readonly ProductFields: {
      readonly name?: string;
      readonly project_id?: string;
      readonly sku?: string;
      readonly description?: string;
      readonly image?: string;
      readonly price?: number;
      readonly compare_price?: number;
      readonly cta_text?: string;
      readonly cta_url?: string;
      readonly show_full_product?: boolean;
      readonly cta_target?: boolean;
      readonly use_single_cta_link?: boolean;
      /** @description 4.9 when sent empty */
      readonly rating?: string;
      readonly rating_count?: string;
      /** @description Labels */
      readonly trust_badges_json?: readonly unknown[] | string;
      /** @description Variants */
      readonly variants_json?: readonly components["schemas"]["ProductVariant"][] | string;
      readonly tiers_enabled?: boolean;
      /** @description Quantity tiers */
      readonly tiers_json?: readonly Record<string, unknown>[] | string;
      /** @description What the bundle holds */
      readonly bundle_items_json?: readonly unknown[] | string;
      readonly bundle_discount?: number;
      readonly subscription_json?: {
        readonly enabled?: boolean;
        readonly discountPercent?: number;
        /** @description What a subscriber gets */
        readonly benefits?: unknown;
      };
    };
    readonly ProductVariant: {
      readonly id?: string;
      readonly name?: string;
      readonly image?: string;
    };
    readonly Lead: {
      readonly id: string;
      /** @description Same value as id */
      readonly lead_id: string;
      /** @enum {string} */
      readonly type: "form" | "quiz";
      readonly name: string | null;
      readonly first_name: string | null;
      readonly last_name: string | null;
      readonly email: string | null;
      readonly phone: string | null;
      /** @description Present on form leads */
      readonly form_id?: string | null;
      /** @description Present on form leads */
      readonly form_name?: string | null;
      /** @description Present on quiz leads */
      readonly quiz_id?: string | null;
      /** @description Present on quiz leads */
      readonly quiz_name?: string | null;
      readonly page_id: string | null;
      readonly page_url: string | null;
      readonly project_id: string | null;
      readonly site_id: string | null;
      /** @description true when a form lead was abandoned */
      readonly abandoned: boolean;
      /** @description Present on quiz leads */
      readonly is_completed?: boolean;
      /** @description Raw form fields */
      readonly fields: Record<string, unknown>;
      /** @description Raw quiz answers */
      readonly answers?: Record<string, unknown>;
      readonly created_at: components["schemas"]["Timestamp"];
    };
    /**
     * @description There is no video.uploaded event.
     * @enum {string}
     */
    readonly EventType:
      | "form_lead.created"
      | "quiz_lead.created"
      | "page.created"
      | "page.published"
      | "product.created"
      | "funnel.created"
      | "site.created"
      | "project.created";
    /** @description The target URL is never returned. */
    readonly HookSubscription: {
      readonly id: string;
      readonly event_type: components["schemas"]["EventType"];
      /** @description true until disabled */
      readonly active: boolean;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly HookCreate: {
      /**
       * Format: uri
       * @description HTTPS on a public host. Refused: http, a user name or password, localhost, .local and .internal hosts, private, loopback and link-local addresses (cloud metadata too), and a host name that resolves to one. The host is checked again before each delivery.
       */
      readonly target_url: string;
      readonly event_type: components["schemas"]["EventType"];
      /** @description Stored with the subscription */
      readonly filters?: Record<string, unknown>;
    };
    readonly HookDisabled: {
      /** @enum {boolean} */
      readonly success: true;
    };
    readonly Event: {
      readonly id: string;
      readonly event_type: components["schemas"]["EventType"];
    };
  };
  responses: {
    /** @description The account */
    readonly Account: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Account"];
      };
    };
    /** @description The project */
    readonly Project: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Project"];
      };
    };
    /** @description The site */
    readonly Site: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Site"];
      };
    };
    /** @description The new site */
    readonly SiteCreated: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["SiteCreated"];
      };
    };
    /** @description The page */
    readonly Page: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Page"];
      };
    };
    /** @description The new page */
    readonly TemplatedPage: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["TemplatedPage"];
      };
    };
    /** @description The copy */
    readonly PageDuplicateResult: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["PageDuplicateResult"];
      };
    };
    /** @description The values after the update */
    readonly PageMetadataResult: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["PageMetadataResult"];
      };
    };
    /** @description What was applied and what was not */
    readonly PageContentResult: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["PageContentResult"];
      };
    };
    /** @description What was replaced and what remains */
    readonly PageVariablesResult: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["PageVariablesResult"];
      };
    };
    /** @description The result of the check */
    readonly PageValidation: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["PageValidation"];
      };
    };
    /** @description Where the page is published */
    readonly PagePublishResult: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["PagePublishResult"];
      };
    };
    /** @description The record is deleted */
    readonly Deleted: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Deleted"];
      };
    };
    /** @description The builder */
    readonly BuilderSummary: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["BuilderSummary"];
      };
    };
    /** @description The node */
    readonly BuilderNode: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["BuilderNode"];
      };
    };
    /** @description The node is updated */
    readonly BuilderNodeUpdate: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["BuilderNodeUpdate"];
      };
    };
    /** @description The node is replaced */
    readonly BuilderNodeReplaceResult: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["BuilderNodeReplaceResult"];
      };
    };
    /** @description The saved delay */
    readonly PageDelayResult: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["PageDelayResult"];
      };
    };
    /** @description The content map */
    readonly ContentMap: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["ContentMap"];
      };
    };
    /** @description The quiz */
    readonly Quiz: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Quiz"];
      };
    };
    /** @description The new quiz page */
    readonly QuizPage: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["QuizPage"];
      };
    };
    /** @description The new quiz page */
    readonly TemplatedQuizPage: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["TemplatedQuizPage"];
      };
    };
    /** @description The funnel */
    readonly Funnel: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Funnel"];
      };
    };
    /** @description The video */
    readonly Video: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Video"];
      };
    };
    /** @description The product */
    readonly Product: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Product"];
      };
    };
    /** @description The counts */
    readonly AccountCounts: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["AccountCounts"];
      };
    };
    /** @description The subscription */
    readonly HookSubscription: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["HookSubscription"];
      };
    };
    /** @description The subscription is inactive */
    readonly HookDisabled: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["HookDisabled"];
      };
    };
    /** @description This document */
    readonly Openapi: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["OpenapiDocument"];
      };
    };
    /** @description The projects */
    readonly Projects: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Project"][];
      };
    };
    /** @description The sites */
    readonly Sites: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Site"][];
      };
    };
    /** @description The pages */
    readonly Pages: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Page"][];
      };
    };
    /** @description The templates */
    readonly Templates: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Template"][];
      };
    };
    /** @description The quizzes */
    readonly Quizzes: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Quiz"][];
      };
    };
    /** @description The funnels */
    readonly Funnels: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Funnel"][];
      };
    };
    /** @description The videos */
    readonly Videos: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Video"][];
      };
    };
    /** @description The products */
    readonly Products: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Product"][];
      };
    };
    /** @description The leads */
    readonly Leads: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Lead"][];
      };
    };
    /** @description One sample event */
    readonly HookSample: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": readonly components["schemas"]["Event"][];
      };
    };
    /** @description The request is malformed */
    readonly InvalidRequest: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The request is malformed, or target_url breaks the webhook URL rules */
    readonly HookRefused: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The page is published and has no site */
    readonly PageHasNoSite: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The key is missing, unknown, expired or revoked */
    readonly Unauthorized: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description A project needs a paid plan */
    readonly PaidPlanRequired: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The key lacks the scope, or the call comes from an address outside the key's list */
    readonly Forbidden: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The page does not exist */
    readonly PageNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The project does not exist */
    readonly ProjectNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The site does not exist */
    readonly SiteNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The quiz does not exist */
    readonly QuizNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The funnel does not exist */
    readonly FunnelNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The video does not exist */
    readonly VideoNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The product does not exist */
    readonly ProductNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The subscription does not exist */
    readonly SubscriptionNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The page, or the node in it, does not exist */
    readonly NodeNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description Something the body refers to does not exist */
    readonly RelatedNotFound: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description A page, product, site or funnel still references the project */
    readonly ProjectInUse: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The page fails the readiness check, or another page of the site has the slug */
    readonly PublishRefused: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
    /** @description The body is larger than the server accepts */
    readonly BodyTooLarge: {
      headers: {
        readonly [name: string]: unknown;
      };
      content: {
        readonly "application/json": components["schemas"]["Error"];
      };
    };
  };
  parameters: {
    /** @description How many records to return */
    readonly Limit: number;
    /** @description Zero-based page index; the records start at page x limit */
    readonly Page: number;
    /** @description How many videos to skip; used instead of page */
    readonly Skip: number;
    /** @description Case-insensitive text, matched against the name and related fields */
    readonly Query: string;
    /** @description Records of this project */
    readonly InProject: string;
    /** @description Exact project id */
    readonly ExactProjectId: string;
    /** @description Exact site id; answers a one-item array */
    readonly ExactSiteId: string;
    /** @description Exact page id; answers a one-item array */
    readonly ExactPageId: string;
    /** @description Exact template id */
    readonly ExactTemplateId: string;
    /** @description The page's id */
    readonly RequiredPageId: string;
    /** @description Templates of this category */
    readonly Category: string;
    /** @description Templates of this type */
    readonly TemplateType: string;
    /** @description Products of this type */
    readonly OfProductType: components["schemas"]["ProductType"];
    /** @description Project id */
    readonly ProjectId: string;
    /** @description Site id */
    readonly SiteId: string;
    /** @description Page id */
    readonly PageId: string;
    /** @description Quiz id or page id */
    readonly QuizId: string;
    /** @description Funnel id */
    readonly FunnelId: string;
    /** @description Video id */
    readonly VideoId: string;
    /** @description Product id */
    readonly ProductId: string;
    /** @description The id that createHook returned */
    readonly SubscriptionId: string;
    /** @description An event name; any other text is accepted */
    readonly EventTypeName: string;
  };
  requestBodies: {
    readonly ProjectCreate: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProjectCreate"];
      };
    };
    readonly ProjectUpdate: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProjectUpdate"];
      };
    };
    readonly SiteCreate: {
      readonly content: {
        readonly "application/json": components["schemas"]["SiteCreate"];
      };
    };
    readonly PageCreate: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageCreate"];
      };
    };
    readonly PageFromTemplate: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageFromTemplate"];
      };
    };
    readonly PageDuplicate: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageDuplicate"];
      };
    };
    readonly PageMetadata: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageMetadata"];
      };
    };
    readonly PageContentUpdate: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageContentUpdate"];
      };
    };
    readonly PageVariables: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageVariables"];
      };
    };
    readonly PageIdBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageIdBody"];
      };
    };
    readonly PagePublish: {
      readonly content: {
        readonly "application/json": components["schemas"]["PagePublish"];
      };
    };
    readonly PageDelay: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageDelay"];
      };
    };
    readonly BuilderNodeFields: {
      readonly content: {
        readonly "application/json": components["schemas"]["BuilderNodeFields"];
      };
    };
    readonly BuilderNodeReplace: {
      readonly content: {
        readonly "application/json": components["schemas"]["BuilderNodeReplace"];
      };
    };
    readonly QuizCreate: {
      readonly content: {
        readonly "application/json": components["schemas"]["QuizCreate"];
      };
    };
    readonly FunnelCreate: {
      readonly content: {
        readonly "application/json": components["schemas"]["FunnelCreate"];
      };
    };
    readonly FunnelUpdate: {
      readonly content: {
        readonly "application/json": components["schemas"]["FunnelUpdate"];
      };
    };
    readonly VideoUpdate: {
      readonly content: {
        readonly "application/json": components["schemas"]["VideoUpdate"];
      };
    };
    readonly ProductWrite: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProductWrite"];
      };
    };
    readonly ProductUpdate: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProductUpdate"];
      };
    };
    readonly HookCreate: {
      readonly content: {
        readonly "application/json": components["schemas"]["HookCreate"];
      };
    };
  };
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  readonly getAccount: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Account"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getOpenapi: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Openapi"];
    };
  };
  readonly listProjects: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: components["parameters"]["Page"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Projects"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["ProjectCreate"];
    readonly responses: {
      readonly 201: components["responses"]["Project"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 402: components["responses"]["PaidPlanRequired"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly searchProjects: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Exact project id */
        readonly project_id?: components["parameters"]["ExactProjectId"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Projects"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Project id */
        readonly projectId: components["parameters"]["ProjectId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Project"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProjectNotFound"];
    };
  };
  readonly deleteProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Project id */
        readonly projectId: components["parameters"]["ProjectId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Deleted"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProjectNotFound"];
      readonly 409: components["responses"]["ProjectInUse"];
    };
  };
  readonly updateProject: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Project id */
        readonly projectId: components["parameters"]["ProjectId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["ProjectUpdate"];
    readonly responses: {
      readonly 200: components["responses"]["Project"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProjectNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly listSites: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: components["parameters"]["Page"];
        /** @description Records of this project */
        readonly project_id?: components["parameters"]["InProject"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Sites"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createSite: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["SiteCreate"];
    readonly responses: {
      readonly 201: components["responses"]["SiteCreated"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProjectNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly searchSites: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Records of this project */
        readonly project_id?: components["parameters"]["InProject"];
        /** @description Exact site id; answers a one-item array */
        readonly site_id?: components["parameters"]["ExactSiteId"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Sites"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getSite: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Site id */
        readonly siteId: components["parameters"]["SiteId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Site"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["SiteNotFound"];
    };
  };
  readonly listPages: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: components["parameters"]["Page"];
        /** @description Records of this project */
        readonly project_id?: components["parameters"]["InProject"];
        /** @description Pages on this site */
        readonly site_id?: string;
        /** @description true: published pages; false: drafts */
        readonly published?: boolean;
        /** @description true: only quizzes */
        readonly is_quiz?: boolean;
        /** @description Pages whose builder contains this element type */
        readonly has_element?: string;
        /** @description true: hides pages already used in a funnel */
        readonly available_for_funnel?: boolean;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Pages"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createPage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageCreate"];
    readonly responses: {
      readonly 201: components["responses"]["Page"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProjectNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly createPageFromTemplate: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageFromTemplate"];
    readonly responses: {
      readonly 201: components["responses"]["TemplatedPage"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly duplicatePage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageDuplicate"];
    readonly responses: {
      readonly 201: components["responses"]["PageDuplicateResult"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly updatePageMetadata: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageMetadata"];
    readonly responses: {
      readonly 200: components["responses"]["PageMetadataResult"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly updatePageContent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageContentUpdate"];
    readonly responses: {
      readonly 200: components["responses"]["PageContentResult"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly replacePageVariables: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageVariables"];
    readonly responses: {
      readonly 200: components["responses"]["PageVariablesResult"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly validatePage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageIdBody"];
    readonly responses: {
      readonly 200: components["responses"]["PageValidation"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly publishPage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PagePublish"];
    readonly responses: {
      readonly 200: components["responses"]["PagePublishResult"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 409: components["responses"]["PublishRefused"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly searchPages: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Exact page id; answers a one-item array */
        readonly page_id?: components["parameters"]["ExactPageId"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Pages"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getPage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Page id */
        readonly pageId: components["parameters"]["PageId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Page"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
    };
  };
  readonly deletePage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Page id */
        readonly pageId: components["parameters"]["PageId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Deleted"];
      readonly 400: components["responses"]["PageHasNoSite"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
    };
  };
  readonly listTemplates: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Templates of this category */
        readonly category?: components["parameters"]["Category"];
        /** @description Templates of this type */
        readonly type?: components["parameters"]["TemplateType"];
        /** @description Exact template id */
        readonly template_id?: components["parameters"]["ExactTemplateId"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Templates"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly searchTemplates: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Templates of this category */
        readonly category?: components["parameters"]["Category"];
        /** @description Templates of this type */
        readonly type?: components["parameters"]["TemplateType"];
        /** @description Exact template id */
        readonly template_id?: components["parameters"]["ExactTemplateId"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Templates"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getBuilder: {
    readonly parameters: {
      readonly query: {
        /** @description The page's id */
        readonly page_id: components["parameters"]["RequiredPageId"];
        /** @description false: leaves the section tree out */
        readonly include_tree?: boolean;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["BuilderSummary"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
    };
  };
  readonly getBuilderNode: {
    readonly parameters: {
      readonly query: {
        /** @description The page's id */
        readonly page_id: components["parameters"]["RequiredPageId"];
        /** @description The node's id in the builder tree */
        readonly node_id: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["BuilderNode"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["NodeNotFound"];
    };
  };
  readonly updateBuilderNode: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["BuilderNodeFields"];
    readonly responses: {
      readonly 200: components["responses"]["BuilderNodeUpdate"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["NodeNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly replaceBuilderNode: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["BuilderNodeReplace"];
    readonly responses: {
      readonly 200: components["responses"]["BuilderNodeReplaceResult"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["NodeNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly setPageDelay: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageDelay"];
    readonly responses: {
      readonly 200: components["responses"]["PageDelayResult"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["NodeNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly getContentMap: {
    readonly parameters: {
      readonly query: {
        /** @description The page's id */
        readonly page_id: components["parameters"]["RequiredPageId"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["ContentMap"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["PageNotFound"];
    };
  };
  readonly listQuizzes: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: components["parameters"]["Page"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Quizzes on this page */
        readonly page_id?: string;
        /** @description Exact quiz id */
        readonly quiz_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Quizzes"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createQuiz: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["QuizCreate"];
    readonly responses: {
      readonly 201: components["responses"]["QuizPage"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly searchQuizzes: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: components["parameters"]["Page"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Quizzes on this page */
        readonly page_id?: string;
        /** @description Exact quiz id */
        readonly quiz_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Quizzes"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createQuizFromTemplate: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["PageFromTemplate"];
    readonly responses: {
      readonly 201: components["responses"]["TemplatedQuizPage"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly getQuiz: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Quiz id or page id */
        readonly quizId: components["parameters"]["QuizId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Quiz"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["QuizNotFound"];
    };
  };
  readonly listFunnels: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Records of this project */
        readonly project_id?: components["parameters"]["InProject"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Funnels"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createFunnel: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["FunnelCreate"];
    readonly responses: {
      readonly 201: components["responses"]["Funnel"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly updateFunnel: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["FunnelUpdate"];
    readonly responses: {
      readonly 200: components["responses"]["Funnel"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly searchFunnels: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Records of this project */
        readonly project_id?: components["parameters"]["InProject"];
        /** @description Exact funnel id */
        readonly funnel_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Funnels"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getFunnel: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Funnel id */
        readonly funnelId: components["parameters"]["FunnelId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Funnel"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["FunnelNotFound"];
    };
  };
  readonly listVideos: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description How many videos to skip; used instead of page */
        readonly skip?: components["parameters"]["Skip"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Videos"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly updateVideo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["VideoUpdate"];
    readonly responses: {
      readonly 200: components["responses"]["Video"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly searchVideos: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description How many videos to skip; used instead of page */
        readonly skip?: components["parameters"]["Skip"];
        /** @description Exact video id; answers a one-item array */
        readonly video_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Videos"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getVideo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Video id */
        readonly videoId: components["parameters"]["VideoId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Video"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["VideoNotFound"];
    };
  };
  readonly listProducts: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: components["parameters"]["Page"];
        /** @description Records of this project */
        readonly project_id?: components["parameters"]["InProject"];
        /** @description Products of this type */
        readonly type?: components["parameters"]["OfProductType"];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Products"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createProduct: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["ProductWrite"];
    readonly responses: {
      readonly 201: components["responses"]["Product"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProjectNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly updateProduct: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["ProductUpdate"];
    readonly responses: {
      readonly 200: components["responses"]["Product"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["RelatedNotFound"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly searchProducts: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: components["parameters"]["Limit"];
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Records of this project */
        readonly project_id?: components["parameters"]["InProject"];
        /** @description Products of this type */
        readonly type?: components["parameters"]["OfProductType"];
        /** @description Exact product id */
        readonly product_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Products"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getProduct: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Product id */
        readonly productId: components["parameters"]["ProductId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Product"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProductNotFound"];
    };
  };
  readonly deleteProduct: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Product id */
        readonly productId: components["parameters"]["ProductId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Deleted"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["ProductNotFound"];
    };
  };
  readonly searchLeads: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: components["parameters"]["Query"];
        /** @description Omit for both */
        readonly type?: "form" | "quiz";
        /** @description Exact lead id */
        readonly lead_id?: string;
        /** @description Leads of this page */
        readonly page_id?: string;
        /** @description Exact match */
        readonly email?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["Leads"];
      readonly 400: components["responses"]["InvalidRequest"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly getAccountCounts: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["AccountCounts"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
  readonly createHook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: components["requestBodies"]["HookCreate"];
    readonly responses: {
      readonly 201: components["responses"]["HookSubscription"];
      readonly 400: components["responses"]["HookRefused"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 413: components["responses"]["BodyTooLarge"];
    };
  };
  readonly deleteHook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description The id that createHook returned */
        readonly subscriptionId: components["parameters"]["SubscriptionId"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["HookDisabled"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
      readonly 404: components["responses"]["SubscriptionNotFound"];
    };
  };
  readonly getHookSample: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description An event name; any other text is accepted */
        readonly eventType: components["parameters"]["EventTypeName"];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      readonly 200: components["responses"]["HookSample"];
      readonly 401: components["responses"]["Unauthorized"];
      readonly 403: components["responses"]["Forbidden"];
    };
  };
}
