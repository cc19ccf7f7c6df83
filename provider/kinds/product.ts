/** Products, simple or bundle. The service never returns variants, tiers, bundle items, badges or the subscription. */
import { landform } from "../values/command-line.ts";
import { z } from "zod";
import {
  type LandformApi,
  MalformedResponseError,
  MissingOperationError,
  NotFoundError,
  type ProductUpdate,
} from "../api/index.ts";
import type { Product } from "../api/records.ts";
import { defineCollection, LookupError, MOST, ofId } from "../definition/collection.ts";
import { defineResource } from "../definition/define.ts";
import type { Exported, ExportedInputs, Exporting, Note } from "../definition/exporting.ts";
import { camelKeys, isMap, type Json, type JsonMap, mapOf, snake, type SnakeKeys } from "../values/json.ts";
import { brokenRule, type CheckFailure } from "../values/problems.ts";
import { MADE } from "../definition/in-preview.ts";
import { idOf } from "../definition/schema-walk.ts";
import { DeleteError } from "../messages/errors.ts";
import { fieldsOf, remove, write } from "../reconcile/settled.ts";
import { displayName, type Nothing, out, staying, timestamps } from "./fields.ts";

const variant = z.strictObject({
  id: z.string().min(1).describe("Id of the variant, unique in the product."),
  name: z.string().min(1).describe("Display name."),
  image: z.string().optional().describe("Image URL."),
});

const subscription = z.strictObject({
  enabled: z.boolean().describe("True if visitors can subscribe to the product."),
  discountPercent: z.number().min(0).max(100).optional().describe("Discount for subscribers, in percent."),
  benefits: z.array(z.string()).optional().describe("Benefits listed for subscribers."),
});

/** The specification shows no inner shape of these, so they are passed on as they are. */
const entries = z.array(z.record(z.string(), z.json()));

const inputs = z.strictObject({
  name: displayName.describe("Display name. Default: the resource's logical name."),
  type: z
    .enum(["simple", "bundle"])
    .optional()
    .describe("Kind of product; a bundle needs bundleItems. Default: simple."),
  projectId: idOf("project").optional().describe("Project of the product."),
  sku: z.string().optional().describe("Stock keeping unit."),
  description: z.string().optional().describe("Description."),
  image: z.string().optional().describe("Image URL."),
  price: z.number().min(0).optional().describe("Price."),
  comparePrice: z.number().min(0).optional().describe("Comparison price, shown struck through."),
  ctaText: z.string().optional().describe("Button text."),
  ctaUrl: z.string().optional().describe("Button URL."),
  showFullProduct: z.boolean().optional().describe("Show the full product block."),
  ctaTarget: z.boolean().optional().describe("Open the button's URL in a new tab."),
  useSingleCtaLink: z.boolean().optional().describe("One button link for all variants."),
  rating: z.string().optional().describe("Rating label. The service turns an empty label into 4.9."),
  ratingCount: z.string().optional().describe("Rating count label."),
  trustBadges: z.array(z.string()).optional().describe("Labels of trust badges."),
  variants: z.array(variant).optional().describe("Variants."),
  tiersEnabled: z.boolean().optional().describe("True if quantity tiers are active."),
  tiers: entries.optional().describe("Quantity tiers, passed on as they are."),
  bundleItems: entries.optional().describe("Items of a bundle, passed on as they are."),
  bundleDiscount: z.number().min(0).optional().describe("Discount of a bundle."),
  subscription: subscription.optional().describe("Subscription offer."),
});
type Inputs = z.output<typeof inputs>;

/** Inputs that travel under a `_json` name and never come back. */
const JSON_FIELDS = {
  trustBadges: "trust_badges_json",
  variants: "variants_json",
  tiers: "tiers_json",
  bundleItems: "bundle_items_json",
  subscription: "subscription_json",
} as const satisfies Partial<Record<keyof Inputs, keyof ProductUpdate>>;
type JsonFields = typeof JSON_FIELDS;

/** The inputs under the names of the wire. */
type Wire = SnakeKeys<Omit<Inputs, keyof JsonFields>> & { [F in keyof JsonFields as JsonFields[F]]: Inputs[F] };
/** Checks that the service takes every input, and that everything it takes is an input. */
export type Taken = Nothing<Exclude<keyof Wire, keyof ProductUpdate>>;
export type Complete = Nothing<Exclude<keyof ProductUpdate, keyof Wire | "product_id">>;

