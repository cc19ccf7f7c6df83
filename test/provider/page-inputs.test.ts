/** Every input of pages and quizzes: the calls of a change, and how a run finds and repairs drift. */
import { describe } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { madeForAll, worldOfAll } from "./harness.ts";
import { changeTable, type Change, type Declared, type Setting, type Write } from "./table.ts";

const world = worldOfAll();
const project = madeForAll(world, "project", "pages");
const otherProject = madeForAll(world, "project", "others");
const within = () => ({ projectId: project.id });
const site = madeForAll(world, "site", "main.example", within);
const otherSite = madeForAll(world, "site", "other.example", within);
const source = madeForAll(world, "page", "source", within);
const otherSource = madeForAll(world, "page", "other source", within);
const quizSource = madeForAll(world, "quiz", "source", within);
const otherQuizSource = madeForAll(world, "quiz", "other source", within);

const variables = { brand: "Acme", product_count: "12" };
const base = (templateId: string) => (): PropertyMap => ({ templateId, ...within(), variables });
const page: Setting = { kind: "page", world: () => world, base: base("tpl-hero") };
const quiz: Setting = { kind: "quiz", world: () => world, base: base("tpl-quiz-product") };
const content = { "hero.title": "Hello {{brand}}", "hero.text": "Text" };

const rest = "POST /pages/replace-variables";

const metadata = (fields: Record<string, unknown>) => (): Write[] => [
  ["PATCH /pages/metadata", { page_id: "ID", ...fields }],
];
const update = (updates: Record<string, unknown>) => (): Write[] => [
  ["PATCH /pages/content", { page_id: "ID", updates }],
];
const publication = (slug: string) => (): Write[] => [
  ["POST /pages/publish", { page_id: "ID", site_id: site.id, slug }],
];
/** A replacement: it makes another page, and then deletes the old one. */
const anew =
  (...create: string[]) =>
  (): Write[] =>
    [...create, "PATCH /pages/metadata", "DELETE /pages/ID"].map((call) => [call]);
/** Undefined removes the template, and the variables with it. */
const copyOf = (id: string): Declared => ({ templateId: undefined, variables: undefined, duplicateOf: id });
const anotherCopy = (from: () => string, to: () => string): Change => ({
  ...{ input: "duplicateOf", from: () => copyOf(from()), to: () => copyOf(to()), outcome: "replaced" },
  sends: anew("POST /pages/duplicate", "PATCH /pages/metadata"),
});
const anotherTemplate = (to: Change["to"], create: string, from?: Change["from"]): Change => ({
  ...{ input: "templateId", to, ...(from && { from }), outcome: "replaced", removal: "required" },
  sends: anew(create, rest),
});
/** The template's texts with {{brand}}, and the declared one. */
const heroTexts = (brand: string): Record<string, string> => ({
  "hero.title": `Hello ${brand}`,
  "footer.text": `© ${brand}. All rights reserved.`,
  "hero.eyebrow": `New from ${brand}`,
  "top.brand": brand,
});
/** Inputs whose change makes the same calls for pages and quizzes. `create` is the call that creates. */
const shared = (word: string, create: string): Change[] => [
  { input: "name", to: () => ({ name: `New ${word}` }), outcome: "updated", sends: metadata({ name: `New ${word}` }) },
  {
    input: "projectId",
    to: () => ({ projectId: otherProject.id }),
    outcome: "updated",
    sends: () => metadata({ project_id: otherProject.id })(),
  },
  {
    input: "tags",
    from: () => ({ tags: ["a"] }),
    to: () => ({ tags: ["b"] }),
    outcome: "updated",
    sends: metadata({ tags: ["b"] }),
  },
  { input: "tags", to: () => ({ tags: ["b", "c"] }), outcome: "updated", sends: metadata({ tags: ["b", "c"] }) },
  { input: "onForeignEdits", to: () => ({ onForeignEdits: "include" }), outcome: "same" },
  {
    input: "productLabel",
    to: () => ({ productLabel: "Mug" }),
    outcome: "updated",
    sends: metadata({ product_label: "Mug" }),
  },
  {
    input: "delay",
    from: () => ({ delay: { time: 3 } }),
    to: () => ({ delay: { time: 5, syncWithVideo: true, scrollIntoView: false } }),
    outcome: "updated",
    sends: () => [["PATCH /pages/delay", { page_id: "ID", time: 5, sync_with_video: true, scroll_into_view: false }]],
  },
  {
    input: "content",
    from: () => ({ content }),
    to: () => ({ content: { ...content, "hero.title": "Bye {{brand}}" } }),
    outcome: "updated",
    sends: update({ "hero.title": "Bye Acme" }),
  },
  { input: "content", from: () => ({ content }), to: () => ({ content: {} }), outcome: "same" },
  { input: "content", from: () => ({ content }), to: () => ({ content: { "hero.text": "Text" } }), outcome: "same" },
  {
    input: "content",
    to: () => ({ content: { "hero.text": "New" } }),
    outcome: "updated",
    sends: update({ "hero.text": "New" }),
  },
  {
    input: "publish",
    from: () => ({ publish: { siteId: site.id, slug: `${word}-one` } }),
    to: () => ({ publish: { siteId: site.id, slug: `${word}-two` } }),
    outcome: "updated",
    sends: publication(`${word}-two`),
    removal: { outcome: "replaced", sends: anew(create, rest) },
  },
  {
    input: "publish",
    to: () => ({ publish: { siteId: site.id, slug: `${word}-added` } }),
    outcome: "updated",
    sends: publication(`${word}-added`),
    removal: { outcome: "replaced", sends: anew(create, rest) },
  },
  {
    input: "publish",
    from: () => ({ publish: { siteId: site.id, slug: `${word}-moves` } }),
    to: () => ({ publish: { siteId: otherSite.id, slug: `${word}-moves` } }),
    outcome: "replaced",
    // The new page is public under its own name before the old one goes.
    sends: () => [[create], [rest], ["PATCH /pages/metadata"], ["POST /pages/publish"], ["DELETE /pages/ID"]],
    removal: { outcome: "replaced", sends: anew(create, rest) },
  },
  ...[{ from: () => ({ siteId: site.id }) }, {}].map((from): Change => ({
    ...{ input: "siteId", ...from, to: () => ({ siteId: otherSite.id }), outcome: "replaced" },
    sends: anew(create, rest),
  })),
  { input: "nodes", to: () => ({ nodes: {} }), outcome: "updated" }, // more in undo/drafts.test.ts
];

describe("page", () => {
  const create = "POST /pages/from-template";
  changeTable(page, [
    ...shared("page", create),
    anotherTemplate(() => ({ templateId: "tpl-sales" }), create),
    anotherTemplate(
      () => ({}),
      create,
      () => ({ templateId: undefined, variables: undefined }),
    ),
    anotherCopy(
      () => source.id,
      () => otherSource.id,
    ),
    {
      input: "variables",
      from: () => ({ content }),
      to: () => ({ content, variables: { brand: "Beta" } }),
      outcome: "updated",
      sends: update(heroTexts("Beta")),
    },
  ]);
});

describe("quiz", () => {
  const create = "POST /quizzes/from-template";
  changeTable(quiz, [
    ...shared("quiz", create),
    anotherTemplate(() => ({ templateId: "tpl-quiz-plan" }), create),
    anotherCopy(
      () => quizSource.id,
      () => otherQuizSource.id,
    ),
    {
      input: "variables",
      to: () => ({ variables: { ...variables, brand: "Beta" } }),
      outcome: "updated",
      sends: update({ "footer.text": "© Beta", "top.brand": "Beta" }),
    },
  ]);
});
