/** One full record per kind, with the fields of the specification. */
export const page = {
  id: "p1",
  name: "Offer (spring.example)",
  page_name: "Offer",
  status: "draft",
  is_quiz: false,
  project_id: "j1",
  site_id: null,
  site_name: null,
  domain: null,
  slug: null,
  url: null,
  edit_url: "https://app.example/p1",
  created_at: "2026-11-01T10:00:00Z",
  updated_at: "2026-11-01T10:00:00Z",
  published_at: null,
};

export const project = {
  id: "j1",
  name: "Spring",
  description: "d",
  active: true,
  created_at: "2026-11-01T10:00:00Z",
  updated_at: null,
};

export const product = {
  id: "m1",
  name: "Mug",
  type: "simple",
  sku: null,
  description: null,
  image: null,
  show_full_product: true,
  price: 12.5,
  compare_price: 15,
  rating: "4.9",
  rating_count: null,
  project_id: null,
  cta_text: null,
  cta_url: null,
  cta_target: false,
  use_single_cta_link: false,
  bundle_discount: 0,
  bundle_item_count: 0,
  tiers_enabled: false,
  subscription_enabled: false,
  created_at: null,
  updated_at: null,
};

export const funnel = {
  id: "f1",
  name: "Funnel",
  site_id: null,
  project_id: null,
  status: null,
  pages: [],
  page_ids: "",
  steps: [],
};