const products = defineCollection({
  what: "product",
  plural: "products",
  calls: { list: "listProducts", search: "searchProducts", read: "getProduct" },
  filters: z.object({ projectId: z.string().optional(), type: z.enum(["simple", "bundle"]).optional() }),
  nameOf: ({ name }: Product) => name,
  read: readProduct,
  search: (api, query) => api.products.search({ query, limit: MOST }),
  all: (api, filter, options) => api.products.iterate(filter, options),
  listPage: (api, paging) => api.products.list(paging),
});

const STAYING = [
  "name",
  "projectId",
  "price",
  "showFullProduct",
  "ctaTarget",
  "useSingleCtaLink",
  "tiersEnabled",
] as const;

export const product = defineResource({
  kind: "product",
  section: "products",
  doc: "A product, simple or a bundle of items.",
  named: true,
  inputs,
  outputs: z.object({
    name: out.text("Display name."),
    type: out.text("simple or bundle."),
    sku: out.nullable("Stock keeping unit."),
    description: out.nullable("Description."),
    image: out.nullable("Image URL."),
    showFullProduct: out.flag("True if the page shows the full product block."),
    price: out.number("Price."),
    comparePrice: out.number("Comparison price."),
    rating: out.nullable("Rating label."),
    ratingCount: out.nullable("Rating count label."),
    projectId: out.nullable("Project of the product."),
    ctaText: out.nullable("Button text."),
    ctaUrl: out.nullable("Button URL."),
    ctaTarget: out.flag("True if the button's URL opens in a new tab."),
    useSingleCtaLink: out.flag("True if all variants have one button link."),
    bundleDiscount: out.number("Discount of a bundle."),
    bundleItemCount: out.number("Number of items in a bundle."),
    tiersEnabled: out.flag("True if quantity tiers are active."),
    subscriptionEnabled: out.flag("True if the subscription offer is active."),
    ...timestamps,
  }),
  rules: {
    ...staying(STAYING),
    type: { cleared: "simple" },
    sku: { cleared: "" },
    description: { cleared: "" },
    image: { cleared: "" },
    comparePrice: { cleared: 0 },
    ctaText: { cleared: "" },
    ctaUrl: { cleared: "" },
    rating: { neverEmpty: true, stays: true },
    ratingCount: { cleared: "" },
    trustBadges: { cleared: [] },
    variants: { cleared: [] },
    tiers: { cleared: [] },
    bundleDiscount: { cleared: 0 },
    bundleItems: { proxyOutput: "bundleItemCount", comesOf: countComesOf, stays: true },
    subscription: {
      proxyOutput: "subscriptionEnabled",
      comesOf: (declared, { subscriptionEnabled }) => !isMap(declared) || declared["enabled"] === subscriptionEnabled,
      cleared: { enabled: false },
    },
  },
  collection: products,
  calls: {
    create: ["searchProducts", "createProduct", "updateProduct"],
    adopt: ["getProduct", "updateProduct"],
    update: ["getProduct", "updateProduct"],
    delete: ["getProduct", "deleteProduct"],
  },
  inPreview: {
    ...MADE,
    anew: ({ type, bundleItems }): JsonMap =>
      type === "bundle" && bundleItems === undefined ? { bundleItems: standInItems(1) } : {},
  },
  limits: [
    {
      api: "The specification has no path for reading or deleting a product.",
      landform: "Landform reads it from the service's /openapi.json, or else follows the pattern of the other paths.",
    },
  ],
  shown: {
    steady: { createdAt: [] },
    pointing: { shown: ({ ctaUrl = null, description = null, image = null }) => ({ ctaUrl, description, image }) },
  },
  exporting: {
    hidden: {
      text: "Not shown by the API, and so not here: variants, tiers, bundle items, trust badges, subscription terms.",
    },
    isDefault: (field, value) =>
      value === "" || value === 0 || value === false || (field === "type" && value === "simple"),
    of: (row, around, shown) => exportedProduct(row, around, shown),
  },
  plan: { check: (declared, known) => checkBundle(declared, known) },
  create: async ({ api }, declared, name) => {
    const record = await api.products.create({ ...toWire(declared, new Set(Object.keys(declared))), name });
    return { id: record.id, answer: camelKeys(record), sent: Object.keys(declared) };
  },
  apply: async (pass) => {
    const { run, id, now, changed, object } = pass;
    if (changed.size === 0) return;
    const due = dueFields(now, changed);
    for (const field of due) object.sent.add(field);
    await write(pass, {
      call: "PATCH /products",
      sent: fieldsOf(now, due),
      send: async () => camelKeys(await run.api.products.update({ ...toWire(now, due), product_id: id })),
      read: async () => camelKeys(await readProduct(run.api, id)),
    });
  },
  delete: async (run, id) => {
    try {
      await remove(run, {
        kind: "product",
        id,
        call: `DELETE /products/${id}`,
        send: () => run.api.products.delete(id),
        look: () => readProduct(run.api, id),
      });
    } catch (error) {
      if (!(error instanceof MissingOperationError)) throw error;
      throw new DeleteError(
        `Product ${id} can't be deleted: this service has no operation for it (neither in /openapi.json nor at DELETE /products/${id}). ` +
          `Delete it in the app and run "${landform("refresh")}", or take it out of the state with "pulumi state delete".`,
        { cause: error },
      );
    }
  },
});

