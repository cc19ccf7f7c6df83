/** One resource of each kind for tests that hold for all of them. */
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { byHand, LONG, ResourceTest, type World } from "./harness.ts";

export interface Example {
  readonly kind: Kind;
  readonly title: string;
  /** Inputs with values for as much as the kind has. */
  readonly inputs: PropertyMap;
  /** Other values for the inputs that an update sends and a read shows. */
  readonly other: PropertyMap;
  /** The path of a read by id and of the list. */
  readonly path?: string;
  readonly named: boolean;
}

/** Makes the objects that the examples refer to: a project, a site, pages. */
export async function examplesIn(world: World): Promise<Record<ExampleName, Example>> {
  const make = async (kind: Kind, name: string, inputs: PropertyMap): Promise<string> => {
    const made = new ResourceTest(world, kind, name);
    await made.apply(inputs);
    return made.id;
  };
  const projectId = await make("project", "examples", { description: LONG, context: LONG });
  const siteId = await make("site", "examples.example", { projectId });
  const pageId = await make("page", "example step", { projectId });
  const [video] = (await byHand(world, "GET", "/videos")) as [{ id: string }];
  const page = {
    projectId,
    variables: { brand: "Acme", product_count: "12" },
    content: { "hero.title": "Hello {{brand}}", "hero.text": "Text" },
    delay: { time: 3 },
    tags: ["a"],
  };
  const other = { content: { "hero.title": "Hello {{brand}}", "hero.text": "Other" } };
  return {
    project: {
      kind: "project",
      title: "project",
      inputs: { description: LONG, context: LONG },
      other: { description: `${LONG} other` },
      path: "/projects",
      named: true,
    },
    page: {
      kind: "page",
      title: "page",
      inputs: { ...page, templateId: "tpl-hero", publish: { siteId, slug: "page" } },
      other,
      path: "/pages",
      named: true,
    },
    copy: {
      kind: "page",
      title: "copy of a page",
      inputs: { projectId, duplicateOf: pageId, productLabel: "Mug" },
      other: {},
      path: "/pages",
      named: true,
    },
    quiz: {
      kind: "quiz",
      title: "quiz",
      inputs: { ...page, templateId: "tpl-quiz-product", publish: { siteId, slug: "quiz" } },
      other,
      path: "/pages",
      named: true,
    },
    funnel: {
      kind: "funnel",
      title: "funnel",
      inputs: { projectId, steps: [{ pageId, pageType: "sales" }] },
      other: { steps: [{ pageId, pageType: "thankyou" }] },
      path: "/funnels",
      named: true,
    },
    product: {
      kind: "product",
      title: "product",
      inputs: { projectId, price: 5, variants: [{ id: "s", name: "Small" }] },
      other: { price: 6 },
      path: "/products",
      named: true,
    },
    site: {
      kind: "site",
      title: "site",
      inputs: { projectId, description: "A site" },
      other: {},
      path: "/sites",
      named: true,
    },
    hook: {
      kind: "hook",
      title: "hook",
      inputs: { eventType: "form_lead.created", targetUrl: "https://8.8.8.8/leads" },
      other: {},
      named: false,
    },
    videoPlayer: {
      kind: "videoPlayer",
      title: "video player",
      inputs: { videoId: video.id, title: "A title" },
      other: { title: "Another title" },
      path: "/videos",
      named: false,
    },
  };
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
    const rows = (await byHand(world, "GET", `${path ?? ""}?limit=100${pages ? `&page=${page}` : ""}`)) as {
      name: string;
      page_name?: string;
    }[];
    const found = rows.map((row) => (row.page_name ?? row.name).trim());
    count += found.filter((text) => text === name || text.startsWith(`${name} [lf-`)).length;
    if (rows.length < 100 || !pages) return count;
  }
}
