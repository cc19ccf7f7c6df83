/** Generated from provider/kinds/registry.ts by "npm run generate"; a change belongs into the definition of the resource. */
import * as pulumi from "@pulumi/pulumi";
import { registry } from "../kinds/registry.ts";
import type { Fitting } from "./known-templates.ts";
import { registration, settle } from "./resource.ts";

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
export class Project extends pulumi.CustomResource {
  /** Display name. */
  declare readonly name: pulumi.Output<string>;
  /** A description of the project. */
  declare readonly description: pulumi.Output<string | null>;
  /** Brand and offer brief, as the service answered it on the last write. */
  declare readonly context: pulumi.Output<string | null>;
  /** False when the project is inactive. */
  declare readonly active: pulumi.Output<boolean>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  constructor(name: string, args: ProjectArgs = {}, options?: pulumi.CustomResourceOptions) {
    const own = registration(registry.project, name, args, options);
    super(...own.call);
    settle(this, registry.project, args, own);
  }
}

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
export class Site extends pulumi.CustomResource {
  /** Display name. */
  declare readonly name: pulumi.Output<string>;
  /** Description, sent on creation only. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Project of the site. */
  declare readonly projectId: pulumi.Output<string | null>;
  /** Take over an existing site of this name. Default: true. */
  declare readonly reuse: pulumi.Output<boolean | undefined>;
  /** Make a new site when name, description or project change; the old one stays in the account. Default: false. */
  declare readonly replaceOnChange: pulumi.Output<boolean | undefined>;
  /** Name stored on the site. */
  declare readonly siteName: pulumi.Output<string | null>;
  /** Public domain. */
  declare readonly domain: pulumi.Output<string | null>;
  /** Connected custom domain. */
  declare readonly customDomain: pulumi.Output<string | null>;
  /** Domain provided by the service. */
  declare readonly atomicDomain: pulumi.Output<string | null>;
  /** Public URL. */
  declare readonly url: pulumi.Output<string | null>;
  /** Status as the service calls it. */
  declare readonly status: pulumi.Output<string | null>;
  /** DNS instructions for a custom domain, when the service returned them. */
  declare readonly customDomainInstructions: pulumi.Output<unknown>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  constructor(name: string, args: SiteArgs = {}, options?: pulumi.CustomResourceOptions) {
    const own = registration(registry.site, name, args, options);
    super(...own.call);
    settle(this, registry.site, args, own);
  }
}

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
  /** Publishes the page. If you remove it, Landform replaces the page, since the API can't unpublish. */
  publish?: pulumi.Input<PagePublishArgs>;
  /** Decides about foreign edits in the draft of the published page. `hold` (the default) keeps the page back until somebody publishes or undoes them. `include` publishes them too. */
  onForeignEdits?: pulumi.Input<"hold" | "include">;
  /** Page that this one is a copy of. A change replaces the page. */
  duplicateOf?: pulumi.Input<string>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A landing page: made blank, from a template or as a copy, edited by content keys, and published on a site. */