function checkBundle(declared: JsonMap, known: (value: unknown) => boolean): CheckFailure[] {
  const { type, bundleItems, adoptId } = declared;
  // An adopted bundle has its items already, and the service doesn't show them.
  if (adoptId !== undefined && bundleItems === undefined) return [];
  if (!known(type) || !known(bundleItems) || type !== "bundle") return [];
  if (Array.isArray(bundleItems) && bundleItems.length > 0) return [];
  return [brokenRule(["bundleItems"], "bundle-items", "a product of type bundle needs at least one item")];
}

/**
 * Tells if a count may come of the declared items. The specification shows no item: the same one twice may count once, and a number in one
 * may be its quantity.
 */
function countComesOf(declared: Json, { bundleItemCount: count }: JsonMap): boolean {
  if (!Array.isArray(declared) || typeof count !== "number") return true;
  const isCounted = declared.some((item) =>
    Object.values(mapOf(item)).some((value) => typeof value === "number" && value > 1),
  );
  const different = new Set(declared.map((item) => JSON.stringify(item))).size;
  return isCounted || (count >= different && count <= declared.length);
}

/** The specification requires the items wherever the type is bundle. */
function dueFields(now: Inputs, changed: ReadonlySet<string>): ReadonlySet<string> {
  return changed.has("type") && now.type === "bundle" ? new Set([...changed, "bundleItems"]) : changed;
}

function toWire(declared: Inputs, fields: ReadonlySet<string>): Partial<Wire> {
  const names: Record<string, string> = JSON_FIELDS;
  const due = Object.entries(declared).filter(([field]) => fields.has(field));
  return Object.fromEntries(due.map(([field, value]) => [names[field] ?? snake(field), value]));
}

/**
 * Reads a product. The specification names no path that reads one, so "not found" may be about the path and not about the product. The
 * search, which the specification shows, takes an exact id and decides.
 */
async function readProduct(api: LandformApi, id: string): Promise<Product> {
  try {
    return await api.products.read(id);
  } catch (error) {
    if (!mayBeThePath(error)) throw error;
    const record = await ofId(api.products.search({ product_id: id }), id);
    if (record) return record;
    if (!(error instanceof MissingOperationError)) throw error;
    throw new LookupError(`There is no product "${id}" in this account (GET /search/products).`);
  }
}

function mayBeThePath(error: unknown): boolean {
  if (error instanceof MissingOperationError || error instanceof NotFoundError) return true;
  return error instanceof MalformedResponseError && error.status === 404;
}

function exportedProduct(row: Product, { asNew, standIn }: Exporting, shown: ExportedInputs): Exported {
  const inputs: ExportedInputs = { projectId: null, ...shown };
  const notes: Note[] = [];
  const items = row.bundle_item_count ?? 0;
  if (row.type === "bundle" || items > 0) {
    const said = `${items} ${items === 1 ? "item" : "items"}, not shown by the API`;
    if (asNew) inputs["bundleItems"] = standIn(standInItems(items));
    notes.push({ field: "bundleItems", text: asNew ? `${said}: these are stand-ins: put in the real ones` : said });
  }
  if (row.tiers_enabled) notes.push({ field: "tiers", text: "active, not shown by the API" });
  if (row.subscription_enabled) {
    if (asNew) inputs["subscription"] = standIn({ enabled: true });
    notes.push({ field: "subscription", text: "active, its terms not shown by the API" });
  }
  return { inputs, notes };
}

/** Returns as many items as there are, so that the copy shows the same count. */
function standInItems(count: number): Json {
  return Array.from({ length: Math.max(count, 1) }, (_, index) => ({ name: `Item ${index + 1}` }));
}
