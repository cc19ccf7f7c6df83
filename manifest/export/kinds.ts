/** The records of the service as inputs, kind by kind: everything that the API shows, and a note on what it hides. */
import type { Funnel, Page, Product, Project, Site, Video } from "../../provider/api/index.ts";
import { camelKeys, isMap, type Json, type JsonMap } from "../../provider/json.ts";
import type { Kind } from "../../provider/registry.ts";
import { stepsOf } from "../../provider/resources/funnel.ts";
import type { ContentFields } from "../../provider/resources/pages/content-map.ts";
import { slug } from "./keys.ts";
import { Reference, Setting, StandIn, type Inputs, type Note, type Value } from "./model.ts";

export interface Written {
  readonly inputs: Inputs;
  readonly notes: readonly Note[];
}

export interface Surroundings {
  /** Without ids of existing objects, to make copies of them. */
  readonly asNew: boolean;
  /** A reference where the object is part of the export, otherwise its id. */
  readonly ref: (kind: Kind, id: string | null) => Reference | string | null;
  /** Template ids that the user has named, by page key; under "" of all other pages. */
  readonly templates: ReadonlyMap<string, string>;
}

export function projectInputs({ name, description, context }: Project, { asNew }: Surroundings): Written {
  if (context !== undefined && context !== null) return { inputs: { description, context }, notes: [] };
  if (!asNew) return { inputs: { description }, notes: [] };
  const text = "a stand-in for the brief, which the API doesn't show: write the real one into its file";
  return { inputs: { description, context: standInBrief(name) }, notes: [{ field: "context", text }] };
}

function standInBrief(name: string): StandIn {
  return new StandIn(
    `This text stands in for the brand and offer brief of the project "${name.trim()}".\n\n` +
      "The API doesn't show the brief of a project that exists, and a new project needs one of at least 200 characters. " +
      "Write the real brief into this file: before the first landform up, or later, since a project takes a changed brief.\n",
  );
}

export function siteInputs({ project_id }: Site, { ref }: Surroundings): Written {
  return { inputs: { projectId: ref("project", project_id) }, notes: [] };
}

export function pageInputs(page: Page, key: string, fields: ContentFields | undefined, around: Surroundings): Written {
  const { content, notes } = contentOf(fields);
  const inputs = {
    projectId: around.ref("project", page.project_id),
    ...(around.asNew && templateOf(page, key, fields, around)),
    ...attachment(page, around, notes),
    content,
  };
  return { inputs, notes };
}

/** A blank page has no content keys, can't be published and, unless it is a quiz, has no site. */
function templateOf(page: Page, key: string, fields: ContentFields | undefined, around: Surroundings): Inputs {
  const named = around.templates.get(key);
  if (named !== undefined) return { templateId: named };
  const mayBeBlank = page.status !== "published" && (fields?.keys() ?? []).length === 0;
  if (mayBeBlank && (page.site_id === null || page.is_quiz)) return {};
  return { templateId: around.templates.get("") ?? setting(key, "template") };
}

function setting(key: string, what: string): StandIn {
  return new StandIn(new Setting(`${slug(key, "page")}-${what}`));
}

function attachment(page: Page, { ref }: Surroundings, notes: Note[]): Inputs {
  const site = ref("site", page.site_id);
  if (page.status !== "published") return { siteId: site, publish: null };
  if (site === null) {
    notes.push({ field: "publish", text: "published without a site, which can't be declared" });
    return { publish: null };
  }
  const slug = page.slug ?? "";
  return { publish: slug === "" ? { siteId: site } : { siteId: site, slug } };
}

function contentOf(fields: ContentFields | undefined): { content: Record<string, Json>; notes: Note[] } {
  const content: Record<string, Json> = {};
  const hidden: string[] = [];
  const unfit: string[] = [];
  for (const key of fields?.keys() ?? []) {
    const value = fields?.value(key);
    if (value === undefined) hidden.push(key);
    else if (key === "__proto__" || !isExpressible(key) || !isExpressible(value)) unfit.push(key);
    else content[key] = value;
  }
  const notes: Note[] = [];
  if (hidden.length > 0) notes.push({ field: "content", text: `no value is shown for ${quoted(hidden)}` });
  if (unfit.length > 0) notes.push({ field: "content", text: `${quoted(unfit)} can't be written down` });
  return { content, notes };
}

