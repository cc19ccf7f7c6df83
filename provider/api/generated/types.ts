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
    /** @description A bundle requires bundle_items_json. */
    readonly ProductWrite: components["schemas"]["ProductFields"] & {
      /** @enum {string} */
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
    /** @enum {string} */
    readonly ProductType: "simple" | "bundle";
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
    readonly Bodies: {
      readonly createProject: components["schemas"]["ProjectCreate"];
      readonly updateProject: components["schemas"]["ProjectUpdate"];
      readonly createSite: components["schemas"]["SiteCreate"];
      readonly createPage: components["schemas"]["PageCreate"];
      readonly createPageFromTemplate: components["schemas"]["PageFromTemplate"];
      readonly duplicatePage: components["schemas"]["PageDuplicate"];
      readonly updatePageMetadata: components["schemas"]["PageMetadata"];
      readonly updatePageContent: components["schemas"]["PageContentUpdate"];
      readonly replacePageVariables: components["schemas"]["PageVariables"];
      readonly validatePage: components["schemas"]["PageIdBody"];
      readonly publishPage: components["schemas"]["PagePublish"];
      readonly updateBuilderNode: components["schemas"]["BuilderNodeFields"];
      readonly replaceBuilderNode: components["schemas"]["BuilderNodeReplace"];
      readonly setPageDelay: components["schemas"]["PageDelay"];
      readonly createQuiz: components["schemas"]["QuizCreate"];
      readonly createQuizFromTemplate: components["schemas"]["PageFromTemplate"];
      readonly createFunnel: components["schemas"]["FunnelCreate"];
      readonly updateFunnel: components["schemas"]["FunnelUpdate"];
      readonly updateVideo: components["schemas"]["VideoUpdate"];
      readonly createProduct: components["schemas"]["ProductWrite"];
      readonly updateProduct: components["schemas"]["ProductUpdate"];
      readonly createHook: components["schemas"]["HookCreate"];
    };
    readonly Queries: {
      readonly listProjects: {
        readonly limit?: number;
        readonly page?: number;
      };
      readonly searchProjects: {
        readonly limit?: number;
        readonly query?: string;
        readonly project_id?: string;
      };
      readonly listSites: {
        readonly limit?: number;
        readonly page?: number;
        readonly project_id?: string;
        readonly query?: string;
      };
      readonly searchSites: {
        readonly limit?: number;
        readonly query?: string;
        readonly project_id?: string;
        readonly site_id?: string;
      };
      readonly listPages: {
        readonly limit?: number;
        readonly page?: number;
        readonly project_id?: string;
        readonly site_id?: string;
        readonly published?: boolean;
        readonly is_quiz?: boolean;
        readonly has_element?: string;
        readonly available_for_funnel?: boolean;
      };
      readonly searchPages: {
        readonly limit?: number;
        readonly query?: string;
        readonly page_id?: string;
      };
      readonly listTemplates: {
        readonly limit?: number;
        readonly query?: string;
        readonly category?: string;
        readonly type?: string;
        readonly template_id?: string;
      };
      readonly searchTemplates: {
        readonly limit?: number;
        readonly query?: string;
        readonly category?: string;
        readonly type?: string;
        readonly template_id?: string;
      };
      readonly getBuilder: {
        readonly page_id: string;
        readonly include_tree?: boolean;
      };
      readonly getBuilderNode: {
        readonly page_id: string;
        readonly node_id: string;
      };
      readonly getContentMap: {
        readonly page_id: string;
      };
      readonly listQuizzes: {
        readonly limit?: number;
        readonly page?: number;
        readonly query?: string;
        readonly page_id?: string;
        readonly quiz_id?: string;
      };
      readonly searchQuizzes: {
        readonly limit?: number;
        readonly page?: number;
        readonly query?: string;
        readonly page_id?: string;
        readonly quiz_id?: string;
      };
      readonly listFunnels: {
        readonly limit?: number;
        readonly project_id?: string;
      };
      readonly searchFunnels: {
        readonly limit?: number;
        readonly query?: string;
        readonly project_id?: string;
        readonly funnel_id?: string;
      };
      readonly listVideos: {
        readonly limit?: number;
        readonly skip?: number;
      };
      readonly searchVideos: {
        readonly limit?: number;
        readonly query?: string;
        readonly skip?: number;
        readonly video_id?: string;
      };
      readonly listProducts: {
        readonly limit?: number;
        readonly page?: number;
        readonly project_id?: string;
        readonly type?: components["schemas"]["ProductType"];
      };
      readonly searchProducts: {
        readonly limit?: number;
        readonly query?: string;
        readonly project_id?: string;
        readonly type?: components["schemas"]["ProductType"];
        readonly product_id?: string;
      };
      readonly searchLeads: {
        readonly limit?: number;
        readonly query?: string;
        /** @enum {string} */
        readonly type?: "form" | "quiz";
        readonly lead_id?: string;
        readonly page_id?: string;
        readonly email?: string;
      };
    };
  };
}