export class Page<TemplateId extends string = string> extends pulumi.CustomResource {
  /** Display name, with the site in parentheses when the page is on a site. */
  declare readonly name: pulumi.Output<string>;
  /** Project of the page. */
  declare readonly projectId: pulumi.Output<string | null>;
  /** Template that the page is made from. A change replaces the page. */
  declare readonly templateId: pulumi.Output<string | undefined>;
  /** Site that the page is attached to. */
  declare readonly siteId: pulumi.Output<string | null>;
  /** Content keys and their values. Landform leaves undeclared keys alone. */
  declare readonly content: pulumi.Output<Record<string, Json> | undefined>;
  /** Values for the page's {{placeholders}}. A changed value renders the texts again. */
  declare readonly variables: pulumi.Output<Record<string, string> | undefined>;
  /** Tag names. */
  declare readonly tags: pulumi.Output<string[] | undefined>;
  /** Product label of the page. */
  declare readonly productLabel: pulumi.Output<string | undefined>;
  /** Reveal delay. */
  declare readonly delay: pulumi.Output<
    { time?: number; syncWithVideo?: boolean; scrollIntoView?: boolean; videoNodeId?: string } | undefined
  >;
  /** Builder nodes to change, by node id: a patch of misc and style, or a whole replacement under `node`. */
  declare readonly nodes: pulumi.Output<
    | Record<
        string,
        | { misc?: Record<string, Json>; style?: Record<string, Json>; nodeType?: string }
        | { node: Record<string, Json> }
      >
    | undefined
  >;
  /** Publishes the page. If you remove it, Landform replaces the page, since the API can't unpublish. */
  declare readonly publish: pulumi.Output<
    { siteId: string; slug?: string; verify?: boolean; release?: string } | undefined
  >;
  /** Decides about foreign edits in the draft of the published page. `hold` (the default) keeps the page back until somebody publishes or undoes them. `include` publishes them too. */
  declare readonly onForeignEdits: pulumi.Output<"hold" | "include" | undefined>;
  /** Page that this one is a copy of. A change replaces the page. */
  declare readonly duplicateOf: pulumi.Output<string | undefined>;
  /** Name without the site. */
  declare readonly pageName: pulumi.Output<string>;
  /** published or draft. */
  declare readonly status: pulumi.Output<string>;
  /** True when the page is a quiz. */
  declare readonly isQuiz: pulumi.Output<boolean>;
  /** Name of that site. */
  declare readonly siteName: pulumi.Output<string | null>;
  /** Domain that the page is published on. */
  declare readonly domain: pulumi.Output<string | null>;
  /** Path on the site; empty means the root. */
  declare readonly slug: pulumi.Output<string | null>;
  /** Public URL, once published. */
  declare readonly url: pulumi.Output<string | null>;
  /** Link to the page in the builder. */
  declare readonly editUrl: pulumi.Output<string>;
  /** When it was last published, ISO-8601. */
  declare readonly publishedAt: pulumi.Output<string | null>;
  /** True when the page was edited after it was last published. */
  declare readonly hasUnpublishedChanges: pulumi.Output<boolean>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  constructor(name: string, args?: Fitting<PageArgs, TemplateId, JsonInput>, options?: pulumi.CustomResourceOptions) {
    const given = (args ?? {}) as PageArgs;
    const own = registration(registry.page, name, given, options);
    super(...own.call);
    settle(this, registry.page, given, own);
  }
}

/** Arguments of {@link Quiz}. */
export interface QuizArgs extends Omit<PageArgs, "duplicateOf"> {
  /** Quiz that this one is a copy of. A change replaces the quiz. */
  duplicateOf?: pulumi.Input<string>;
}

/** A quiz: a page with questions. Its content, publication and deletion work like those of a page. */
export class Quiz<TemplateId extends string = string> extends pulumi.CustomResource {
  /** Display name, with the site in parentheses when the page is on a site. */
  declare readonly name: pulumi.Output<string>;
  /** Project of the page. */
  declare readonly projectId: pulumi.Output<string | null>;
  /** Template that the page is made from. A change replaces the page. */
  declare readonly templateId: pulumi.Output<string | undefined>;
  /** Site that the page is attached to. */
  declare readonly siteId: pulumi.Output<string | null>;
  /** Content keys and their values. Landform leaves undeclared keys alone. */
  declare readonly content: pulumi.Output<Record<string, Json> | undefined>;
  /** Values for the page's {{placeholders}}. A changed value renders the texts again. */
  declare readonly variables: pulumi.Output<Record<string, string> | undefined>;
  /** Tag names. */
  declare readonly tags: pulumi.Output<string[] | undefined>;
  /** Product label of the page. */
  declare readonly productLabel: pulumi.Output<string | undefined>;
  /** Reveal delay. */
  declare readonly delay: pulumi.Output<
    { time?: number; syncWithVideo?: boolean; scrollIntoView?: boolean; videoNodeId?: string } | undefined
  >;
  /** Builder nodes to change, by node id: a patch of misc and style, or a whole replacement under `node`. */
  declare readonly nodes: pulumi.Output<
    | Record<
        string,
        | { misc?: Record<string, Json>; style?: Record<string, Json>; nodeType?: string }
        | { node: Record<string, Json> }
      >
    | undefined
  >;
  /** Publishes the page. If you remove it, Landform replaces the page, since the API can't unpublish. */
  declare readonly publish: pulumi.Output<
    { siteId: string; slug?: string; verify?: boolean; release?: string } | undefined
  >;
  /** Decides about foreign edits in the draft of the published page. `hold` (the default) keeps the page back until somebody publishes or undoes them. `include` publishes them too. */
  declare readonly onForeignEdits: pulumi.Output<"hold" | "include" | undefined>;
  /** Quiz that this one is a copy of. A change replaces the quiz. */
  declare readonly duplicateOf: pulumi.Output<string | undefined>;
  /** Name without the site. */
  declare readonly pageName: pulumi.Output<string>;
  /** published or draft. */
  declare readonly status: pulumi.Output<string>;
  /** True when the page is a quiz. */
  declare readonly isQuiz: pulumi.Output<boolean>;
  /** Name of that site. */
  declare readonly siteName: pulumi.Output<string | null>;
  /** Domain that the page is published on. */
  declare readonly domain: pulumi.Output<string | null>;
  /** Path on the site; empty means the root. */
  declare readonly slug: pulumi.Output<string | null>;
  /** Public URL, once published. */
  declare readonly url: pulumi.Output<string | null>;
  /** Link to the page in the builder. */
  declare readonly editUrl: pulumi.Output<string>;
  /** When it was last published, ISO-8601. */
  declare readonly publishedAt: pulumi.Output<string | null>;
  /** True when the page was edited after it was last published. */
  declare readonly hasUnpublishedChanges: pulumi.Output<boolean>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;
  /** Id of the page that hosts the quiz. */
  declare readonly pageId: pulumi.Output<string>;
  /** Id of the quiz itself; may differ from the page's. */
  declare readonly quizId: pulumi.Output<string | null>;

