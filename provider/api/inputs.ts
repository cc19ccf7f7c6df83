/** What operations take: bodies and queries, named as on the wire. A property left undefined is not sent. */

export interface ProjectCreate {
  name: string;
  description: string;
  context: string;
}
export type ProjectUpdate = Partial<ProjectCreate>;

export interface SiteCreate {
  name?: string;
  description?: string;
  project_id?: string;
}

export interface PageCreate {
  name: string;
  project_id?: string;
}

export interface FromTemplate {
  template_id: string;
  name?: string;
  site_id?: string;
  project_id?: string;
}

export interface PageDuplicateInput {
  page_id: string;
  new_name?: string;
}

/** At least one of the optional fields must be there. */
export interface PageMetadataInput {
  page_id: string;
  name?: string;
  project_id?: string;
  tags?: readonly string[] | string;
  product_label?: string;
}

export interface PageContentInput {
  page_id: string;
  updates: Readonly<Record<string, unknown>>;
}

export interface PageVariablesInput {
  page_id: string;
  variables: Readonly<Record<string, string>>;
}

export interface PagePublishInput {
  page_id: string;
  site_id: string;
  /** Empty or absent: the root of the site. */
  slug?: string;
}

export interface PageDelayInput {
  page_id: string;
  time?: number;
  sync_with_video?: boolean;
  scroll_into_view?: boolean;
  video_node_id?: string;
}

export interface BuilderNodeInput {
  page_id: string;
  node_id: string;
  updates: { readonly misc?: Readonly<Record<string, unknown>>; readonly style?: Readonly<Record<string, unknown>> };
  node_type?: string;
}

export interface BuilderNodeReplaceInput {
  page_id: string;
  node_id: string;
  node: Readonly<Record<string, unknown>>;
}

export interface QuizCreate {
  name: string;
  project_id?: string;
  site_id?: string;
}

/** Either pageId or url. */
export interface FunnelStep {
  pageId?: string;
  url?: string;
  pageType: string;
}

export interface FunnelCreate {
  name: string;
  project_id?: string;
  pages?: readonly FunnelStep[];
}

/** `pages` replaces the whole list of steps. */
export interface FunnelUpdate {
  funnel_id: string;
  name?: string;
  pages?: readonly FunnelStep[];
}

export interface VideoUpdate {
  video_id: string;
  name?: string;
  title?: string;
  language?: string;
  project_id?: string;
  primary_color?: string;
  controls?: boolean;
  autoplay?: boolean;
  muted?: boolean;
  loop?: boolean;
}

export interface ProductFields {
  type?: "simple" | "bundle";
  project_id?: string;
  sku?: string;
  description?: string;
  image?: string;
  price?: number;
  compare_price?: number;
  cta_text?: string;
  cta_url?: string;
  show_full_product?: boolean;
  cta_target?: boolean;
  use_single_cta_link?: boolean;
  rating?: string;
  rating_count?: string;
  trust_badges_json?: readonly unknown[] | string;
  variants_json?: readonly unknown[] | string;
  tiers_enabled?: boolean;
  tiers_json?: readonly unknown[] | string;
  bundle_items_json?: readonly unknown[] | string;
  bundle_discount?: number;
  subscription_json?: Readonly<Record<string, unknown>> | string;
}
export interface ProductCreate extends ProductFields {
  name: string;
}
export interface ProductUpdate extends ProductFields {
  product_id: string;
  name?: string;
}

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
export type EventType = (typeof eventTypes)[number];

export interface HookCreate {
  target_url: string;
  event_type: EventType;
  filters?: Readonly<Record<string, unknown>>;
}

interface Limited {
  /** 1 to 100, the service's default is 50. */
  limit?: number;
}
interface Paged extends Limited {
  /** From 0. */
  page?: number;
}
interface Skipped extends Limited {
  /** How many records to leave out. */
  skip?: number;
}

export interface SiteFilter {
  project_id?: string;
  query?: string;
}
export interface PageFilter {
  project_id?: string;
  site_id?: string;
  published?: boolean;
  is_quiz?: boolean;
  has_element?: string;
  available_for_funnel?: boolean;
}
export interface QuizFilter {
  query?: string;
  page_id?: string;
  quiz_id?: string;
}
export interface ProductFilter {
  project_id?: string;
  type?: "simple" | "bundle";
}
export interface FunnelFilter {
  project_id?: string;
}

export type ProjectList = Paged;
export type SiteList = Paged & SiteFilter;
export type PageList = Paged & PageFilter;
export type QuizList = Paged & QuizFilter;
export type ProductList = Paged & ProductFilter;
export type FunnelList = Limited & FunnelFilter;
export type VideoList = Skipped;

export interface ProjectSearch extends Limited {
  query?: string;
  project_id?: string;
}
export interface SiteSearch extends Limited {
  query?: string;
  project_id?: string;
  site_id?: string;
}
export interface PageSearch extends Limited {
  query?: string;
  page_id?: string;
}
export interface TemplateSearch extends Limited {
  query?: string;
  category?: string;
  type?: string;
  template_id?: string;
}
export interface FunnelSearch extends Limited {
  query?: string;
  project_id?: string;
  funnel_id?: string;
}
export interface VideoSearch extends Skipped {
  query?: string;
  video_id?: string;
}
export interface ProductSearch extends Limited {
  query?: string;
  project_id?: string;
  type?: "simple" | "bundle";
  product_id?: string;
}
export interface LeadSearch {
  /** 1 to 50, the service's default is 25. */
  limit?: number;
  query?: string;
  type?: "form" | "quiz";
  lead_id?: string;
  page_id?: string;
  email?: string;
}
