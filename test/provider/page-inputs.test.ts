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
const METADATA = "PATCH /pages/metadata";

const metadata = (fields: Record<string, unknown>): Write[] => [[METADATA, { page_id: "ID", ...fields }]];
const update = (updates: Record<string, unknown>): Write[] => [["PATCH /pages/content", { page_id: "ID", updates }]];
/** A replacement: it makes another page, and then deletes the old one. */
const anew = (...create: string[]): Write[] => [...create, METADATA, "DELETE /pages/ID"].map((call) => [call]);
/** Undefined removes the template, and the variables with it. */
const copyOf = (id: string): Declared => ({ templateId: undefined, variables: undefined, duplicateOf: id });
const anotherCopy = (from: { readonly id: string }, to: { readonly id: string }): Change => ({
  ...{ input: "duplicateOf", from: () => copyOf(from.id), to: () => copyOf(to.id), outcome: "replaced" },
  sends: anew("POST /pages/duplicate", METADATA),
});
const anotherTemplate = (to: Declared, create: string, from: Declared = {}): Change => ({
  ...{ input: "templateId", to, from, outcome: "replaced", removal: "required", sends: anew(create, rest) },
});
/** The template's texts with {{brand}}, and the declared one. */
const heroTexts = (brand: string): Record<string, string> => ({
  "hero.title": `Hello ${brand}`,
  "footer.text": `© ${brand}. All rights reserved.`,
  "hero.eyebrow": `New from ${brand}`,
  "top.brand": brand,
});

/** Inputs whose change makes the same calls for pages and quizzes. `create` is the call that creates. */
function shared(word: string, create: string): Change[] {
  const at = (slug: string, { id } = site): Declared => ({ publish: { siteId: id, slug: `${word}-${slug}` } });
  const publication = (slug: string): Write[] => [
    ["POST /pages/publish", { page_id: "ID", site_id: site.id, slug: `${word}-${slug}` }],
  ];
  const removal = { outcome: "replaced", sends: anew(create, rest) } as const;
  const delayed = { page_id: "ID", time: 5, sync_with_video: true, scroll_into_view: false };
  return [
    { input: "name", to: { name: `New ${word}` }, sends: metadata({ name: `New ${word}` }) },
    {
      ...{ input: "projectId", to: () => ({ projectId: otherProject.id }) },
      sends: () => metadata({ project_id: otherProject.id }),
    },
    { input: "tags", from: { tags: ["a"] }, to: { tags: ["b"] }, sends: metadata({ tags: ["b"] }) },
    { input: "tags", to: { tags: ["b", "c"] }, sends: metadata({ tags: ["b", "c"] }) },
    { input: "onForeignEdits", to: { onForeignEdits: "include" }, outcome: "same" },
    { input: "productLabel", to: { productLabel: "Mug" }, sends: metadata({ product_label: "Mug" }) },
    {
      ...{ input: "delay", from: { delay: { time: 3 } }, sends: [["PATCH /pages/delay", delayed]] },
      to: { delay: { time: 5, syncWithVideo: true, scrollIntoView: false } },
    },
    {
      ...{ input: "content", from: { content }, to: { content: { ...content, "hero.title": "Bye {{brand}}" } } },
      sends: update({ "hero.title": "Bye Acme" }),
    },
    { input: "content", from: { content }, to: { content: {} }, outcome: "same" },
    { input: "content", from: { content }, to: { content: { "hero.text": "Text" } }, outcome: "same" },
    { input: "content", to: { content: { "hero.text": "New" } }, sends: update({ "hero.text": "New" }) },
    { input: "publish", from: () => at("one"), to: () => at("two"), sends: () => publication("two"), removal },
    { input: "publish", to: () => at("added"), sends: () => publication("added"), removal },
    {
      ...{ input: "publish", from: () => at("moves"), to: () => at("moves", otherSite), outcome: "replaced", removal },
      // The new page is public under its own name before the old one goes.
      sends: [[create], [rest], [METADATA], ["POST /pages/publish"], ["DELETE /pages/ID"]],
    },
    ...[() => ({ siteId: site.id }), {}].map((from): Change => ({
      ...{ input: "siteId", from, to: () => ({ siteId: otherSite.id }), outcome: "replaced" },
      sends: anew(create, rest),
    })),
    { input: "nodes", to: { nodes: {} } }, // more in undo/drafts.test.ts
  ];
}

describe("page", () => {
  const create = "POST /pages/from-template";
  changeTable(page, [
    ...shared("page", create),
    anotherTemplate({ templateId: "tpl-sales" }, create),
    anotherTemplate({}, create, { templateId: undefined, variables: undefined }),
    anotherCopy(source, otherSource),
    {
      ...{ input: "variables", from: { content }, to: { content, variables: { brand: "Beta" } } },
      sends: update(heroTexts("Beta")),
    },
  ]);
});

describe("quiz", () => {
  const create = "POST /quizzes/from-template";
  changeTable(quiz, [
    ...shared("quiz", create),
    anotherTemplate({ templateId: "tpl-quiz-plan" }, create),
    anotherCopy(quizSource, otherQuizSource),
    {
      ...{ input: "variables", to: { variables: { ...variables, brand: "Beta" } } },
      sends: update({ "footer.text": "© Beta", "top.brand": "Beta" }),
    },
  ]);
});
