import { contentShapes, type ContentShape } from "./document/types.ts";

/**
 * The gaps of the specification ("not shown"), each as a switch. The defaults are one plausible service; tests set them to be another one. You can
 * change every switch while the emulator runs; it counts from the next call.
 */
export interface NotShown {
  /** Status of a creation. */
  createdStatus: number;
  /** Status of `invalid_request`. */
  invalidRequestStatus: number;
  /** Status of `page_not_found` and its like. */
  notFoundStatus: number;
  /** The code for a missing record: by kind (`site_not_found`) or always `not_found`. Pages keep `page_not_found`. */
  notFoundCodes: "by-kind" | "generic";
  /** Status of a project creation without a paid plan. */
  paidPlanStatus: number;
  /** Status of a `target_url` that breaks the rules. */
  rejectedHookStatus: number;
  /** Status of a body larger than `maxBodyBytes`. */
  tooLargeStatus: number;
  /** Status of publishing a page that is not ready (`publishRefusesUnready`). */
  unreadyStatus: number;
  /** Status of publishing at a taken slug. */
  duplicateSlugStatus: number;
  /** Publishing at a taken slug is refused, or the newest publication is served, or the new page gets a suffix (`offer-2`). */
  duplicateSlug: "refuse" | "newest-wins" | "suffix";

  /** Path of "read one product" and "delete a product"; its one parameter may have any name. */
  productPath: string;
  /** Path of "search pages". */
  searchPagesPath: string;
  /** Path of "search templates". */
  searchTemplatesPath: string;
  /** Path of "get account counts". */
  countsPath: string;

  /** Ids are opaque and never repeat; or each kind counts its own from 1, so that a page and a product may share an id. */
  ids: "opaque" | "counted-by-kind";

  /** The form of the editable fields in the content map. */
  contentShape: ContentShape;
  /** The service keeps numbers and booleans of the content as texts, or as they were sent. */
  contentTypes: "texts" | "as-sent";
  /** The service keeps the texts of the content as they were sent, or with the signs of HTML escaped. */
  contentTexts: "as-sent" | "escaped";
  /** The version in the content map of a published page: the draft or the live one. The builder tree always shows the draft. */
  contentMapShows: "draft" | "live";
  /** The form of a node's texts in the builder: as they are, or as a paragraph of HTML. */
  builderTexts: "plain" | "html";
  /** Nodes have a number that each save of the page raises (`rev`), and possibly the moment of the read (`renderedAt`). */
  nodeStamps: "none" | "saves" | "reads";
  /** A publication gives the nodes of the page new ids. */
  publishingRenamesNodes: boolean;
  /** Milliseconds for which content map, builder and the check for a publication show a page as it was before a write or a publication. */
  contentLagMs: number;
  /** Milliseconds by which a publication moves `updated_at` past `published_at`. */
  publishMovesUpdatedAtMs: number;
  /** Milliseconds for which visitors get the old revision after a publication: a cache. */
  publicLagMs: number;
  /** The visitor's browser makes the public pages, and their HTML holds no text. */
  clientRendered: boolean;
  /** Publishing a page that fails the readiness check is refused. */
  publishRefusesUnready: boolean;
  /** The readiness check also lists hints: `issues` of a ready page are not empty. */
  readinessHints: boolean;
  /** If set, every publication reports that no revision was saved, with this warning. */
  revisionWarning: string | null;
  /** Milliseconds until a new, changed or deleted record shows in lists and searches; reads by id see it at once. */
  listLagMs: number;
  /** Order of lists and searches by creation. A search of leads, which has no pages, always shows the newest first. */
  listOrder: "oldest-first" | "newest-first";
  /** A `limit` above the maximum is refused, or becomes the maximum. */
  limitAboveMaximum: "refuse" | "clamp";
  /** Default `limit` of "search pages": the specification says 50 and 100. */
  searchPagesDefaultLimit: number;

  /** Names are stored without surrounding white space. */
  normaliseNames: boolean;
  /** Slugs are stored in lower case. */
  lowercaseSlugs: boolean;
  /** Numbers of a product come back as strings such as "12.50". */
  numbersAsStrings: boolean;
  /** Records have fields that the specification does not list. */
  extraFields: boolean;
  /** Body fields and query parameters that the specification does not list are refused, or ignored. */
  unknownFields: "refuse" | "ignore";
  /** The places that get a copy of the name at creation. A later change of the name leaves them alone. */
  copiesOfName: readonly CopyOfName[];
  /** Records don't tell when they were created, changed or published. */
  nullDates: boolean;
  /** The minimum lengths of a project's description and context hold on update too. */
  projectMinimumsOnUpdate: boolean;
  /** Project reads and lists carry `context`, not only the answers to create and update. */
  projectContextOnRead: boolean;
  /** A quiz has an id of its own, which differs from its page's id. */
  quizIdDiffers: boolean;
  /** Renaming a quiz page renames the quiz. */
  quizNameFollowsPage: boolean;
  /** Editing content, variables, nodes or the delay moves a page's `updated_at`. */
  updatedAtMovesOnContent: boolean;
  /** A funnel stores step objects; or only page ids, if every step has one; or steps that have ids of their own. */
  funnelPages: "steps" | "ids" | "records";
  /** The most steps of a funnel; 0 for no limit. */
  maxFunnelSteps: number;
  /** Name of the raw quiz answers on a lead. */
  quizAnswersField: string;