  constructor(name: string, args?: Fitting<QuizArgs, TemplateId, JsonInput>, options?: pulumi.CustomResourceOptions) {
    const given = (args ?? {}) as QuizArgs;
    const own = registration(registry.quiz, name, given, options);
    super(...own.call);
    settle(this, registry.quiz, given, own);
  }
}

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
export class Funnel extends pulumi.CustomResource {
  /** Display name. */
  declare readonly name: pulumi.Output<string>;
  /** Project of the funnel. */
  declare readonly projectId: pulumi.Output<string | null>;
  /** Steps in order. */
  declare readonly steps: pulumi.Output<unknown[]>;
  /** Site of the funnel. */
  declare readonly siteId: pulumi.Output<string | null>;
  /** Status as the service calls it. */
  declare readonly status: pulumi.Output<string | null>;
  /** Page ids or step objects, as the service stores them. */
  declare readonly pages: pulumi.Output<unknown[]>;
  /** Comma-separated page ids, if the service stores ids. */
  declare readonly pageIds: pulumi.Output<string | null>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  constructor(name: string, args: FunnelArgs = {}, options?: pulumi.CustomResourceOptions) {
    const own = registration(registry.funnel, name, args, options);
    super(...own.call);
    settle(this, registry.funnel, args, own);
  }
}

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
export class Product extends pulumi.CustomResource {
  /** Display name. */
  declare readonly name: pulumi.Output<string>;
  /** simple or bundle. */
  declare readonly type: pulumi.Output<string>;
  /** Project of the product. */
  declare readonly projectId: pulumi.Output<string | null>;
  /** Stock keeping unit. */
  declare readonly sku: pulumi.Output<string | null>;
  /** Description. */
  declare readonly description: pulumi.Output<string | null>;
  /** Image URL. */
  declare readonly image: pulumi.Output<string | null>;
  /** Price. */
  declare readonly price: pulumi.Output<number | null>;
  /** Comparison price. */
  declare readonly comparePrice: pulumi.Output<number | null>;
  /** Button text. */
  declare readonly ctaText: pulumi.Output<string | null>;
  /** Button URL. */
  declare readonly ctaUrl: pulumi.Output<string | null>;
  /** True if the page shows the full product block. */
  declare readonly showFullProduct: pulumi.Output<boolean>;
  /** True if the button's URL opens in a new tab. */
  declare readonly ctaTarget: pulumi.Output<boolean>;
  /** True if all variants have one button link. */
  declare readonly useSingleCtaLink: pulumi.Output<boolean>;
  /** Rating label. */
  declare readonly rating: pulumi.Output<string | null>;
  /** Rating count label. */
  declare readonly ratingCount: pulumi.Output<string | null>;
  /** Labels of trust badges. */
  declare readonly trustBadges: pulumi.Output<string[] | undefined>;
  /** Variants. */
  declare readonly variants: pulumi.Output<{ id: string; name: string; image?: string }[] | undefined>;
  /** True if quantity tiers are active. */
  declare readonly tiersEnabled: pulumi.Output<boolean>;
  /** Quantity tiers, passed on as they are. */
  declare readonly tiers: pulumi.Output<Record<string, Json>[] | undefined>;
  /** Items of a bundle, passed on as they are. */
  declare readonly bundleItems: pulumi.Output<Record<string, Json>[] | undefined>;
  /** Discount of a bundle. */
  declare readonly bundleDiscount: pulumi.Output<number | null>;
  /** Subscription offer. */
  declare readonly subscription: pulumi.Output<
    { enabled: boolean; discountPercent?: number; benefits?: string[] } | undefined
  >;
  /** Number of items in a bundle. */
  declare readonly bundleItemCount: pulumi.Output<number | null>;
  /** True if the subscription offer is active. */
  declare readonly subscriptionEnabled: pulumi.Output<boolean>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  constructor(name: string, args: ProductArgs = {}, options?: pulumi.CustomResourceOptions) {
    const own = registration(registry.product, name, args, options);
    super(...own.call);
    settle(this, registry.product, args, own);
  }
}

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
  /** Add a token to the URL (landform_token=…), so that the receiver can drop deliveries of an orphaned subscription. */
  token?: pulumi.Input<boolean>;
  /** Id of an existing object that this resource takes over instead of creating one. */
  adoptId?: pulumi.Input<string>;
}

