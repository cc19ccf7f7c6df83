/** Every input of pages and quizzes: the calls of a change, and how a run finds and repairs drift. */
import { beforeAll, describe } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { LONG, applied, worldOfAll } from "./harness.ts";
import { changeTable, type Change, type Setting, type Write } from "./table.ts";

const world = worldOfAll();
let projectId: string;
let otherProjectId: string;
let siteId: string;
let otherSiteId: string;
let sourceId: string;
let quizId: string;
let otherQuizId: string;
let otherSourceId: string;

beforeAll(async () => {
  const make = async (
    kind: "project" | "site" | "page" | "quiz",
    name: string,
    inputs: PropertyMap,
  ): Promise<string> => {
    const made = await applied(world, kind, name, inputs);
    return made.id;
  };
  projectId = await make("project", "pages", { description: LONG, context: LONG });
  otherProjectId = await make("project", "others", { description: LONG, context: LONG });
  siteId = await make("site", "main.example", { projectId });
  otherSiteId = await make("site", "other.example", { projectId });
  sourceId = await make("page", "source", { projectId });
  otherSourceId = await make("page", "other source", { projectId });
  quizId = await make("quiz", "source", { projectId });
  otherQuizId = await make("quiz", "other source", { projectId });
});

const variables = { brand: "Acme", product_count: "12" };
const base = (templateId: string) => (): PropertyMap => ({ templateId, projectId, variables });
const page: Setting = { kind: "page", world: () => world, base: base("tpl-hero") };
const quiz: Setting = { kind: "quiz", world: () => world, base: base("tpl-quiz-product") };
const content = { "hero.title": "Hello {{brand}}", "hero.text": "Text" };

const metadata = (fields: Record<string, unknown>) => (): Write[] => [
  ["PATCH /pages/metadata", { page_id: "ID", ...fields }],
];
const update = (updates: Record<string, unknown>) => (): Write[] => [
  ["PATCH /pages/content", { page_id: "ID", updates }],
];
const publication = (slug: string) => (): Write[] => [
  ["POST /pages/publish", { page_id: "ID", site_id: siteId, slug }],
];
/** A replacement: it makes another page, and then deletes the old one. */
const anew =
  (...create: string[]) =>
  (): Write[] => [...create.map((call): Write => [call]), ["PATCH /pages/metadata"], ["DELETE /pages/ID"]];
/** The same for a published page: the new page is public under its own name before the old one goes. */
const anewAt =
  (...create: string[]) =>
  (): Write[] => [
    ...create.map((call): Write => [call]),
    ["PATCH /pages/metadata"],
    ["POST /pages/publish"],
    ["DELETE /pages/ID"],
  ];
/** The template's texts with {{brand}}, and the declared one. */
const heroTexts = (brand: string): Record<string, string> => ({
  "hero.title": `Hello ${brand}`,
  "footer.text": `© ${brand}. All rights reserved.`,
  "hero.eyebrow": `New from ${brand}`,
  "top.brand": brand,
});
const rest = "POST /pages/replace-variables";

/** Inputs whose change makes the same calls for pages and quizzes. `create` is the call that creates. */
const shared = (word: string, create: string): Change[] => [
  { input: "name", to: () => ({ name: `New ${word}` }), outcome: "updated", sends: metadata({ name: `New ${word}` }) },
  {
    input: "projectId",
    to: () => ({ projectId: otherProjectId }),
    outcome: "updated",
    sends: () => metadata({ project_id: otherProjectId })(),
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
    from: () => ({ publish: { siteId, slug: `${word}-one` } }),
    to: () => ({ publish: { siteId, slug: `${word}-two` } }),
    outcome: "updated",
    sends: publication(`${word}-two`),
    removal: { outcome: "replaced", sends: anew(create, rest) },
  },
  {
    input: "publish",
    to: () => ({ publish: { siteId, slug: `${word}-added` } }),
    outcome: "updated",
    sends: publication(`${word}-added`),
    removal: { outcome: "replaced", sends: anew(create, rest) },
  },
  {
    input: "publish",
    from: () => ({ publish: { siteId, slug: `${word}-moves` } }),
    to: () => ({ publish: { siteId: otherSiteId, slug: `${word}-moves` } }),
    outcome: "replaced",
    sends: anewAt(create, rest),
    removal: { outcome: "replaced", sends: anew(create, rest) },
  },
  {
    input: "siteId",
    from: () => ({ siteId }),
    to: () => ({ siteId: otherSiteId }),
    outcome: "replaced",
    sends: anew(create, rest),
  },
  { input: "siteId", to: () => ({ siteId: otherSiteId }), outcome: "replaced", sends: anew(create, rest) },
];

describe("page", () => {
  changeTable(page, [
    ...shared("page", "POST /pages/from-template"),
    {
      input: "templateId",
      to: () => ({ templateId: "tpl-sales" }),
      outcome: "replaced",
      sends: anew("POST /pages/from-template", rest),
      removal: "required",
    },
    {
      input: "templateId",
      from: () => ({ templateId: undefined, variables: undefined }),
      to: () => ({}),
      outcome: "replaced",
      sends: anew("POST /pages/from-template", rest),
      removal: "required",
    },
    {
      input: "duplicateOf",
      from: () => ({ templateId: undefined, variables: undefined, duplicateOf: sourceId }),
      to: () => ({ templateId: undefined, variables: undefined, duplicateOf: otherSourceId }),
      outcome: "replaced",
      sends: () => [
        ["POST /pages/duplicate"],
        ["PATCH /pages/metadata"],
        ["PATCH /pages/metadata"],
        ["DELETE /pages/ID"],
      ],
    },
    {
      input: "variables",
      from: () => ({ content }),
      to: () => ({ content, variables: { brand: "Beta" } }),
      outcome: "updated",
      sends: update(heroTexts("Beta")),
    },
    { input: "nodes", to: () => ({ nodes: {} }), outcome: "updated" }, // more in nodes.test.ts
  ]);
});

describe("quiz", () => {
  changeTable(quiz, [
    ...shared("quiz", "POST /quizzes/from-template"),
    {
      input: "templateId",
      to: () => ({ templateId: "tpl-quiz-plan" }),
      outcome: "replaced",
      sends: anew("POST /quizzes/from-template", rest),
      removal: "required",
    },
    {
      input: "duplicateOf",
      from: () => ({ templateId: undefined, variables: undefined, duplicateOf: quizId }),
      to: () => ({ templateId: undefined, variables: undefined, duplicateOf: otherQuizId }),
      outcome: "replaced",
      sends: () => [
        ["POST /pages/duplicate"],
        ["PATCH /pages/metadata"],
        ["PATCH /pages/metadata"],
        ["DELETE /pages/ID"],
      ],
    },
    {
      input: "variables",
      to: () => ({ variables: { ...variables, brand: "Beta" } }),
      outcome: "updated",
      sends: update({ "footer.text": "© Beta", "top.brand": "Beta" }),
    },
    { input: "nodes", to: () => ({ nodes: {} }), outcome: "updated" }, // more in nodes.test.ts
  ]);
});
