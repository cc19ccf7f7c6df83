/** The parts of a report that show pages as visitors meet them: pictures, and the funnels that they stand in. */

/**
 * `gone`: it no longer exists. `unsettled`: live and last run agree, and the code says something else. `absent`: the code declares it,
 * and no run has made it. `undeclared`: it exists, and the code no longer declares it. `unfinished`: no field differs, but a run that
 * failed or was killed has not done everything, for example it did not publish a page.
 */
export type DriftKind = "changed" | "gone" | "unsettled" | "absent" | "undeclared" | "unfinished";

export interface LiveFunnels {
  readonly all: readonly LiveFunnel[];
  /** The reason why there are no pictures, if no browser could take them. */
  readonly missing?: string;
  /** The reason why nobody knows the last changes, if the history can't be read. */
  readonly unread?: string;
}

export interface LiveFunnel {
  readonly urn: string;
  readonly name: string;
  /** The state of the funnel itself, as that of a page. */
  readonly stands: Standing;
  readonly steps: readonly LiveStep[];
}

/** `live`: as the last run left it. `edited`: with unpublished edits by somebody else. `draft`: no visitor gets it. The rest is drift. */
export type Standing = "live" | "edited" | "draft" | DriftKind;

export interface LiveStep {
  readonly pageType: string;
  /** The name of a page of this stack, or an id or an address elsewhere. */
  readonly to?: string;
  /** The URN of a page of this stack. All that follows is told of such a page alone. */
  readonly urn?: string;
  /** The name that people know the page by. */
  readonly title?: string;
  readonly url?: string;
  readonly stands?: Standing;
  /** The run that has changed it last, as far as the history goes back. */
  readonly changed?: LastChange;
  /** The public page on a phone. JSON reports leave it out. */
  readonly picture?: PagePicture;
}

export interface LastChange {
  /** ISO-8601. */
  readonly at: string;
  readonly by: string;
  readonly run: string;
}

/** The pages of a preview environment as visitors see them. */
export interface Pictures {
  /** The number of pages that the code does not change. */
  unchanged: number;
  /** The number of changed pages that look like the public ones all the same. */
  alike: number;
  /** The pages were made from the code, and are no copies of the public ones: texts of others may be missing. */
  fromCode?: true;
  taken: readonly PagePicture[];
  /** The reason why there are none, if no browser could take them. */
  missing?: string;
}

/** The changed part of a page on one screen. */
export interface PagePicture {
  urn: string;
  type: string;
  name: string;
  /** The name that people know the page by. */
  title?: string;
  screen: "phone" | "desktop";
  /**
   * `new`: the base has no such page. `alike`: it looks as before, and the notes are the news. `failed`: it can't be shown, and the first
   * note says why.
   */
  kind: "changed" | "new" | "alike" | "failed";
  url: string;
  baseUrl?: string;
  /** PNG in base64. JSON reports leave them out. */
  before?: string;
  after?: string;
  /** Pixels of each of the two. */
  width?: number;
  height?: number;
  /** The first row of the part in the page. */
  top?: number;
  /** The share of the page's pixels that differ, from 0 to 1. */
  share?: number;
  /** The page, or its change, goes on below the part. */
  goesOn?: true;
  notes: readonly string[];
}