  /** The calls a second after which a key gets 429; 0 for no limit. */
  rateLimitPerSecond: number;
  /** Largest request body in bytes. */
  maxBodyBytes: number;
  /** The most attempts for a hook delivery. */
  deliveryAttempts: number;
  /** The milliseconds that a hook receiver may take to answer. */
  deliveryTimeoutMs: number;
}

/** The text `page.title` of a blank page or quiz, a setting of its section, the slug of a page, the handle of a product. */
export type CopyOfName = "page.title" | "node" | "slug" | "handle";

export const notShownDefaults: Readonly<NotShown> = {
  createdStatus: 201,
  invalidRequestStatus: 400,
  notFoundStatus: 404,
  notFoundCodes: "by-kind",
  paidPlanStatus: 402,
  rejectedHookStatus: 400,
  tooLargeStatus: 413,
  unreadyStatus: 409,
  duplicateSlugStatus: 409,
  duplicateSlug: "refuse",
  productPath: "/products/{productId}",
  searchPagesPath: "/search/pages",
  searchTemplatesPath: "/search/templates",
  countsPath: "/analytics/counts",
  ids: "opaque",
  contentShape: "array-key-value",
  contentTypes: "texts",
  contentTexts: "as-sent",
  contentMapShows: "draft",
  builderTexts: "plain",
  nodeStamps: "none",
  publishingRenamesNodes: false,
  contentLagMs: 0,
  publishMovesUpdatedAtMs: 0,
  publicLagMs: 0,
  clientRendered: false,
  publishRefusesUnready: false,
  readinessHints: false,
  revisionWarning: null,
  listLagMs: 0,
  listOrder: "oldest-first",
  limitAboveMaximum: "refuse",
  searchPagesDefaultLimit: 50,
  normaliseNames: true,
  lowercaseSlugs: true,
  numbersAsStrings: false,
  extraFields: false,
  unknownFields: "refuse",
  copiesOfName: [],
  nullDates: false,
  projectMinimumsOnUpdate: false,
  projectContextOnRead: false,
  quizIdDiffers: true,
  quizNameFollowsPage: true,
  updatedAtMovesOnContent: true,
  funnelPages: "steps",
  maxFunnelSteps: 0,
  quizAnswersField: "answers",
  rateLimitPerSecond: 0,
  maxBodyBytes: 5 * 1024 * 1024,
  deliveryAttempts: 1,
  deliveryTimeoutMs: 5000,
};

type Texts = { [Name in keyof NotShown as NotShown[Name] extends string ? Name : never]: NotShown[Name] };
type Choices = {
  [Name in keyof Texts as string extends Texts[Name] ? never : Name]: readonly Texts[Name][];
};

/** The positions of switches that have a few. */
const choices: Choices = {
  notFoundCodes: ["by-kind", "generic"],
  duplicateSlug: ["refuse", "newest-wins", "suffix"],
  ids: ["opaque", "counted-by-kind"],
  contentShape: contentShapes,
  contentTypes: ["texts", "as-sent"],
  contentTexts: ["as-sent", "escaped"],
  contentMapShows: ["draft", "live"],
  builderTexts: ["plain", "html"],
  nodeStamps: ["none", "saves", "reads"],
  listOrder: ["oldest-first", "newest-first"],
  limitAboveMaximum: ["refuse", "clamp"],
  unknownFields: ["refuse", "ignore"],
  funnelPages: ["steps", "ids", "records"],
};

const copies: readonly unknown[] = ["page.title", "node", "slug", "handle"] satisfies CopyOfName[];

/** Returns all positions: the requested ones and the defaults. An unknown switch or position is a TypeError. */
export function positions(asked: Partial<NotShown> = {}): NotShown {
  for (const [name, position] of Object.entries(asked)) {
    const fault = faultOf(name, position);
    if (fault !== undefined) throw new TypeError(`notShown.${name}: ${fault}.`);
  }
  return { ...notShownDefaults, ...asked };
}

function faultOf(name: string, position: unknown): string | undefined {
  if (!Object.hasOwn(notShownDefaults, name))
    return `there is no such switch. There are ${Object.keys(notShownDefaults).join(", ")}`;
  const allowed = (choices as Readonly<Record<string, readonly unknown[]>>)[name];
  if (allowed) return allowed.includes(position) ? undefined : `takes ${allowed.map(quoted).join(" or ")}`;
  if (name === "copiesOfName") {
    const fits = Array.isArray(position) && position.every((one) => copies.includes(one));
    return fits ? undefined : `takes a list of ${copies.map(quoted).join(", ")}`;
  }
  if (name === "revisionWarning") return position === null || typeof position === "string" ? undefined : "takes a text";
  const kind = typeof notShownDefaults[name as keyof NotShown];
  const fits = typeof position === kind && !(typeof position === "number" && !(position >= 0 && position < Infinity));
  return fits ? undefined : `takes a ${kind}${kind === "number" ? " from 0 on" : ""}`;
}

const quoted = (value: unknown): string => JSON.stringify(value);
