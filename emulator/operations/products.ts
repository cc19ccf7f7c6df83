import { invalid, notFound } from "../http/errors.ts";
import { slugFrom } from "../records/pages.ts";
import { equals, matches, type Window, windowOf } from "../http/paging.ts";
import type { ProductRecord } from "../records/records.ts";
import type { Service } from "../records/service.ts";
import { type Call, deleted, fromJson, type Operations } from "./operation.ts";
import { projectIdOf } from "./projects.ts";

interface Filters extends Window {
  query?: string;
  project_id?: string;
  type?: string;
  product_id?: string;
}

interface ProductFields {
  name?: string;
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
  trust_badges_json?: unknown[] | string;
  variants_json?: unknown[] | string;
  tiers_enabled?: boolean;
  tiers_json?: unknown[] | string;
  bundle_items_json?: unknown[] | string;
  bundle_discount?: number;
  subscription_json?: Record<string, unknown>;
}

type Content = Omit<ProductRecord, "id" | "createdAt" | "updatedAt" | "handle">;

const blank: Content = {
  name: "",
  type: "simple",
  projectId: null,
  sku: null,
  description: null,
  image: null,
  price: 0,
  comparePrice: 0,
  ctaText: null,
  ctaUrl: null,
  ctaTarget: false,
  useSingleCtaLink: false,
  showFullProduct: false,
  rating: null,
  ratingCount: null,
  bundleDiscount: 0,
  tiersEnabled: false,
  trustBadges: [],
  variants: [],
  tiers: [],
  bundleItems: [],
  subscription: {},
};

export const products: Operations = {
  listProducts: search,
  searchProducts: search,

  createProduct: (service, { body }: Call<unknown, ProductFields>) => {
    const content = contentOf(service, blank, body);
    const handle = service.notShown.copiesOfName.includes("handle") ? slugFrom(content.name) : undefined;
    const wire = productOnWire(service, service.products.put({ ...service.born("prod"), ...content, handle }));
    service.emit("product.created", "product", wire);
    return wire;
  },

  updateProduct: (service, { body }: Call<unknown, ProductFields & { product_id: string }>) => {
    const before = productById(service, body.product_id);
    const content = contentOf(service, before, body);
    return productOnWire(service, service.products.put({ ...before, ...content, updatedAt: service.now() }));
  },

  getProduct: (service, { params }: Call) => productOnWire(service, productById(service, params["productId"])),

  deleteProduct: (service, { params }: Call) => {
    const { id } = productById(service, params["productId"]);
    service.products.delete(id);
    return deleted(id);
  },
};

function productById(service: Service, id: string | undefined): ProductRecord {
  const product = service.products.get(id ?? "");
  if (product === undefined) throw notFound("product", id ?? "");
  return product;
}

function search(service: Service, { query }: Call<Filters>) {
  const found = service
    .list(service.products)
    .filter(({ id, projectId }) => equals(query.product_id, id) && equals(query.project_id, projectId))
    .filter(({ type }) => equals(query.type, type))
    .filter(({ name, sku, description }) => matches(query.query, name, sku, description));
  return windowOf(found, query).map((product) => productOnWire(service, product));
}

/** Returns the content of a product after a write: the sent fields, and the old values of all others. */
function contentOf(service: Service, before: Content, sent: ProductFields): Content {
  const content: Content = {
    name: sent.name === undefined ? before.name : service.nameOf(sent.name),
    type: sent.type ?? before.type,
    projectId: projectIdOf(service, sent.project_id) ?? before.projectId,
    sku: sent.sku ?? before.sku,
    description: sent.description ?? before.description,
    image: sent.image ?? before.image,
    price: sent.price ?? before.price,
    comparePrice: sent.compare_price ?? before.comparePrice,
    ctaText: sent.cta_text ?? before.ctaText,
    ctaUrl: sent.cta_url ?? before.ctaUrl,
    ctaTarget: sent.cta_target ?? before.ctaTarget,
    useSingleCtaLink: sent.use_single_cta_link ?? before.useSingleCtaLink,
    showFullProduct: sent.show_full_product ?? before.showFullProduct,
    rating: sent.rating === "" ? "4.9" : (sent.rating ?? before.rating),
    ratingCount: sent.rating_count ?? before.ratingCount,
    bundleDiscount: sent.bundle_discount ?? before.bundleDiscount,
    tiersEnabled: sent.tiers_enabled ?? before.tiersEnabled,
    trustBadges: listOf(sent, "trust_badges_json") ?? before.trustBadges,
    variants: listOf(sent, "variants_json") ?? before.variants,
    tiers: listOf(sent, "tiers_json") ?? before.tiers,
    bundleItems: listOf(sent, "bundle_items_json") ?? before.bundleItems,
    subscription: sent.subscription_json ?? before.subscription,
  };
  if (content.type === "bundle" && content.bundleItems.length === 0) {
    throw invalid("The body is wrong: a product of the type bundle needs at least one item in bundle_items_json.");
  }
  return content;
}

type ListField = "trust_badges_json" | "variants_json" | "tiers_json" | "bundle_items_json";

function listOf(sent: ProductFields, field: ListField): unknown[] | undefined {
  const value = sent[field];
  return value === undefined ? undefined : fromJson(value, field, "an array");
}

function productOnWire(service: Service, product: ProductRecord) {
  const number = (value: number): number | string => (service.notShown.numbersAsStrings ? value.toFixed(2) : value);
  return {
    id: product.id,
    name: product.name,
    type: product.type,
    sku: product.sku,
    description: product.description,
    image: product.image,
    show_full_product: product.showFullProduct,
    price: number(product.price),
    compare_price: number(product.comparePrice),
    rating: product.rating,
    rating_count: product.ratingCount,
    project_id: product.projectId,
    cta_text: product.ctaText,
    cta_url: product.ctaUrl,
    cta_target: product.ctaTarget,
    use_single_cta_link: product.useSingleCtaLink,
    bundle_discount: number(product.bundleDiscount),
    bundle_item_count: product.bundleItems.length,
    tiers_enabled: product.tiersEnabled,
    subscription_enabled: product.subscription["enabled"] === true,
    created_at: product.createdAt,
    updated_at: product.updatedAt,
    ...(product.handle !== undefined && { handle: product.handle }),
  };
}
