/** Generated from provider/kinds/registry.ts by "npm run generate"; a change belongs into the definition of the resource. */
import type * as pulumi from "@pulumi/pulumi";
import { registry } from "../kinds/registry.ts";
import { type Declared, resourceOf, templatedOf } from "./resource-classes.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Any JSON value, with outputs anywhere inside. */
export type JsonInput = pulumi.Input<null | boolean | number | string | JsonInput[] | { [key: string]: JsonInput }>;

/** Arguments of {@link Project}. */
export interface ProjectArgs {
  /** Display name. Default: the resource's logical name. */
  name?: pulumi.Input<string>;
  /** A description of the project, at least 50 characters. Needed unless the project is adopted. */
  description?: pulumi.Input<string>;
  /** Brand and offer brief, at least 200 characters. Needed unless the project is adopted. */
  context?: pulumi.Input<string>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A project: the group that pages, sites, funnels and products belong to. */
export interface Project extends pulumi.CustomResource {
  /** Display name. */
  readonly name: pulumi.Output<string>;
  /** A description of the project. */
  readonly description: pulumi.Output<string | null>;
  /** Brand and offer brief, from the answer to the last write. */
  readonly context: pulumi.Output<string | null>;
  /** False when the project is inactive. */
  readonly active: pulumi.Output<boolean>;
  /** When it was created, ISO-8601. */
  readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  readonly updatedAt: pulumi.Output<string | null>;
}
export const Project = resourceOf<Project, ProjectArgs>(registry.project);

/** Arguments of {@link Site}. */
export interface SiteArgs {
  /** Display name, often the domain. Default: the resource's logical name. */
  name?: pulumi.Input<string>;
  /** Description, sent on creation only. */
  description?: pulumi.Input<string>;
  /** Project that the site is attached to. */
  projectId?: pulumi.Input<string>;
  /** Take over an existing site of this name. Default: true. */
  reuse?: pulumi.Input<boolean>;
  /** Make a new site when name, description or project change; the old one stays in the account. Default: false. */
  replaceOnChange?: pulumi.Input<boolean>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A site: the host that pages are published on. Landform takes over an existing site of exactly that name. The API can't change or delete a site. */
export interface Site extends pulumi.CustomResource, Declared<SiteArgs, "description" | "reuse" | "replaceOnChange"> {
  /** Display name. */
  readonly name: pulumi.Output<string>;
  /** Project of the site. */
  readonly projectId: pulumi.Output<string | null>;
  /** Name stored on the site. */
  readonly siteName: pulumi.Output<string | null>;
  /** Public domain. */
  readonly domain: pulumi.Output<string | null>;
  /** Connected custom domain. */
  readonly customDomain: pulumi.Output<string | null>;
  /** Domain provided by the service. */
  readonly atomicDomain: pulumi.Output<string | null>;
  /** Public URL. */
  readonly url: pulumi.Output<string | null>;
  /** Status as the service calls it. */
  readonly status: pulumi.Output<string | null>;
  /** DNS instructions for a custom domain, when the service returned them. */
  readonly customDomainInstructions: pulumi.Output<unknown>;
  /** When it was created, ISO-8601. */
  readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  readonly updatedAt: pulumi.Output<string | null>;
}
export const Site = resourceOf<Site, SiteArgs>(registry.site);

export interface PageDelayArgs {
  /** Seconds after which hidden sections are revealed. */
  time?: pulumi.Input<number>;
  /** Count the time of the video instead of the clock. */
  syncWithVideo?: pulumi.Input<boolean>;
  /** Scroll to the revealed section. */
  scrollIntoView?: pulumi.Input<boolean>;
  /** Builder node of the video. */
  videoNodeId?: pulumi.Input<string>;
}

export interface PageNodesArgs {
  /** Properties of the node to set; others are left alone. */
  misc?: pulumi.Input<Record<string, JsonInput>>;
  /** Style properties of the node to set; others are left alone. */
  style?: pulumi.Input<Record<string, JsonInput>>;
  /** Type of the node, as a hint to the builder. */
  nodeType?: pulumi.Input<string>;
  node?: undefined;
}

export interface PageNodesNodeArgs {
  /** The complete node that takes the place of this one. */
  node: pulumi.Input<Record<string, JsonInput>>;
  misc?: undefined;
  style?: undefined;
  nodeType?: undefined;
}

export interface PagePublishArgs {
  /** Site that the page is published on. A change replaces the page. */
  siteId: pulumi.Input<string>;
  /** Path on the site; leave out or empty for the root. */
  slug?: pulumi.Input<string>;
  /** After each publication, read the public page until it shows the changed texts. Changes nothing. */
  verify?: pulumi.Input<boolean>;
  /** The release that publishes the page. The release fills this in itself. */
  release?: pulumi.Input<string>;
}

/** Arguments of {@link Page}. */
export interface PageArgs {
  /** Display name. Default: the resource's logical name. */
  name?: pulumi.Input<string>;
  /** Project of the page. */
  projectId?: pulumi.Input<string>;
  /** Template that the page is made from. A change replaces the page. */
  templateId?: pulumi.Input<string>;
  /** Site that the draft is attached to, for pages made from a template. A change replaces the page. */
  siteId?: pulumi.Input<string>;
  /** Content keys and their values. Landform leaves undeclared keys alone. */
  content?: pulumi.Input<Record<string, JsonInput>>;
  /** Values for the page's {{placeholders}}. A changed value renders the texts again. */
  variables?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Tag names. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Product label of the page. */
  productLabel?: pulumi.Input<string>;
  /** Reveal delay. */
  delay?: pulumi.Input<PageDelayArgs>;
  /** Builder nodes to change, by node id: a patch of misc and style, or a whole replacement under `node`. */
  nodes?: pulumi.Input<Record<string, pulumi.Input<PageNodesArgs | PageNodesNodeArgs>>>;
  /** Publishes the page. The API can't unpublish. */
  publish?: pulumi.Input<PagePublishArgs>;
  /** Decides about foreign edits in the draft of the published page. `hold` (the default) keeps the page back until somebody publishes or undoes them. `include` publishes them too. */
  onForeignEdits?: pulumi.Input<"hold" | "include">;
  /** Page that this one is a copy of. A change replaces the page. */
  duplicateOf?: pulumi.Input<string>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A landing page: made blank, from a template or as a copy, edited by content keys, and published on a site. */
export interface Page
  extends
    pulumi.CustomResource,
    Declared<
      PageArgs,
      "templateId" | "variables" | "tags" | "productLabel" | "delay" | "publish" | "onForeignEdits" | "duplicateOf"
    > {
  /** Display name, with the site in parentheses when the page is on a site. */
  readonly name: pulumi.Output<string>;
  /** Project of the page. */
  readonly projectId: pulumi.Output<string | null>;
  /** Site that the page is attached to. */
  readonly siteId: pulumi.Output<string | null>;
  /** Content keys and their values. Landform leaves undeclared keys alone. */
  readonly content: pulumi.Output<Record<string, Json> | undefined>;
  /** Builder nodes to change, by node id: a patch of misc and style, or a whole replacement under `node`. */
  readonly nodes: pulumi.Output<
    | Record<
        string,
        | { misc?: Record<string, Json>; style?: Record<string, Json>; nodeType?: string }
        | { node: Record<string, Json> }
      >
    | undefined
  >;
  /** Name without the site. */
  readonly pageName: pulumi.Output<string>;
  /** published or draft. */
  readonly status: pulumi.Output<string>;
  /** True when the page is a quiz. */
  readonly isQuiz: pulumi.Output<boolean>;
  /** Name of that site. */
  readonly siteName: pulumi.Output<string | null>;
  /** Domain that the page is published on. */
  readonly domain: pulumi.Output<string | null>;
  /** Path on the site; empty means the root. */
  readonly slug: pulumi.Output<string | null>;
  /** Public URL, once published. */
  readonly url: pulumi.Output<string | null>;
  /** Link to the page in the builder. */
  readonly editUrl: pulumi.Output<string>;
  /** When it was last published, ISO-8601. */
  readonly publishedAt: pulumi.Output<string | null>;
  /** True when the page was edited after it was last published. */
  readonly hasUnpublishedChanges: pulumi.Output<boolean>;
  /** When it was created, ISO-8601. */
  readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  readonly updatedAt: pulumi.Output<string | null>;
}
export const Page = templatedOf<Page, PageArgs, JsonInput>(registry.page);

/** Arguments of {@link Quiz}. */
export interface QuizArgs extends Omit<PageArgs, "duplicateOf"> {
  /** Quiz that this one is a copy of. A change replaces the quiz. */
  duplicateOf?: pulumi.Input<string>;
}

/** A quiz: a page with questions. Its content, publication and deletion work like those of a page. */
export interface Quiz
  extends
    pulumi.CustomResource,
    Declared<QuizArgs, "duplicateOf">,
    Omit<Page, keyof pulumi.CustomResource | "duplicateOf"> {
  /** Id of the page that hosts the quiz. */
  readonly pageId: pulumi.Output<string>;
  /** Id of the quiz itself; may differ from the page's. */
  readonly quizId: pulumi.Output<string | null>;
}
export const Quiz = templatedOf<Quiz, QuizArgs, JsonInput>(registry.quiz);

export interface FunnelStepsArgs {
  /** Id of a page of this account. */
  pageId: pulumi.Input<string>;
  /** Step type, such as presell, sales or thankyou. */
  pageType: pulumi.Input<string>;
  url?: undefined;
}

export interface FunnelStepsUrlArgs {
  /** External URL, if the step is not a page of this account. */
  url: pulumi.Input<string>;
  /** Step type, such as presell, sales or thankyou. */
  pageType: pulumi.Input<string>;
  pageId?: undefined;
}

/** Arguments of {@link Funnel}. */
export interface FunnelArgs {
  /** Display name. Default: the resource's logical name. */
  name?: pulumi.Input<string>;
  /** Project of the funnel. A change replaces it. */
  projectId?: pulumi.Input<string>;
  /** Steps in order. */
  steps?: pulumi.Input<pulumi.Input<FunnelStepsArgs | FunnelStepsUrlArgs>[]>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A funnel: pages in the order in which a visitor goes through them. */
export interface Funnel extends pulumi.CustomResource {
  /** Display name. */
  readonly name: pulumi.Output<string>;
  /** Project of the funnel. */
  readonly projectId: pulumi.Output<string | null>;
  /** Steps in order. */
  readonly steps: pulumi.Output<unknown[]>;
  /** Site of the funnel. */
  readonly siteId: pulumi.Output<string | null>;
  /** Status as the service calls it. */
  readonly status: pulumi.Output<string | null>;
  /** Page ids or step objects, as the service stores them. */
  readonly pages: pulumi.Output<unknown[]>;
  /** Comma-separated page ids, if the service stores ids. */
  readonly pageIds: pulumi.Output<string | null>;
  /** When it was created, ISO-8601. */
  readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  readonly updatedAt: pulumi.Output<string | null>;
}
export const Funnel = resourceOf<Funnel, FunnelArgs>(registry.funnel);

export interface ProductVariantsArgs {
  /** Id of the variant, unique in the product. */
  id: pulumi.Input<string>;
  /** Display name. */
  name: pulumi.Input<string>;
  /** Image URL. */
  image?: pulumi.Input<string>;
}

export interface ProductSubscriptionArgs {
  /** True if visitors can subscribe to the product. */
  enabled: pulumi.Input<boolean>;
  /** Discount for subscribers, in percent. */
  discountPercent?: pulumi.Input<number>;
  /** Benefits listed for subscribers. */
  benefits?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of {@link Product}. */
export interface ProductArgs {
  /** Display name. Default: the resource's logical name. */
  name?: pulumi.Input<string>;
  /** Kind of product; a bundle needs bundleItems. Default: simple. */
  type?: pulumi.Input<"simple" | "bundle">;
  /** Project of the product. */
  projectId?: pulumi.Input<string>;
  /** Stock keeping unit. */
  sku?: pulumi.Input<string>;
  /** Description. */
  description?: pulumi.Input<string>;
  /** Image URL. */
  image?: pulumi.Input<string>;
  /** Price. */
  price?: pulumi.Input<number>;
  /** Comparison price, shown struck through. */
  comparePrice?: pulumi.Input<number>;
  /** Button text. */
  ctaText?: pulumi.Input<string>;
  /** Button URL. */
  ctaUrl?: pulumi.Input<string>;
  /** Show the full product block. */
  showFullProduct?: pulumi.Input<boolean>;
  /** Open the button's URL in a new tab. */
  ctaTarget?: pulumi.Input<boolean>;
  /** One button link for all variants. */
  useSingleCtaLink?: pulumi.Input<boolean>;
  /** Rating label. The service turns an empty label into 4.9. */
  rating?: pulumi.Input<string>;
  /** Rating count label. */
  ratingCount?: pulumi.Input<string>;
  /** Labels of trust badges. */
  trustBadges?: pulumi.Input<pulumi.Input<string>[]>;
  /** Variants. */
  variants?: pulumi.Input<pulumi.Input<ProductVariantsArgs>[]>;
  /** True if quantity tiers are active. */
  tiersEnabled?: pulumi.Input<boolean>;
  /** Quantity tiers, passed on as they are. */
  tiers?: pulumi.Input<pulumi.Input<Record<string, JsonInput>>[]>;
  /** Items of a bundle, passed on as they are. */
  bundleItems?: pulumi.Input<pulumi.Input<Record<string, JsonInput>>[]>;
  /** Discount of a bundle. */
  bundleDiscount?: pulumi.Input<number>;
  /** Subscription offer. */
  subscription?: pulumi.Input<ProductSubscriptionArgs>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A product, simple or a bundle of items. */
export interface Product
  extends pulumi.CustomResource, Declared<ProductArgs, "trustBadges" | "variants" | "subscription"> {
  /** Display name. */
  readonly name: pulumi.Output<string>;
  /** simple or bundle. */
  readonly type: pulumi.Output<string>;
  /** Project of the product. */
  readonly projectId: pulumi.Output<string | null>;
  /** Stock keeping unit. */
  readonly sku: pulumi.Output<string | null>;
  /** Description. */
  readonly description: pulumi.Output<string | null>;
  /** Image URL. */
  readonly image: pulumi.Output<string | null>;
  /** Price. */
  readonly price: pulumi.Output<number | null>;
  /** Comparison price. */
  readonly comparePrice: pulumi.Output<number | null>;
  /** Button text. */
  readonly ctaText: pulumi.Output<string | null>;
  /** Button URL. */
  readonly ctaUrl: pulumi.Output<string | null>;
  /** True if the page shows the full product block. */
  readonly showFullProduct: pulumi.Output<boolean>;
  /** True if the button's URL opens in a new tab. */
  readonly ctaTarget: pulumi.Output<boolean>;
  /** True if all variants have one button link. */
  readonly useSingleCtaLink: pulumi.Output<boolean>;
  /** Rating label. */
  readonly rating: pulumi.Output<string | null>;
  /** Rating count label. */
  readonly ratingCount: pulumi.Output<string | null>;
  /** True if quantity tiers are active. */
  readonly tiersEnabled: pulumi.Output<boolean>;
  /** Quantity tiers, passed on as they are. */
  readonly tiers: pulumi.Output<Record<string, Json>[] | undefined>;
  /** Items of a bundle, passed on as they are. */
  readonly bundleItems: pulumi.Output<Record<string, Json>[] | undefined>;
  /** Discount of a bundle. */
  readonly bundleDiscount: pulumi.Output<number | null>;
  /** Number of items in a bundle. */
  readonly bundleItemCount: pulumi.Output<number | null>;
  /** True if the subscription offer is active. */
  readonly subscriptionEnabled: pulumi.Output<boolean>;
  /** When it was created, ISO-8601. */
  readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  readonly updatedAt: pulumi.Output<string | null>;
}
export const Product = resourceOf<Product, ProductArgs>(registry.product);

/** Arguments of {@link Hook}. */
export interface HookArgs {
  /** Event that is delivered. */
  eventType: pulumi.Input<
    | "form_lead.created"
    | "quiz_lead.created"
    | "page.created"
    | "page.published"
    | "product.created"
    | "funnel.created"
    | "site.created"
    | "project.created"
  >;
  /** Public HTTPS URL that receives the events. */
  targetUrl: pulumi.Input<string>;
  /** Filters stored with the subscription, passed on as they are. */
  filters?: pulumi.Input<Record<string, JsonInput>>;
  /** Add a token to the URL (landform_token=…), so that the receiver can drop deliveries of a subscription that no stack knows. */
  token?: pulumi.Input<boolean>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A webhook subscription. Any change makes a new one; the service never shows it again, so it has no drift. */
export interface Hook extends pulumi.CustomResource, Declared<HookArgs, "targetUrl" | "token"> {
  /** Event that is delivered. */
  readonly eventType: pulumi.Output<string>;
  /** Filters stored with the subscription, passed on as they are. */
  readonly filters: pulumi.Output<Record<string, Json> | undefined>;
  /** True until the subscription is disabled. */
  readonly active: pulumi.Output<boolean>;
  /** The token that `token: true` adds to the URL. Secret. */
  readonly deliveryToken: pulumi.Output<string | null>;
  /** When it was created, ISO-8601. */
  readonly createdAt: pulumi.Output<string | null>;
}
export const Hook = resourceOf<Hook, HookArgs>(registry.hook);

/** Arguments of {@link VideoPlayer}. */
export interface VideoPlayerArgs {
  /** Id of the video. */
  videoId: pulumi.Input<string>;
  /** Name in the library. */
  name?: pulumi.Input<string>;
  /** Title shown in the player. */
  title?: pulumi.Input<string>;
  /** Language of the player. */
  language?: pulumi.Input<string>;
  /** Project of the video. */
  projectId?: pulumi.Input<string>;
  /** Accent colour of the player. */
  primaryColor?: pulumi.Input<string>;
  /** Show controls. */
  controls?: pulumi.Input<boolean>;
  /** Start by itself. */
  autoplay?: pulumi.Input<boolean>;
  /** Start muted. */
  muted?: pulumi.Input<boolean>;
  /** Start again at the end. */
  loop?: pulumi.Input<boolean>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** The player settings of an existing video. Deleting the resource leaves the video and its settings as they are. */
export interface VideoPlayer
  extends
    pulumi.CustomResource,
    Declared<VideoPlayerArgs, "language" | "primaryColor" | "controls" | "autoplay" | "muted" | "loop"> {
  /** Id of the video. */
  readonly videoId: pulumi.Output<string>;
  /** Name in the library. */
  readonly name: pulumi.Output<string | null>;
  /** Title shown in the player. */
  readonly title: pulumi.Output<string | null>;
  /** Project of the video. */
  readonly projectId: pulumi.Output<string | null>;
  /** Encoding or playback status. */
  readonly status: pulumi.Output<string | null>;
  /** Length in seconds, when the player returns it. */
  readonly duration: pulumi.Output<number | string | null>;
  /** URL of the thumbnail. */
  readonly thumbnailUrl: pulumi.Output<string | null>;
  /** When it was created, ISO-8601. */
  readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  readonly updatedAt: pulumi.Output<string | null>;
}
export const VideoPlayer = resourceOf<VideoPlayer, VideoPlayerArgs>(registry.videoPlayer);
