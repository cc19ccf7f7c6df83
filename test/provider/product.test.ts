import { describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, applied, madeForAll, worldOfAll } from "./harness.ts";
import { changeTable, refreshPlansNothing, unique, writes, type Change, type Setting, type Write } from "./table.ts";

const world = worldOfAll();
const project = madeForAll(world, "project", "products");
const otherProject = madeForAll(world, "project", "other");

const within = (more: PropertyMap = {}): PropertyMap => ({ projectId: project.id, ...more });
const setting: Setting = { kind: "product", world: () => world, base: within };
const patch = (field: string, value: unknown): Write[] => [["PATCH /products", { product_id: "ID", [field]: value }]];

type Row = [input: string, first: unknown, second: unknown, onTheWire: string];
const plain: Row[] = [
  ["sku", "A-1", "A-2", "sku"],
  ["description", "One", "Two", "description"],
  ["image", "https://img.example/1", "https://img.example/2", "image"],
  ["price", 12.5, 0, "price"],
  ["comparePrice", 20, 19.99, "compare_price"],
  ["ctaText", "Buy", "Order", "cta_text"],
  ["ctaUrl", "https://pay.example/1", "https://pay.example/2", "cta_url"],
  ["showFullProduct", true, false, "show_full_product"],
  ["ctaTarget", true, false, "cta_target"],
  ["useSingleCtaLink", true, false, "use_single_cta_link"],
  ["rating", "4.1", "4.2", "rating"],
  ["ratingCount", "120", "121", "rating_count"],
  ["tiersEnabled", true, false, "tiers_enabled"],
  ["bundleDiscount", 5, 10, "bundle_discount"],
];
const small = { id: "s", name: "Small" };
const hidden: Row[] = [
  ["trustBadges", ["Free shipping"], ["Free shipping", "30 days"], "trust_badges_json"],
  ["variants", [small], [{ ...small, image: "https://img.example/s" }], "variants_json"],
  ["tiers", [{ quantity: 2, price: 20 }], [{ quantity: 3, nested: { deep: [1, null] } }], "tiers_json"],
  ["bundleItems", [{ product: "a" }], [{ product: "a" }, { product: "b" }], "bundle_items_json"],
  ["subscription", { enabled: true }, { enabled: true, discountPercent: 10, benefits: ["Early"] }, "subscription_json"],
];

const bundleItems = [{ product: "a" }];
changeTable(setting, [
  { input: "name", to: { name: "Mug" }, sends: patch("name", "Mug") },
  {
    ...{ input: "projectId", to: () => ({ projectId: otherProject.id }) },
    sends: () => patch("project_id", otherProject.id),
  },
  {
    ...{ input: "type", from: { bundleItems }, to: { type: "bundle", bundleItems } },
    // The specification requires the items if the type is bundle.
    sends: [["PATCH /products", { product_id: "ID", type: "bundle", bundle_items_json: bundleItems }]],
  },
  ...[...plain, ...hidden].map(([input, from, to, wire]): Change => ({
    ...{ input, from: { [input]: from } as PropertyMap, to: { [input]: to } as PropertyMap, sends: patch(wire, to) },
  })),
]);

describe("what the service never returns", () => {
  test.each(hidden)("%s arrives as declared, and is compared with what was sent", async (input, value, _, wire) => {
    const declared = within({ [input]: value } as PropertyMap);
    const product = await applied(world, "product", unique("hidden"), declared);
    const [created] = world.emulator.requests.filter(({ method }) => method === "POST");
    expect((created?.body as Record<string, unknown>)[wire]).toEqual(value);
    expect(product.outputs[input]).toEqual(value);
    await refreshPlansNothing(product, declared);
  });

  test("a changed number of bundle items shows that they were edited by hand", async () => {
    const bundleItems = [{ product: "a" }, { product: "b" }];
    const declared = within({ type: "bundle", bundleItems });
    const product = await applied(world, "product", unique("bundle"), declared);
    await byHand(world, "PATCH", "/products", { product_id: product.id, bundle_items_json: [{ product: "c" }] });
    await product.refresh();
    expect(product.outputs["bundleItemCount"]).toBe(1);
    expect(await product.apply(declared)).toBe("updated");
    expect(writes(world, product.id)).toEqual(patch("bundle_items_json", bundleItems));
    await refreshPlansNothing(product, declared);
  });

  test("a subscription switched off by hand is switched on again", async () => {
    const declared = within({ subscription: { enabled: true, discountPercent: 5 } });
    const product = await applied(world, "product", unique("subscription"), declared);
    await byHand(world, "PATCH", "/products", { product_id: product.id, subscription_json: { enabled: false } });
    await product.refresh();
    expect(await product.apply(declared)).toBe("updated");
    expect(product.outputs["subscriptionEnabled"]).toBe(true);
    await refreshPlansNothing(product, declared);
  });
});

test("an empty rating, of which the service makes 4.9, is no change", async () => {
  const product = await applied(world, "product", unique("rating"), within({ rating: "" }));
  expect(product.outputs["rating"]).toBe("4.9");
  await refreshPlansNothing(product, within({ rating: "" }));
});
