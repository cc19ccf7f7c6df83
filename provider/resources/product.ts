/** Products, simple or bundle. The service never returns variants, tiers, bundle items, badges or the subscription. */
import { z } from "zod";
import { MissingOperationError } from "../api/index.ts";
import type { Product } from "../api/records.ts";
import { defineResource } from "../define.ts";
import { camelKeys, snake, type JsonMap } from "../json.ts";
import { brokenRule, type CheckFailure } from "../problems.ts";
import { DeleteError } from "../lifecycle/errors.ts";
import { orGone, type RunContext } from "../lifecycle/run-context.ts";
import { out, timestamps } from "./fields.ts";

const variant = z.strictObject({
  id: z.string().min(1).describe("Id of the variant, unique in the product."),
  name: z.string().min(1).describe("Display name."),
  image: z.string().optional().describe("Image URL."),
});

const subscription = z.strictObject({
  enabled: z.boolean().describe("Whether the product can be subscribed to."),
  discountPercent: z.number().min(0).max(100).optional().describe("Discount for subscribers, in percent."),
  benefits: z.array(z.string()).optional().describe("Benefits listed for subscribers."),
});

/** The specification shows no inner shape of these, so they are passed on as they are. */
const entries = z.array(z.record(z.string(), z.json()));

const inputs = z.strictObject({
  name: z.string().min(1).optional().describe("Display name. Default: the resource's logical name."),
  type: z
    .enum(["simple", "bundle"])
    .optional()
    .describe("Kind of product; a bundle needs bundleItems. Default: simple."),
  projectId: z.string().min(1).optional().describe("Project of the product."),
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
  rating: z.string().optional().describe("Rating label. The service makes 4.9 of an empty one."),
  ratingCount: z.string().optional().describe("Rating count label."),
  trustBadges: z.array(z.string()).optional().describe("Labels of trust badges."),
  variants: z.array(variant).optional().describe("Variants."),
  tiersEnabled: z.boolean().optional().describe("Whether quantity tiers are active."),
  tiers: entries.optional().describe("Quantity tiers, passed on as they are."),
  bundleItems: entries.optional().describe("Items of a bundle, passed on as they are."),
  bundleDiscount: z.number().min(0).optional().describe("Discount of a bundle."),
  subscription: subscription.optional().describe("Subscription offer."),
});
type Inputs = z.output<typeof inputs>;

/** Inputs that travel under a `_json` name and never come back. */
const JSON_FIELDS: Partial<Record<keyof Inputs, string>> = {
  trustBadges: "trust_badges_json",
  variants: "variants_json",
  tiers: "tiers_json",
  bundleItems: "bundle_items_json",
  subscription: "subscription_json",
};

export const product = defineResource({
  kind: "product",
  type: "Product",
  section: "products",
  doc: "A product, simple or a bundle of items.",
  named: true,
  marked: true,
  inputs,
  outputs: z.object({
    name: out.text("Display name."),
    type: out.text("simple or bundle."),
    sku: out.nullable("Stock keeping unit."),
    description: out.nullable("Description."),
    image: out.nullable("Image URL."),
    showFullProduct: out.flag("Whether the full product block is shown."),
    price: out.number("Price."),
    comparePrice: out.number("Comparison price."),
    rating: out.nullable("Rating label."),
    ratingCount: out.nullable("Rating count label."),
    projectId: out.nullable("Project of the product."),
    ctaText: out.nullable("Button text."),
    ctaUrl: out.nullable("Button URL."),
    ctaTarget: out.flag("Whether the button's URL opens in a new tab."),
    useSingleCtaLink: out.flag("Whether all variants have one button link."),
    bundleDiscount: out.number("Discount of a bundle."),
    bundleItemCount: out.number("Number of items in a bundle."),
    tiersEnabled: out.flag("Whether quantity tiers are active."),
    subscriptionEnabled: out.flag("Whether the subscription offer is active."),
    ...timestamps,
  }),
  rules: {
    bundleItems: { witness: (answer) => answer["bundleItemCount"] },
    subscription: { witness: (answer) => answer["subscriptionEnabled"] },
  },
  check: (declared, known) => checkBundle(declared, known),
  create: async ({ api }, declared, name) => {
    const record = await api.products.create({ ...toWire(declared, new Set(Object.keys(declared))), name });
    return { id: record.id, answer: camelKeys(record), sent: Object.keys(declared) };
  },
  search: async ({ api }, query) =>
    (await api.products.search({ query, limit: 100 })).map((row) => ({
      id: row.id,
      name: row.name,
      answer: camelKeys(row),
    })),
  read: async (run, id) => {
    const record = await readProduct(run, id);
    return record && camelKeys(record);
  },
  apply: async ({ run, id, now, changed, object }) => {
    if (changed.size === 0) return;
    const record = await run.api.products.update({ ...toWire(now, dueFields(now, changed)), product_id: id });
    run.products.forget(id);
    object.learn(camelKeys(record));
  },
  delete: async (run, id) => {
    try {
      await orGone(run.api.products.delete(id));
    } catch (error) {
      if (!(error instanceof MissingOperationError)) throw error;
      throw new DeleteError(
        `Product ${id} can't be deleted: this service has no operation for it (neither in /openapi.json nor at DELETE /products/${id}). ` +
          `Delete it in the app and run "landform refresh", or take it out of the state with "pulumi state delete".`,
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

/** The specification requires the items wherever the type is bundle. */
function dueFields(now: Inputs, changed: ReadonlySet<string>): ReadonlySet<string> {
  return changed.has("type") && now.type === "bundle" ? new Set([...changed, "bundleItems"]) : changed;
}

function toWire(declared: Inputs, fields: ReadonlySet<string>): Record<string, unknown> {
  const due = Object.entries(declared).filter(([field]) => fields.has(field));
  return Object.fromEntries(due.map(([field, value]) => [wireName(field), value]));
}

function wireName(field: string): string {
  return JSON_FIELDS[field as keyof Inputs] ?? snake(field);
}

/** Where the service has no operation that reads one product, its search finds it by id. */
async function readProduct({ api, products }: RunContext, id: string): Promise<Product | undefined> {
  try {
    return await products.read(id);
  } catch (error) {
    if (!(error instanceof MissingOperationError)) throw error;
    const rows = await api.products.search({ product_id: id, limit: 1 });
    return rows.find((row) => row.id === id);
  }
}
