/** Generated from schema/api.yaml by "npm run generate". */
export interface components {
  schemas: {
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
    readonly SiteCreate: {
      readonly name?: string;
      readonly description?: string;
      /** @description Project to attach to */
      readonly project_id?: string;
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
    readonly PageIdBody: {
      readonly page_id: string;
    };
    readonly PagePublish: {
      readonly page_id: string;
      /** @description The hosting site */
      readonly site_id: string;
      /** @description Omit or send empty for the root */
      readonly slug?: string;
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
    readonly PageDelay: {
      readonly page_id: string;
      /** @description Seconds */
      readonly time?: number;
      readonly sync_with_video?: boolean;
      readonly scroll_into_view?: boolean;
      /** @description Builder node id of the video */
      readonly video_node_id?: string;
    };
    readonly QuizCreate: {
      readonly name: string;
      readonly project_id?: string;
      readonly site_id?: string;
    };
    readonly FunnelCreate: {
      readonly name: string;
      readonly project_id?: string;
      readonly pages?: components["schemas"]["FunnelPages"];
    };
    readonly FunnelPages: readonly components["schemas"]["FunnelPage"][];
    /** @description A step; it needs pageId or url. */
    readonly FunnelPage: {
      /** @description Id of an existing page */
      readonly pageId?: string;
      /** @description External URL used when there is no pageId */
      readonly url?: string;
      /** @description The step type, such as presell, sales or thankyou */
      readonly pageType: string;
    };
    readonly FunnelUpdate: {
      readonly funnel_id: string;
      readonly name?: string;
      readonly pages?: components["schemas"]["FunnelPages"];
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
    /** @description A bundle requires bundle_items_json. */
    readonly ProductWrite: components["schemas"]["ProductFields"] & {
      /**
       * @default simple
       * @enum {string}
       */
      readonly type?: "simple" | "bundle";
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
    readonly ProductUpdate: components["schemas"]["ProductFields"] & {
      readonly product_id: string;
      readonly type?: components["schemas"]["ProductType"];
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
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  readonly listProjects: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: number;
      };
    };
  };
  readonly createProject: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProjectCreate"];
      };
    };
  };
  readonly searchProjects: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Exact project id */
        readonly project_id?: string;
      };
    };
  };
  readonly updateProject: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProjectUpdate"];
      };
    };
  };
  readonly listSites: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: number;
        /** @description Records of this project */
        readonly project_id?: string;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
      };
    };
  };
  readonly createSite: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["SiteCreate"];
      };
    };
  };
  readonly searchSites: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Records of this project */
        readonly project_id?: string;
        /** @description Exact site id; answers a one-item array */
        readonly site_id?: string;
      };
    };
  };
  readonly listPages: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: number;
        /** @description Records of this project */
        readonly project_id?: string;
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
    };
  };
  readonly createPage: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageCreate"];
      };
    };
  };
  readonly createPageFromTemplate: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageFromTemplate"];
      };
    };
  };
  readonly duplicatePage: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageDuplicate"];
      };
    };
  };
  readonly updatePageMetadata: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageMetadata"];
      };
    };
  };
  readonly updatePageContent: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageContentUpdate"];
      };
    };
  };
  readonly replacePageVariables: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageVariables"];
      };
    };
  };
  readonly validatePage: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageIdBody"];
      };
    };
  };
  readonly publishPage: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PagePublish"];
      };
    };
  };
  readonly searchPages: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Exact page id; answers a one-item array */
        readonly page_id?: string;
      };
    };
  };
  readonly listTemplates: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Templates of this category */
        readonly category?: string;
        /** @description Templates of this type */
        readonly type?: string;
        /** @description Exact template id */
        readonly template_id?: string;
      };
    };
  };
  readonly searchTemplates: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Templates of this category */
        readonly category?: string;
        /** @description Templates of this type */
        readonly type?: string;
        /** @description Exact template id */
        readonly template_id?: string;
      };
    };
  };
  readonly getBuilder: {
    readonly parameters: {
      readonly query: {
        /** @description The page's id */
        readonly page_id: string;
        /** @description false: leaves the section tree out */
        readonly include_tree?: boolean;
      };
    };
  };
  readonly getBuilderNode: {
    readonly parameters: {
      readonly query: {
        /** @description The page's id */
        readonly page_id: string;
        /** @description The node's id in the builder tree */
        readonly node_id: string;
      };
    };
  };
  readonly updateBuilderNode: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["BuilderNodeFields"];
      };
    };
  };
  readonly replaceBuilderNode: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["BuilderNodeReplace"];
      };
    };
  };
  readonly setPageDelay: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageDelay"];
      };
    };
  };
  readonly getContentMap: {
    readonly parameters: {
      readonly query: {
        /** @description The page's id */
        readonly page_id: string;
      };
    };
  };
  readonly listQuizzes: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Quizzes on this page */
        readonly page_id?: string;
        /** @description Exact quiz id */
        readonly quiz_id?: string;
      };
    };
  };
  readonly createQuiz: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["QuizCreate"];
      };
    };
  };
  readonly searchQuizzes: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Quizzes on this page */
        readonly page_id?: string;
        /** @description Exact quiz id */
        readonly quiz_id?: string;
      };
    };
  };
  readonly createQuizFromTemplate: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageFromTemplate"];
      };
    };
  };
  readonly listFunnels: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Records of this project */
        readonly project_id?: string;
      };
    };
  };
  readonly createFunnel: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["FunnelCreate"];
      };
    };
  };
  readonly updateFunnel: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["FunnelUpdate"];
      };
    };
  };
  readonly searchFunnels: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Records of this project */
        readonly project_id?: string;
        /** @description Exact funnel id */
        readonly funnel_id?: string;
      };
    };
  };
  readonly listVideos: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description How many videos to skip; used instead of page */
        readonly skip?: number;
      };
    };
  };
  readonly updateVideo: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["VideoUpdate"];
      };
    };
  };
  readonly searchVideos: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description How many videos to skip; used instead of page */
        readonly skip?: number;
        /** @description Exact video id; answers a one-item array */
        readonly video_id?: string;
      };
    };
  };
  readonly listProducts: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Zero-based page index; the records start at page x limit */
        readonly page?: number;
        /** @description Records of this project */
        readonly project_id?: string;
        /** @description Products of this type */
        readonly type?: components["schemas"]["ProductType"];
      };
    };
  };
  readonly createProduct: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProductWrite"];
      };
    };
  };
  readonly updateProduct: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProductUpdate"];
      };
    };
  };
  readonly searchProducts: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Records of this project */
        readonly project_id?: string;
        /** @description Products of this type */
        readonly type?: components["schemas"]["ProductType"];
        /** @description Exact product id */
        readonly product_id?: string;
      };
    };
  };
  readonly searchLeads: {
    readonly parameters: {
      readonly query?: {
        /** @description How many records to return */
        readonly limit?: number;
        /** @description Case-insensitive text, matched against the name and related fields */
        readonly query?: string;
        /** @description Omit for both */
        readonly type?: "form" | "quiz";
        /** @description Exact lead id */
        readonly lead_id?: string;
        /** @description Leads of this page */
        readonly page_id?: string;
        /** @description Exact match */
        readonly email?: string;
      };
    };
  };
  readonly createHook: {
    readonly parameters: {};
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["HookCreate"];
      };
    };
  };
}
