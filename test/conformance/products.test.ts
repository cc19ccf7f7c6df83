import { describe, expect, test } from "vitest";
import { record, refused } from "./expectations.ts";
import { listed, makeProduct, makeProject, missingId, unique } from "./fixtures.ts";
import { openTarget } from "./target.ts";

const target = await openTarget();
const read = (id: string) => target.record("getProduct", { at: id });
const update = async (product_id: string, more: object) =>
  target.call("updateProduct", { body: { product_id, ...more } });
const invalid = { code: "invalid_request" };
const items = [{ product_id: "a", quantity: 1 }];

const scalars = {
  sku: "MUG-1",
  description: "A mug",
  image: "https://cdn.example/mug.png",
  price: 12.5,
  compare_price: 15,
  cta_text: "Buy",
  cta_url: "https://pay.example/mug",
  show_full_product: true,
  cta_target: true,
  use_single_cta_link: true,
  rating: "4.7",
  rating_count: "312",
  bundle_discount: 10,
  tiers_enabled: true,
};

describe("POST /products", () => {
  test("is simple by default", async () => expect((await makeProduct(target)).type).toBe("simple"));

  test("keeps every field, and so does a read", async () => {
    const project = await makeProject(target);
    const fields = { ...scalars, type: "simple", project_id: project.id };
    const product = await makeProduct(target, fields);
    expect(product).toMatchObject(fields);
    expect(await read(product.id)).toEqual(product);
  });

  test.each<[string, (value: object) => unknown]>([
    ["arrays", (value) => value],
    ["JSON strings", (value) => JSON.stringify(value)],
  ])("takes lists as %s", async (_, encode) => {
    const lists = {
      trust_badges_json: encode(["Free returns"]),
      variants_json: encode([{ id: "red", name: "Red", image: "https://cdn.example/red.png" }]),
      tiers_json: encode([{ quantity: 2 }]),
      bundle_items_json: encode(items),
    };
    const product = await makeProduct(target, { type: "bundle", tiers_enabled: true, ...lists });
    expect(product).toMatchObject({ type: "bundle", bundle_item_count: 1, tiers_enabled: true });
  });

  test("subscription_json switches the subscription on and off", async () => {
    const subscription = { enabled: true, discountPercent: 15, benefits: ["Free post"] };
    const product = await makeProduct(target, { subscription_json: subscription });
    expect(product.subscription_enabled).toBe(true);
    await update(product.id, { subscription_json: { ...subscription, enabled: false } });
    expect((await read(product.id)).subscription_enabled).toBe(false);
  });

  test("a bundle requires its items", async () =>
    refused(await target.call("createProduct", { body: { name: "x", type: "bundle" } }), invalid));

  test.each([
    ["an unknown type", { type: "gift" }],
    ["text for a list", { variants_json: "{not JSON" }],
    ["a number for a name", { name: 7 }],
  ])("refuses %s", async (_, more) => {
    refused(await target.call("createProduct", { body: { name: unique("Mug"), ...more } }), invalid);
  });
});

describe("PATCH /products", () => {
  test("changes only the fields that were sent", async () => {
    const product = await makeProduct(target, scalars);
    const answer = record("Product", await update(product.id, { price: 9.99, cta_text: "Buy now" }));
    expect(answer).toMatchObject({ ...scalars, name: product.name, price: 9.99, cta_text: "Buy now" });
    expect(await read(product.id)).toEqual(answer);
  });

  test("turns a simple product into a bundle", async () => {
    const product = await makeProduct(target);
    const answer = record("Product", await update(product.id, { type: "bundle", bundle_items_json: items }));
    expect(answer).toMatchObject({ type: "bundle", bundle_item_count: 1 });
  });

  test("needs a product that exists and a known type", async () => {
    const product = await makeProduct(target);
    refused(await update(product.id, { type: "gift" }), invalid);
    refused(await update(missingId, { name: "x" }));
  });
});

test.each(["listProducts", "searchProducts"])("%s: by type", async (operation) => {
  const project_id = (await makeProject(target)).id;
  const simple = await makeProduct(target, { project_id });
  const bundle = await makeProduct(target, { project_id, type: "bundle", bundle_items_json: items });
  await listed(target, operation, simple.id, { project_id });
  const ofType = await listed(target, operation, bundle.id, { project_id, type: "bundle" });
  expect(ofType.map((one) => one.id)).toEqual([bundle.id]);
  refused(await target.call(operation, { query: { type: "gift" } }), invalid);
});
