import { variables } from "./document/index.ts";
import { draftOf, pageById } from "./pages.ts";
import type { Handler } from "./operations/operation.ts";
import type { Service } from "./service.ts";

/** Videos can't be uploaded through the API, so every new account has some. */
const videos = [
  { name: "Welcome", title: "Welcome to the spring launch", status: "ready", duration: 94 },
  { name: "Mug tour", title: "A closer look at the mug", status: "ready", duration: 212 },
  { name: "Customer stories", title: null, status: "processing", duration: 0 },
];

export function seedVideos(service: Service): void {
  for (const video of videos) {
    service.videos.put({
      ...service.born("video"),
      ...video,
      thumbnailUrl: null,
      projectId: null,
      player: { language: "en", primary_color: null, controls: true, autoplay: false, muted: false, loop: false },
    });
  }
}

/** A small account to look around in, made by the operations that a user has. */
export async function seedDemo(service: Service, handlers: ReadonlyMap<string, Handler>): Promise<void> {
  const run = async (id: string, body: object): Promise<{ id: string }> =>
    (await handlers.get(id)?.(service, { params: {}, query: {}, body } as never)) as { id: string };
  const project = await run("createProject", {
    name: "Demo",
    description: "A demonstration project with a site, a landing page and a product.",
    context:
      "Example Mugs sells handmade mugs to people who take their coffee seriously. The tone is warm and plain. The offer " +
      "is one mug at a fair price, with free shipping for two, and a guide to better coffee for everyone who signs up.",
  });
  const site = await run("createSite", { name: "demo.example", project_id: project.id });
  const page = await run("createPageFromTemplate", { template_id: "tpl-hero", name: "Offer", project_id: project.id });
  const names = variables(draftOf(service, pageById(service, page.id)));
  const values = Object.fromEntries(names.map((name) => [name, "Example Mugs"]));
  await run("replacePageVariables", { page_id: page.id, variables: values });
  await run("publishPage", { page_id: page.id, site_id: site.id, slug: "offer" });
  await run("createProduct", { name: "Mug", price: 12.5, project_id: project.id });
  await run("createFunnel", {
    name: "Demo",
    project_id: project.id,
    pages: [{ pageId: page.id, pageType: "presell" }],
  });
}