/** What survives YAML, JSON and Pulumi's state: well-formed text, and numbers that keep their digits. */
function isExpressible(value: Json): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number")
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (Array.isArray(value)) return value.every(isExpressible);
  if (!isMap(value)) return true;
  return Object.entries(value).every(
    ([key, item]) => key !== "" && key !== "__proto__" && isExpressible(key) && isExpressible(item),
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}

const PRODUCT_FIELDS = [
  "type",
  "sku",
  "description",
  "image",
  "price",
  "comparePrice",
  "ctaText",
  "ctaUrl",
  "ctaTarget",
  "showFullProduct",
  "useSingleCtaLink",
  "rating",
  "ratingCount",
  "tiersEnabled",
  "bundleDiscount",
] as const;

export function productInputs(product: Product, { asNew, ref }: Surroundings): Written {
  const shown = camelKeys(product);
  const inputs: Inputs = { projectId: ref("project", product.project_id) };
  for (const field of PRODUCT_FIELDS) inputs[field] = shown[field] ?? null;
  const notes: Note[] = [];
  const items = product.bundle_item_count ?? 0;
  if (product.type === "bundle" || items > 0) {
    const said = `${items} ${items === 1 ? "item" : "items"}, not shown by the API`;
    if (asNew) inputs["bundleItems"] = standInItems(items);
    notes.push({ field: "bundleItems", text: asNew ? `${said}: these stand in for them, put in the real ones` : said });
  }
  if (product.tiers_enabled) notes.push({ field: "tiers", text: "active, not shown by the API" });
  if (product.subscription_enabled) {
    if (asNew) inputs["subscription"] = new StandIn({ enabled: true });
    notes.push({ field: "subscription", text: "active, its terms not shown by the API" });
  }
  return { inputs, notes };
}

/** As many as there are, so that the copy shows the same count. */
function standInItems(count: number): StandIn {
  return new StandIn(Array.from({ length: Math.max(count, 1) }, (_, index) => ({ name: `Item ${index + 1}` })));
}

export function funnelInputs(funnel: Funnel, { asNew, ref }: Surroundings): Written {
  const notes: Note[] = [];
  const live = (stepsOf(camelKeys(funnel)) as JsonMap[]).filter(({ pageId }) => {
    if (!asNew || typeof pageId !== "string" || ref("page", pageId) instanceof Reference) return true;
    notes.push({ field: "steps", text: `a step is left out: its page ${pageId} is not part of this export` });
    return false;
  });
  const guessed = live.some((step) => !hasType(step));
  if (guessed)
    notes.push({ field: "steps", text: "the pageType of the steps is a guess, since this service doesn't show it" });
  const steps = live.map((step, index): Value => {
    const { pageId, url, pageType } = step;
    const type = hasType(step) ? (pageType as string) : guess(index, live.length);
    return typeof pageId === "string"
      ? { pageId: ref("page", pageId), pageType: type }
      : { url: url ?? "", pageType: type };
  });
  return { inputs: { projectId: ref("project", funnel.project_id), steps }, notes };
}

function hasType({ pageType }: JsonMap): boolean {
  return typeof pageType === "string" && pageType !== "";
}

function guess(index: number, length: number): string {
  if (index === 0) return "presell";
  return index === length - 1 ? "thankyou" : "sales";
}

/** Videos are uploaded in the app: a copy is about those that the other account has. */
export function videoInputs(video: Video, key: string, { asNew, ref }: Surroundings): Written {
  const { id, name, title, project_id } = video;
  const videoId = asNew ? setting(key, "video") : id;
  return { inputs: { videoId, name, title, projectId: ref("project", project_id) }, notes: [] };
}
