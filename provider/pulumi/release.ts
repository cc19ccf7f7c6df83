/** Pages that are published together or not at all, and what changes once they are public. */
import * as pulumi from "@pulumi/pulumi";
import { registry } from "../kinds/registry.ts";
import { registration, shortStacks } from "./resource.ts";
import { afterRelease, draftsOf, inRelease } from "./release-scope.ts";

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
    const restoreStacks = shortStacks();
    // Apart from the ids: what is secret of the one must not make a secret of the other.
    const [pages, drafts] = [members.map((page) => ({ pageId: page.id })), draftsOf(members)];
    try {
      super(...registration(registry.release, name, { pages, drafts }, options));
    } finally {
      restoreStacks();
    }
  }
}

export class Release<Pages extends Made = Made, Funnels extends Made = Made> extends ReleasePublication {
  /** What `pages` made. */
  readonly pages: Pages;
  /** What `funnels` made. */
  readonly funnels: Funnels;

  constructor(name: string, args: ReleaseArgs<Pages, Funnels>, options?: pulumi.CustomResourceOptions) {
    const { result, members } = inRelease(name, args.pages);
    if (result instanceof Promise)
      throw new TypeError(`Release "${name}": pages is asynchronous; make its pages at once`);
    if (members.length === 0) throw new TypeError(`Release "${name}": pages makes no page`);
    super(name, members, options);
    this.pages = result;
    const { funnels } = args;
    this.funnels = funnels ? afterRelease(this, () => funnels(result)) : ({} as Funnels);
  }
}
