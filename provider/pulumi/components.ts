/** A usual funnel in ten lines: pages in order, published on one site, and a funnel that joins them. */
import * as pulumi from "@pulumi/pulumi";
import { Funnel, type FunnelStepsArgs, type FunnelStepsUrlArgs, Page, type PageArgs } from "./resources.ts";
import { registry } from "../kinds/registry.ts";
import { registration, restoreStacks } from "./resource.ts";
import { afterRelease, gatheredInputs, inRelease } from "./release-scope.ts";

/** A step that is a page made here. It is published on the funnel's site. */
export interface PageStep extends Omit<PageArgs, "publish" | "siteId" | "projectId" | "name"> {
  /** Names the page within the funnel, and is its slug unless `slug` says otherwise. */
  readonly key: string;
  /** Display name. Default: the key. */
  readonly name?: pulumi.Input<string>;
  /** Path on the site; empty for the root. Default: the key. */
  readonly slug?: pulumi.Input<string>;
  /** Step type, such as presell, sales or thankyou. */
  readonly pageType: pulumi.Input<string>;
}

/** A step that is an external address, such as a checkout. */
export interface UrlStep {
  readonly url: pulumi.Input<string>;
  readonly pageType: pulumi.Input<string>;
}

/** A step that is a page managed elsewhere. */
export interface ExistingPageStep {
  readonly pageId: pulumi.Input<string>;
  readonly pageType: pulumi.Input<string>;
}

export type LandingFunnelStep = PageStep | UrlStep | ExistingPageStep;

export interface LandingFunnelArgs {
  /** Display name of the funnel. Default: the resource's logical name. */
  readonly name?: pulumi.Input<string>;
  /** Project of the pages and the funnel. */
  readonly projectId: pulumi.Input<string>;
  /** Site that the pages are published on. */
  readonly siteId: pulumi.Input<string>;
  /** Steps in the order in which a visitor goes through them. */
  readonly steps: readonly LandingFunnelStep[];
}

export class LandingFunnel extends pulumi.ComponentResource {
  /** The pages made here, by their key. */
  readonly pages: Readonly<Record<string, Page>>;
  readonly funnel: Funnel;
  readonly funnelId: pulumi.Output<string>;
  /** Public URL of the first page made here. */
  readonly url: pulumi.Output<string | null>;
  /** Public URLs of the pages made here, by their key. */
  readonly urls: pulumi.Output<Record<string, string | null>>;

  constructor(name: string, args: LandingFunnelArgs, options?: pulumi.ComponentResourceOptions) {
    super("landform:index:LandingFunnel", name, {}, options);
    const made = args.steps.filter(isPageStep);
    refuseRepeatedKeys(name, made);
    this.pages = Object.fromEntries(made.map((step) => [step.key, this.#page(name, args, step)]));
    this.funnel = new Funnel(
      name,
      { name: args.name, projectId: args.projectId, steps: args.steps.map((step) => this.#step(step)) },
      { parent: this, aliases: [{ parent: pulumi.rootStackResource }] },
    );
    this.funnelId = this.funnel.id;
    this.urls = pulumi.output(Object.fromEntries(made.map(({ key }) => [key, this.pages[key]?.url ?? null])));
    this.url = pulumi.output(Object.values(this.pages)[0]?.url ?? null);
    this.registerOutputs({ funnelId: this.funnelId, url: this.url, urls: this.urls });
  }

  #page(name: string, { projectId, siteId }: LandingFunnelArgs, step: PageStep): Page {
    const { key, slug, pageType, ...rest } = step;
    const args: PageArgs = { ...rest, name: rest.name ?? key, projectId, publish: { siteId, slug: slug ?? key } };
    // A page that stood on its own before, under either name, is the same page: nothing is replaced.
    const root = pulumi.rootStackResource;
    const aliases = [{ name: key, parent: root }, { parent: root }];
    return new Page(`${name}-${key}`, args, { parent: this, aliases });
  }

  #step(step: LandingFunnelStep): FunnelStepsArgs | FunnelStepsUrlArgs {
    if (!isPageStep(step)) return { ...step };
    const page = this.pages[step.key];
    if (page === undefined) throw new Error(`no page of the step ${step.key}`);
    return { pageId: page.id, pageType: step.pageType };
  }
}

function isPageStep(step: LandingFunnelStep): step is PageStep {
  return "key" in step;
}

function refuseRepeatedKeys(name: string, steps: readonly PageStep[]): void {
  const keys = steps.map(({ key }) => key);
  const repeated = keys.find((key, index) => keys.indexOf(key) < index);
  if (repeated === undefined) return;
  throw new TypeError(`LandingFunnel "${name}": two steps have the key "${repeated}"; give each step a key of its own`);
}

/** Pages that are published together or not at all, and what changes once they are public. */
type Made = Readonly<Record<string, pulumi.Resource>>;

export interface ReleaseArgs<Pages extends Made, Funnels extends Made = Made> {
  /** Makes the pages of the release, each with its `publish`: they are written and checked as drafts, and published together. */
  readonly pages: () => Pages;
  /** Makes what changes afterwards, such as funnels: it waits until all pages are public. */
  readonly funnels?: (pages: Pages) => Funnels;
}

/** The resource behind a release: it publishes these pages. */
export class ReleasePublication extends pulumi.CustomResource {
  /** Public URLs of its pages, by the id of the page. */
  declare readonly urls: pulumi.Output<Record<string, string>>;

  constructor(name: string, members: readonly pulumi.CustomResource[], options?: pulumi.CustomResourceOptions) {
    const args = gatheredInputs(registry.release, members);
    super(...registration(registry.release, name, args, options).call);
    restoreStacks();
  }
}

export class Release<Pages extends Made = Made, Funnels extends Made = Made> extends ReleasePublication {
  /** The pages that `pages` made. */
  readonly pages: Pages;
  /** The resources that `funnels` made. */
  readonly funnels: Funnels;

  constructor(name: string, args: ReleaseArgs<Pages, Funnels>, options?: pulumi.CustomResourceOptions) {
    const { pages, funnels } = (args as Partial<ReleaseArgs<Pages, Funnels>> | undefined) ?? {};
    if (typeof pages !== "function")
      throw new TypeError(`Release "${name}": pages is no function that makes the pages: write pages: () => ({ … })`);
    const { result, members } = inRelease(name, pages);
    if (result instanceof Promise)
      throw new TypeError(`Release "${name}": pages is asynchronous; make its pages at once`);
    if (members.length === 0) throw new TypeError(`Release "${name}": pages makes no page`);
    super(name, members, options);
    this.pages = result;
    this.funnels = funnels ? afterRelease(this, () => funnels(result)) : ({} as Funnels);
  }
}
