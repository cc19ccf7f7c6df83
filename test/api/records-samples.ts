/** One full record per kind, with the fields of the specification. */
const unset = <Name extends string>(...names: readonly Name[]): Record<Name, null> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;

const created_at = "2026-11-01T10:00:00Z";

export const page = {
  ...{
    id: "p1",
    name: "Offer (spring.example)",
    page_name: "Offer",
    status: "draft",
    is_quiz: false,
    project_id: "j1",
  },
  ...{ edit_url: "https://app.example/p1", created_at, updated_at: created_at },
  ...unset("site_id", "site_name", "domain", "slug", "url", "published_at"),
};

export const project = { id: "j1", name: "Spring", description: "d", active: true, created_at, updated_at: null };

export const product = {
  ...{ id: "m1", name: "Mug", type: "simple", show_full_product: true, price: 12.5, compare_price: 15, rating: "4.9" },
  ...{ cta_target: false, use_single_cta_link: false, bundle_discount: 0, bundle_item_count: 0 },
  ...{ tiers_enabled: false, subscription_enabled: false },
  ...unset("sku", "description", "image", "rating_count", "project_id", "cta_text", "cta_url"),
  ...unset("created_at", "updated_at"),
};

export const funnel = {
  ...{ id: "f1", name: "Funnel", pages: [], page_ids: "", steps: [] },
  ...unset("site_id", "project_id", "status"),
};
