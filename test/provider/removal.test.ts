/** Inputs that a program no longer declares: a call clears them, or they stay as they are without one. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, calls, madeForAll, ResourceTest, applied, worldOfAll } from "./harness.ts";
import { unique } from "./table.ts";
import { textsInApp } from "../suite/app.ts";

const world = worldOfAll();
const project = madeForAll(world, "project", "removal");
const site = madeForAll(world, "site", "removal.example");

/** Returns the calls of an apply without some inputs, and checks that the next one plans nothing. */
async function without(resource: ResourceTest, inputs: PropertyMap): Promise<{ outcome: string; sent: unknown[] }> {
  calls(world);
  const outcome = await resource.up(inputs);
  const sent = world.emulator.requests.filter(({ method }) => method !== "GET").map(({ body }) => body);
  expect(await resource.up(inputs)).toBe("same");
  await resource.refresh();
  expect(await resource.up(inputs)).toBe("same");
  return { outcome, sent };
}

const PRODUCT: PropertyMap = {
  price: 5,
  comparePrice: 9,
  sku: "MUG-1",
  image: "https://img.example/mug.png",
  ctaText: "Buy",
  rating: "4.2",
  showFullProduct: true,
  variants: [{ id: "s", name: "Small" }],
  trustBadges: ["Free shipping"],
  subscription: { enabled: true },
};

test.each([
  ["sku", { sku: "" }],
  ["image", { image: "" }],
  ["ctaText", { cta_text: "" }],
  ["comparePrice", { compare_price: 0 }],
  ["variants", { variants_json: [] }],
  ["trustBadges", { trust_badges_json: [] }],
  ["subscription", { subscription_json: { enabled: false } }],
])("%s of a product is cleared", async (field, body) => {
  const product = await applied(world, "product", unique("cleared"), PRODUCT);
  const { [field]: _, ...rest } = PRODUCT;
  const { outcome, sent } = await without(product, rest);
  expect(outcome).toBe("updated");
  expect(sent).toEqual([{ ...body, product_id: product.id }]);
});

test("the steps of a funnel are emptied", async () => {
  const funnel = await applied(world, "funnel", unique("funnel"), {
    projectId: project.id,
    steps: [{ url: "https://pay.example", pageType: "sales" }],
  });
  const { outcome } = await without(funnel, { projectId: project.id });
  expect(outcome).toBe("updated");
  expect(await byHand(world, "GET", `/funnels/${funnel.id}`)).toMatchObject({ pages: [] });
});

async function published(): Promise<{ offer: ResourceTest; inputs: PropertyMap }> {
  const slug = unique("offer");
  const inputs = {
    ...{ templateId: "tpl-hero", variables: { brand: "Acme", product_count: "12" } },
    content: { "hero.title": "Until Friday", "hero.text": "{{brand}} for all" },
    ...{ tags: ["sale"], productLabel: "Mug", publish: { siteId: site.id, slug } },
  };
  return { offer: await applied(world, "page", slug, inputs), inputs };
}

test("a content key, the delay and the variables of a published page stay, and nothing is published", async () => {
  const { offer, inputs } = await published();
  const { variables: _, ...rest } = inputs;
  const less = { ...rest, content: { "hero.text": "{{brand}} for all" } };
  expect(await without(offer, less)).toEqual({ outcome: "same", sent: [] });
  const texts = JSON.stringify(await textsInApp(world, offer.id));
  expect(texts).toContain("Until Friday");
  expect(texts).toContain("Acme for all");
});

test("tags and label of a page are cleared, and the page is published again", async () => {
  const { offer, inputs } = await published();
  const { tags, productLabel, ...rest } = inputs;
  const { outcome, sent } = await without(offer, rest);
  expect(outcome).toBe("updated");
  expect(sent[0]).toEqual({ page_id: offer.id, tags: [], product_label: "" });
});

test("a template can't be left out: refused before anything is sent, with the way on", async () => {
  const { offer, inputs } = await published();
  const { templateId = "", ...rest } = inputs;
  calls(world);
  await expect(offer.up(rest)).rejects.toThrow(/templateId: the page was made from it.*Declare it again/);
  expect(calls(world)).toEqual([]);
  expect(await offer.up({ ...rest, adoptId: offer.id })).toBe("same");
  expect(await offer.up({ ...inputs, templateId })).toBe("same");
});

test("a text of the template is kept as it was before its first rendering", async () => {
  const offer = await applied(world, "page", unique("page"), { templateId: "tpl-hero", variables: { brand: "Acme" } });
  await offer.apply({ templateId: "tpl-hero", variables: { brand: "Acme", product_count: "12" } });
  await offer.apply({ templateId: "tpl-hero", variables: { brand: "Zen", product_count: "13" } });
  const texts = JSON.stringify(await textsInApp(world, offer.id));
  expect(texts).not.toContain("Acme");
  expect(texts).toContain("Zen");
});

test("a site whose name was changed in the app, as advised, is what the code says", async () => {
  const site = new ResourceTest(world, "site", unique("renamed.example"));
  await site.apply({ description: "A site" });
  await expect(site.up({ description: "A site", name: "new.example" })).rejects.toThrow(/can't change a site/);
  world.emulator.renameSite(site.id, "new.example");
  expect(await site.up({ description: "A site", name: "new.example" })).toBe("updated");
  expect(await site.up({ description: "A site", name: "new.example" })).toBe("same");
  await site.refresh();
  expect(await site.up({ description: "A site", name: "new.example" })).toBe("same");
  expect(world.printed.join()).not.toContain("somebody has changed");
});
