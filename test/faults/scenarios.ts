/** Short lives of every kind, which make every changing call at least once. */
import type { Emulator } from "../../emulator/index.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import type { Declared } from "./stack.ts";
import { inTheApp } from "../suite/app.ts";

export const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);

/** The objects that the stack refers to and doesn't own. */
export interface Ground {
  readonly projectId: string;
  readonly siteId: string;
  readonly pageId: string;
  readonly videoId: string;
  /** A page that the stack adopts, and two of its nodes. */
  readonly adopted: { readonly id: string; readonly patched: string; readonly replaced: string };
}

export interface Scenario {
  readonly name: string;
  /** The programs, applied one after another. After the last one the stack is destroyed. */
  readonly programs: (ground: Ground) => readonly (readonly Declared[])[];
}

type Versions = (ground: Ground) => readonly object[];

const life = (kind: Kind, name: string, versions: Versions, title: string = kind): Scenario => ({
  name: title,
  programs: (ground) => versions(ground).map((inputs) => [{ kind, name, inputs: inputs as JsonMap }]),
});

const text = (title: string) => ({
  templateId: "tpl-hero",
  variables: { brand: "Acme", product_count: "12" },
  content: { "hero.title": title },
});

export const scenarios: readonly Scenario[] = [
  life("project", "Spring", () => [
    { description: LONG, context: LONG },
    { description: `${LONG} more`, context: LONG },
  ]),
  life("site", "spring.example", ({ projectId }) => [{ projectId }]),
  life(
    "page",
    "Offer",
    ({ projectId, siteId }) => [
      { projectId, ...text("One"), tags: ["a"], delay: { time: 3 }, publish: { siteId, slug: "o" } },
      { projectId, ...text("Two"), tags: ["b"], delay: { time: 4 }, publish: { siteId, slug: "p" } },
      { projectId, templateId: "tpl-sales", tags: ["b"] },
    ],
    "page of a template",
  ),
  life(
    "page",
    "Blank",
    ({ projectId }) => [{ projectId }, { projectId, tags: ["b"], productLabel: "Mug" }],
    "blank page",
  ),
  life(
    "page",
    "Adopted",
    ({ adopted: { id, patched, replaced }, projectId }) => [
      { adoptId: id, projectId, nodes: { [patched]: { misc: { note: "one" } } } },
      {
        adoptId: id,
        projectId,
        nodes: {
          [patched]: { misc: { note: "two" } },
          [replaced]: { node: { id: replaced, type: "section", misc: {} } },
        },
      },
    ],
    "page that is taken over",
  ),
  life("page", "Copy", ({ pageId, projectId }) => [{ duplicateOf: pageId, projectId, tags: ["a"] }], "copy of a page"),
  life("quiz", "Fit", ({ projectId }) => [{ projectId }, { projectId, tags: ["x"] }], "blank quiz"),
  life(
    "quiz",
    "Match",
    ({ projectId, siteId }) => [
      { projectId, templateId: "tpl-quiz-product", content: { "hero.title": "One" }, siteId },
      { projectId, templateId: "tpl-quiz-product", content: { "hero.title": "Two" }, siteId },
    ],
    "quiz of a template",
  ),
  life("funnel", "Path", ({ projectId, pageId }) => [
    { projectId, steps: [{ pageId, pageType: "sales" }] },
    {
      projectId,
      steps: [
        { pageId, pageType: "sales" },
        { url: "https://pay.example/", pageType: "thankyou" },
      ],
    },
  ]),
  life("product", "Mug", ({ projectId }) => [
    { projectId, price: 5, variants: [{ id: "s", name: "Small" }] },
    { projectId, price: 6, variants: [{ id: "s", name: "Small" }] },
  ]),
  life("hook", "leads", () => [
    { eventType: "form_lead.created", targetUrl: "https://8.8.8.8/leads" },
    { eventType: "form_lead.created", targetUrl: "https://8.8.4.4/leads" },
  ]),
  life("videoPlayer", "player", ({ videoId }) => [
    { videoId, title: "One", autoplay: true },
    { videoId, title: "Two", autoplay: true },
  ]),
];

/** Makes the objects that scenarios refer to, and for every name that they use an object of another stack or a person. */
export async function prepare(emulator: Emulator): Promise<Ground> {
  const make = async (path: string, body: object): Promise<string> =>
    (await inTheApp({ emulator }, "POST", path, body)).id;
  const project = { description: LONG, context: LONG };
  const project_id = await make("/projects", { ...project, name: "Ground" });
  const siteId = await make("/sites", { name: "ground.example", project_id });
  const pageId = await make("/pages/from-template", { name: "Ground", template_id: "tpl-hero", project_id });
  await make("/projects", { ...project, name: "Spring" });
  await make("/pages/from-template", { name: "Offer", template_id: "tpl-hero", project_id });
  for (const name of ["Blank", "Copy"]) await make("/pages", { name, project_id });
  for (const name of ["Fit", "Match"]) await make("/quizzes", { name, project_id });
  await make("/funnels", { name: "Path", project_id, pages: [{ pageId, pageType: "sales" }] });
  await make("/products", { name: "Mug", price: 5, project_id });
  await make("/hooks", { event_type: "form_lead.created", target_url: "https://8.8.8.8/leads" });
  const adoptedId = await make("/pages/from-template", { name: "Adopted", template_id: "tpl-hero", project_id });
  const documents = emulator.records()["documents"] as { id: string; draft: { sections: { id: string }[] } }[];
  const sections = documents.find(({ id }) => id === adoptedId)?.draft.sections ?? [];
  const [patched, replaced] = sections.map(({ id }) => id);
  const [video] = emulator.records()["videos"] ?? [];
  emulator.requests.length = 0;
  return {
    projectId: project_id,
    siteId,
    pageId,
    videoId: video?.id ?? "",
    adopted: { id: adoptedId, patched: patched ?? "", replaced: replaced ?? "" },
  };
}
