/** One resource of each kind for tests that hold for all of them. */
import { beforeAll } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { applied, byHand, LONG, PROJECT, type World } from "./harness.ts";

export interface Example {
  readonly kind: Kind;
  /** Inputs with values for as much as the kind has. */
  readonly inputs: PropertyMap;
  /** Other values for the inputs that an update sends and a read shows. */
  readonly other: PropertyMap;
  /** The path of a read by id and of the list. */
  readonly path?: string;
}

/** Makes the objects that the examples refer to: a project, a site, pages. */
async function examplesIn(world: World): Promise<Record<ExampleName, Example>> {
  const make = async (kind: Kind, name: string, inputs: PropertyMap): Promise<string> =>
    (await applied(world, kind, name, inputs)).id;
  const projectId = await make("project", "examples", PROJECT);
  const siteId = await make("site", "examples.example", { projectId });
  const pageId = await make("page", "example step", { projectId });
  const [video] = await byHand<[{ id: string }]>(world, "GET", "/videos");
  const page = {
    projectId,
    variables: { brand: "Acme", product_count: "12" },
    content: { "hero.title": "Hello {{brand}}", "hero.text": "Text" },
    delay: { time: 3 },
    tags: ["a"],
  };
  const pages = { other: { content: { "hero.title": "Hello {{brand}}", "hero.text": "Other" } }, path: "/pages" };
  return {
    project: { kind: "project", inputs: PROJECT, other: { description: `${LONG} other` }, path: "/projects" },
    page: { kind: "page", inputs: { ...page, templateId: "tpl-hero", publish: { siteId, slug: "page" } }, ...pages },
    copy: { kind: "page", inputs: { projectId, duplicateOf: pageId, productLabel: "Mug" }, other: {}, path: "/pages" },
    quiz: {
      kind: "quiz",
      inputs: { ...page, templateId: "tpl-quiz-product", publish: { siteId, slug: "quiz" } },
      ...pages,
    },
    funnel: {
      kind: "funnel",
      inputs: { projectId, steps: [{ pageId, pageType: "sales" }] },
      other: { steps: [{ pageId, pageType: "thankyou" }] },
      path: "/funnels",
    },
    product: {
      kind: "product",
      inputs: { projectId, price: 5, variants: [{ id: "s", name: "Small" }] },
      other: { price: 6 },
      path: "/products",
    },
    site: { kind: "site", inputs: { projectId, description: "A site" }, other: {}, path: "/sites" },
    hook: { kind: "hook", inputs: { eventType: "form_lead.created", targetUrl: "https://8.8.8.8/leads" }, other: {} },
    videoPlayer: {
      kind: "videoPlayer",
      inputs: { videoId: video.id, title: "A title" },
      other: { title: "Another title" },
      path: "/videos",
    },
  };
}

export function examplesOfAll(world: World): Record<ExampleName, Example> {
  const examples = {} as Record<ExampleName, Example>;
  beforeAll(async () => void Object.assign(examples, await examplesIn(world)));
  return examples;
}

export type ExampleName = "project" | "page" | "copy" | "quiz" | "funnel" | "product" | "site" | "hook" | "videoPlayer";

/** Returns the inputs of an example for one of several resources: each needs a slug of its own. */
export function inputsFor({ inputs }: Example, name: string): PropertyMap {
  const { publish } = inputs;
  if (typeof publish !== "object" || publish === null || Array.isArray(publish)) return inputs;
  return { ...inputs, publish: { ...publish, slug: name.toLowerCase().replaceAll(" ", "-") } };
}

/** Counts the service's objects of this name, without retired funnels. */
export async function countOf(world: World, { path }: Example, name: string): Promise<number> {
  let count = 0;
  // The list of funnels has no parameter `page`.
  const pages = path !== "/funnels";
  for (let page = 0; ; page++) {
    const query = `limit=100${pages ? `&page=${page}` : ""}`;
    const rows = await byHand<{ name: string; page_name?: string }[]>(world, "GET", `${path ?? ""}?${query}`);
    const found = rows.map((row) => (row.page_name ?? row.name).trim());
    count += found.filter((text) => text === name || text.startsWith(`${name} [lf-`)).length;
    if (rows.length < 100 || !pages) return count;
  }
}
