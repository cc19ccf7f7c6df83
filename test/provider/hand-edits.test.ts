/** A person edits one thing while the program changes another: the run still finds the edit and repairs it. */
import { expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { byHand, LONG, PROJECT, applied, worldOfAll } from "./harness.ts";

const world = worldOfAll();

interface Case {
  readonly kind: Kind;
  readonly what: string;
  readonly before: PropertyMap;
  readonly after: PropertyMap;
  readonly edit: (id: string) => [method: string, path: string, body: object];
  /** The edited input: a refresh shows the edit, and the repair restores it. */
  readonly field: string;
  readonly edited: unknown;
}

const hero = { templateId: "tpl-hero", content: { "hero.title": "Title", "hero.text": "Text" } };
const steps = (host: string) => [{ url: `https://${host}.example`, pageType: "sales" }];
const cases: Case[] = [
  {
    ...{ kind: "page", what: "the name, while a text changes" },
    before: { ...hero, name: "Offer" },
    after: { ...hero, name: "Offer", content: { ...hero.content, "hero.title": "Other" } },
    edit: (id) => ["PATCH", "/pages/metadata", { page_id: id, name: "By hand" }],
    ...{ field: "name", edited: "By hand" },
  },
  {
    ...{ kind: "page", what: "a text, while another one changes" },
    before: { ...hero },
    after: { ...hero, content: { ...hero.content, "hero.title": "Other" } },
    edit: (id) => ["PATCH", "/pages/content", { page_id: id, updates: { "hero.text": "By hand" } }],
    ...{ field: "content", edited: { "hero.title": "Other", "hero.text": "By hand" } },
  },
  {
    ...{ kind: "product", what: "the description, while the price changes" },
    before: { price: 5, description: "Mug" },
    after: { price: 6, description: "Mug" },
    edit: (id) => ["PATCH", "/products", { product_id: id, description: "By hand" }],
    ...{ field: "description", edited: "By hand" },
  },
  {
    ...{ kind: "project", what: "the description, while the name changes" },
    before: { ...PROJECT, name: "Spring" },
    after: { ...PROJECT, name: "Summer" },
    edit: (id) => ["PATCH", `/projects/${id}`, { description: `By hand. ${LONG}` }],
    ...{ field: "description", edited: `By hand. ${LONG}` },
  },
  {
    ...{ kind: "funnel", what: "the steps, while the name changes" },
    before: { name: "Flow", steps: steps("a") },
    after: { name: "Other", steps: steps("a") },
    edit: (id) => ["PATCH", "/funnels", { funnel_id: id, pages: steps("by-hand") }],
    ...{ field: "steps", edited: steps("by-hand") },
  },
];

let count = 0;

test.each(cases)("$kind: $what", async ({ kind, before, after, edit, field, edited }) => {
  const resource = await applied(world, kind, `edited-${++count}.`, before);
  await byHand(world, ...edit(resource.id));
  expect(await resource.apply(after)).toBe("updated");
  await resource.refresh();
  expect(resource.state?.inputs?.[field]).toEqual(edited);
  expect(await resource.apply(after)).toBe("updated");
  await resource.refresh();
  expect(resource.state?.inputs?.[field]).toEqual(after[field]);
  expect(await resource.apply(after)).toBe("same");
});
