import { allNodes, FORM_ID_FIELD, variables } from "../document/index.ts";
import { submit } from "./leads.ts";
import type { Handler } from "../operations/operation.ts";
import { addProject } from "../operations/projects.ts";
import { draftOf, pageById } from "./pages.ts";
import type { Service } from "./service.ts";

/** The API can't upload videos, so every new account has some. */
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

const person = { name: "Ada Example", email: "ada@example.com", phone: "+1 555 0100" };

/** Fills a small account for a tour: something of every kind, made by the operations that a user has. */
export async function seedDemo(service: Service, handlers: ReadonlyMap<string, Handler>): Promise<void> {
  const run = async (operation: string, body: object): Promise<string> => {
    const result = await handlers.get(operation)?.(service, { params: {}, query: {}, body } as never);
    return (result as { id: string }).id;
  };
  const { id: project_id } = addProject(service, {
    name: "Demo",
    description: "A demonstration project with a site, some pages, a quiz, a product and a funnel.",
    context:
      "Example Mugs sells handmade mugs to people who take their coffee seriously. The tone is warm and plain. The offer " +
      "is one mug at a fair price, with free shipping for two, and a guide to better coffee for everyone who signs up.",
  });
  const site_id = await run("createSite", { name: "demo.example", project_id });
  const published = async (operation: string, template_id: string, name: string): Promise<string> => {
    const page_id = await run(operation, { template_id, name, project_id });
    const names = variables(draftOf(service, pageById(service, page_id)));
    await run("replacePageVariables", {
      page_id,
      variables: Object.fromEntries(names.map((variable) => [variable, "Example Mugs"])),
    });
    await run("publishPage", { page_id, site_id, slug: name.toLowerCase() });
    return page_id;
  };
  const offer = await published("createPageFromTemplate", "tpl-hero", "Offer");
  const quiz = await published("createQuizFromTemplate", "tpl-quiz-product", "Quiz");
  const thanks = await published("createPageFromTemplate", "tpl-thankyou", "Thanks");
  const retired = await published("createPageFromTemplate", "tpl-presell", "Retired");
  detach(service, retired);
  sendForm(service, offer, person);
  sendForm(service, quiz, person);
  await run("createProduct", { name: "Mug", price: 12.5, project_id });
  const pages = [
    { pageId: offer, pageType: "presell" },
    { pageId: thanks, pageType: "thankyou" },
  ];
  await run("createFunnel", { name: "Demo", project_id, pages });
}

/** Takes a page off its site and leaves it published. No API call makes such a page. */
export function detach(service: Service, pageId: string): void {
  service.pages.put({ ...pageById(service, pageId), siteId: null, updatedAt: service.now() });
}

export function renameSite(service: Service, siteId: string, name: string): void {
  const site = service.sites.get(siteId);
  if (site === undefined) throw new Error(`there is no site ${siteId}`);
  service.sites.put({ ...site, name, updatedAt: service.now() });
}

/** Deletes a project that others refer to, which no call does. The references stay. */
export function dropProject(service: Service, projectId: string): void {
  if (service.projects.get(projectId) === undefined) throw new Error(`there is no project ${projectId}`);
  service.projects.delete(projectId);
}

/** Sends a form of a published page, as a visitor does: the first form of the page, unless the fields name another. */
export function sendForm(
  service: Service,
  pageId: string,
  fields: Readonly<Record<string, string>>,
  abandoned = false,
): { leadId: string } {
  const page = pageById(service, pageId);
  const live = service.documents.get(pageId)?.live;
  if (!live) throw new Error(`The page "${page.pageName}" is not published, so it has no form to send.`);
  const formId = allNodes(live).find(({ type }) => type === "form" || type === "quiz")?.id ?? "";
  const posted = new URLSearchParams({ [FORM_ID_FIELD]: formId, ...fields });
  const lead = submit(service, page, live, posted, abandoned);
  if (lead === undefined) throw new Error(`The page "${page.pageName}" has no such form.`);
  return { leadId: lead.id };
}