/** A webhook subscription. Any change makes a new one; the service never shows it again, so it has no drift. */
export class Hook extends pulumi.CustomResource {
  /** Event that is delivered. */
  declare readonly eventType: pulumi.Output<string>;
  /** Public HTTPS URL that receives the events. */
  declare readonly targetUrl: pulumi.Output<string>;
  /** Filters stored with the subscription, passed on as they are. */
  declare readonly filters: pulumi.Output<Record<string, Json> | undefined>;
  /** Add a token to the URL (landform_token=…), so that the receiver can drop deliveries of an orphaned subscription. */
  declare readonly token: pulumi.Output<boolean | undefined>;
  /** True until the subscription is disabled. */
  declare readonly active: pulumi.Output<boolean>;
  /** The token added to the URL, when asked for. Secret. */
  declare readonly deliveryToken: pulumi.Output<string | null>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;

  constructor(name: string, args: HookArgs, options?: pulumi.CustomResourceOptions) {
    const own = registration(registry.hook, name, args, options);
    super(...own.call);
    settle(this, registry.hook, args, own);
  }
}

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
export class VideoPlayer extends pulumi.CustomResource {
  /** Id of the video. */
  declare readonly videoId: pulumi.Output<string>;
  /** Name in the library. */
  declare readonly name: pulumi.Output<string | null>;
  /** Title shown in the player. */
  declare readonly title: pulumi.Output<string | null>;
  /** Language of the player. */
  declare readonly language: pulumi.Output<string | undefined>;
  /** Project of the video. */
  declare readonly projectId: pulumi.Output<string | null>;
  /** Accent colour of the player. */
  declare readonly primaryColor: pulumi.Output<string | undefined>;
  /** Show controls. */
  declare readonly controls: pulumi.Output<boolean | undefined>;
  /** Start by itself. */
  declare readonly autoplay: pulumi.Output<boolean | undefined>;
  /** Start muted. */
  declare readonly muted: pulumi.Output<boolean | undefined>;
  /** Start again at the end. */
  declare readonly loop: pulumi.Output<boolean | undefined>;
  /** Encoding or playback status. */
  declare readonly status: pulumi.Output<string | null>;
  /** Length in seconds, when the player returns it. */
  declare readonly duration: pulumi.Output<number | string | null>;
  /** URL of the thumbnail. */
  declare readonly thumbnailUrl: pulumi.Output<string | null>;
  /** When it was created, ISO-8601. */
  declare readonly createdAt: pulumi.Output<string | null>;
  /** When it was last changed, ISO-8601. */
  declare readonly updatedAt: pulumi.Output<string | null>;

  constructor(name: string, args: VideoPlayerArgs, options?: pulumi.CustomResourceOptions) {
    const own = registration(registry.videoPlayer, name, args, options);
    super(...own.call);
    settle(this, registry.videoPlayer, args, own);
  }
}
