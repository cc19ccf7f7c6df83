/** The field tables of the prose specification, in the notation of specification.ts. */

/** The records that the service returns. Field order is the specification's. */
export const results: Readonly<Record<string, string>> = {
  Account: "id string; email string|null; name string; plan untyped; workspace_id string",
  Project:
    "id string; name string; description string|null; context string|null; active boolean; created_at string|null; updated_at string|null",
  Site: "id string; name string; site_name string|null; domain string|null; custom_domain string|null; atomic_domain string|null; project_id string|null; status string|null; created_at string|null; updated_at string|null",
  SiteCreated:
    "id string; site_id string; name string|null; atomic_domain string|null; url string|null; project_id string|null; custom_domain_instructions untyped",
  Page: "id string; name string; page_name string; status published|draft; is_quiz boolean; project_id string|null; site_id string|null; site_name string|null; domain string|null; slug string|null; url string|null; edit_url string; created_at string|null; updated_at string|null; published_at string|null",
  TemplatedPage:
    "id string; name string; page_name string; status published|draft; is_quiz boolean; project_id string|null; site_id string|null; site_name string|null; domain string|null; slug string|null; url string|null; edit_url string; created_at string|null; updated_at string|null; published_at string|null; template_id string; from_template true",
  PageDuplicateResult: "id string; name string; page_name string; source_page_id string; edit_url string",
  PageMetadataResult:
    "id string; page_id string; updated boolean; name string|null; project_id string|null; tags untyped; product_label string|null",
  PageContentResult:
    "id string; page_id string; success boolean; applied_count number; changed_section_count number; missing_count number; applied json; missing json",
  PageVariablesResult:
    "id string; page_id string; success boolean; replacement_count number; changed_section_count number; replaced_variables json; remaining_variables json; remaining_variable_count number",
  PageValidation:
    "id string; page_id string; ready_to_publish boolean; issue_count number; issues json; field_count number; remaining_variable_count number; remaining_variables json",
  PagePublishResult:
    "id string; page_id string; site_id string; success boolean; url string|null; domain string|null; slug string; revision_saved boolean; revision_warning string|null",
  PageDelayResult: "id string; page_id string; updated boolean; delay object",
  BuilderSummary: "id string; page_id string; builder object",
  BuilderNode: "id string; page_id string; node_id string; path string|null; summary untyped; node object",
  BuilderNodeUpdate: "id string; page_id string; node_id string; updated boolean; path string|null",
  BuilderNodeReplaceResult:
    "id string; page_id string; node_id string; updated boolean; path string|null; builder_warnings json",
  ContentMap:
    "id string|null; page_id string|null; page_name string|null; field_count number; variable_count number; variables json; fields json; ready_for_variable_replacement boolean",
  Template:
    "id string; name string; template_name string; category string|null; type string; description string|null; preview_url string|null; image_url string|null",
  Quiz: "id string; name string; quiz_name string; page_id string|null; page_name string|null; site_id string|null; project_id string|null; created_at string|null; updated_at string|null",
  QuizPage:
    "id string; quiz_id string; is_quiz true; name string; page_name string; project_id string|null; site_id string|null; edit_url string; status published|draft; site_name string|null; domain string|null; slug string|null; url string|null; created_at string|null; updated_at string|null; published_at string|null",
  TemplatedQuizPage:
    "id string; quiz_id string; is_quiz true; name string; page_name string; project_id string|null; site_id string|null; edit_url string; status published|draft; site_name string|null; domain string|null; slug string|null; url string|null; created_at string|null; updated_at string|null; published_at string|null; template_id string; from_template true",
  Funnel:
    "id string; name string; site_id string|null; project_id string|null; status string|null; pages array; page_ids string; steps array; created_at string|null; updated_at string|null",
  Video:
    "id string|null; video_id string|null; name string|null; title string|null; status string|null; duration untyped; thumbnail_url string|null; project_id string|null; created_at string|null; updated_at string|null",
  Product:
    "id string; name string; type simple|bundle; sku string|null; description string|null; image string|null; show_full_product boolean; price number; compare_price number; rating string|null; rating_count string|null; project_id string|null; cta_text string|null; cta_url string|null; cta_target boolean; use_single_cta_link boolean; bundle_discount number; bundle_item_count number; tiers_enabled boolean; subscription_enabled boolean; created_at string|null; updated_at string|null",
  Lead: "id string; lead_id string; type form|quiz; name string|null; first_name string|null; last_name string|null; email string|null; phone string|null; form_id string|null; form_name string|null; quiz_id string|null; quiz_name string|null; page_id string|null; page_url string|null; project_id string|null; site_id string|null; abandoned boolean; is_completed boolean; fields object; answers object; created_at string|null",
  HookSubscription:
    "id string; event_type form_lead.created|quiz_lead.created|page.created|page.published|product.created|funnel.created|site.created|project.created; active boolean; created_at string",
  HookDisabled: "success true",
  Deleted: "success boolean; id string; deleted boolean",
  Error: "error! string; message! string",
};

const productFields =
  "project_id string; sku string; description string; image string; price number; compare_price number; cta_text string; cta_url string; show_full_product boolean; cta_target boolean; use_single_cta_link boolean; rating string; rating_count string; trust_badges_json array|json; variants_json array|json; tiers_enabled boolean; tiers_json array|json; bundle_items_json array|json; bundle_discount number; subscription_json object";

/** The inputs that the service takes. `[n..]` on a string is its shortest length. */
export const inputs: Readonly<Record<string, string>> = {
  ProjectCreate: "name! string; description! string [50..]; context! string [200..]",
  ProjectUpdate: "name string; description string; context string",
  SiteCreate: "name string; description string; project_id string",
  PageCreate: "name! string; project_id string",
  PageFromTemplate: "template_id! string; name string; site_id string; project_id string",
  PageDuplicate: "page_id! string; new_name string",
  PageMetadata:
    "page_id! string; name string; project_id string; tags array|string; product_label string; produkt string",
  PageIdBody: "page_id! string",
  PageContentUpdate: "page_id! string; updates! object|json",
  PageVariables: "page_id! string; variables! object|json",
  PagePublish: "page_id! string; site_id! string; slug string",
  PageDelay: "page_id! string; time number; sync_with_video boolean; scroll_into_view boolean; video_node_id string",
  BuilderNodeFields: "page_id! string; node_id! string; updates! object; node_type string",
  BuilderNodeReplace: "page_id! string; node_id! string; node! object|json",
  QuizCreate: "name! string; project_id string; site_id string",
  FunnelCreate: "name! string; project_id string; pages array",
  FunnelUpdate: "funnel_id! string; name string; pages array",
  FunnelPage: "pageId string; url string; pageType! string",
  VideoUpdate:
    "video_id! string; name string; title string; language string; project_id string; primary_color string; controls boolean; autoplay boolean; muted boolean; loop boolean",
  ProductWrite: `name! string; type simple|bundle =simple; ${productFields}`,
  ProductUpdate: `product_id! string; name string; type simple|bundle; ${productFields}`,
  HookCreate:
    "target_url! string; event_type! form_lead.created|quiz_lead.created|page.created|page.published|product.created|funnel.created|site.created|project.created; filters object",
};
