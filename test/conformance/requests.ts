/** One good request for every operation of the specification, on records made for it. */
import {
  contentOf,
  makeFunnel,
  makePage,
  makeProduct,
  makeProject,
  makeQuiz,
  makeSite,
  makeTemplatedPage,
  missingId,
  projectBody,
  someTemplate,
  unique,
} from "./fixtures.ts";
import { ok } from "./expectations.ts";
import type { Call, Target } from "./target.ts";

type Prepare = (target: Target) => Promise<Call>;

const nothing: Prepare = () => Promise.resolve({});
const at = async (record: Promise<{ id: string }>): Promise<Call> => ({ at: (await record).id });
const body = (value: unknown): Call => ({ body: value });
const hook = { target_url: "https://93.184.215.14/a", event_type: "page.created" };

const templatedPage = async (target: Target) => makeTemplatedPage(target, (await someTemplate(target)).id);

async function nodeOf(target: Target): Promise<{ page_id: string; node_id: string; node: object }> {
  const { id } = await templatedPage(target);
  const summary = await target.record("getBuilder", { query: { page_id: id } });
  const { tree } = summary.builder as { tree: { sections: { id: string }[] } };
  const [node] = tree.sections;
  if (!node) throw new Error("The template has no section");
  return { page_id: id, node_id: node.id, node };
}

const hookId = async (target: Target): Promise<{ id: string }> =>
  ok(await target.call("createHook", body(hook))) as { id: string };

async function videoId(target: Target): Promise<{ id: string }> {
  const [video] = await target.list("listVideos");
  return video ?? { id: missingId };
}

const WITHOUT_INPUT = [
  ...["getAccount", "getOpenapi", "listProjects", "searchProjects", "listSites", "searchSites"],
  ...["listPages", "searchPages", "listTemplates", "searchTemplates", "listQuizzes", "searchQuizzes"],
  ...[
    "listFunnels",
    "searchFunnels",
    "listVideos",
    "searchVideos",
    "listProducts",
    "searchProducts",
    "searchLeads",
    "getAccountCounts",
  ],
];

const requests: Readonly<Record<string, Prepare>> = {
  ...Object.fromEntries(WITHOUT_INPUT.map((id) => [id, nothing])),
  createProject: () => Promise.resolve(body(projectBody())),
  getProject: (target) => at(makeProject(target)),
  updateProject: async (target) => ({ ...(await at(makeProject(target))), body: { name: unique("Renamed") } }),
  deleteProject: (target) => at(makeProject(target)),
  createSite: () => Promise.resolve(body({ name: unique("site") })),
  getSite: (target) => at(makeSite(target)),
  createPage: () => Promise.resolve(body({ name: unique("Page") })),
  createPageFromTemplate: async (target) =>
    body({ template_id: (await someTemplate(target)).id, name: unique("Templated") }),
  duplicatePage: async (target) => body({ page_id: (await makePage(target)).id, new_name: unique("Copy") }),
  updatePageMetadata: async (target) => body({ page_id: (await makePage(target)).id, name: unique("Renamed") }),
  updatePageContent: async (target) => {
    const { id } = await templatedPage(target);
    const [entry] = await contentOf(target, id);
    return body({ page_id: id, updates: { [entry?.key ?? ""]: "New" } });
  },
  replacePageVariables: async (target) => body({ page_id: (await makePage(target)).id, variables: { name: "Acme" } }),
  validatePage: async (target) => body({ page_id: (await makePage(target)).id }),
  publishPage: async (target) =>
    body({ page_id: (await templatedPage(target)).id, site_id: (await makeSite(target)).id, slug: "offer" }),
  getPage: (target) => at(makePage(target)),
  deletePage: (target) => at(makePage(target)),
  getBuilder: async (target) => ({ query: { page_id: (await makePage(target)).id } }),
  getBuilderNode: async (target) => {
    const { page_id, node_id } = await nodeOf(target);
    return { query: { page_id, node_id } };
  },
  updateBuilderNode: async (target) => {
    const { page_id, node_id } = await nodeOf(target);
    return body({ page_id, node_id, updates: { misc: { note: "x" } }, node_type: "section" });
  },
  replaceBuilderNode: async (target) => body(await nodeOf(target)),
  setPageDelay: async (target) => body({ page_id: (await makePage(target)).id, time: 3 }),
  getContentMap: async (target) => ({ query: { page_id: (await makePage(target)).id } }),
  createQuiz: () => Promise.resolve(body({ name: unique("Quiz") })),
  getQuiz: (target) => at(makeQuiz(target)),
  createQuizFromTemplate: async (target) =>
    body({ template_id: (await someTemplate(target, "quiz")).id, name: unique("Quiz") }),
  createFunnel: async (target) =>
    body({ name: unique("Funnel"), pages: [{ pageId: (await makePage(target)).id, pageType: "presell" }] }),
  updateFunnel: async (target) => body({ funnel_id: (await makeFunnel(target)).id, name: unique("Renamed") }),
  getFunnel: (target) => at(makeFunnel(target)),
  updateVideo: async (target) => body({ video_id: (await videoId(target)).id, title: unique("Title") }),
  getVideo: (target) => at(videoId(target)),
  createProduct: () => Promise.resolve(body({ name: unique("Mug"), price: 12.5 })),
  updateProduct: async (target) => body({ product_id: (await makeProduct(target)).id, price: 9 }),
  getProduct: (target) => at(makeProduct(target)),
  deleteProduct: (target) => at(makeProduct(target)),
  createHook: () => Promise.resolve(body(hook)),
  deleteHook: (target) => at(hookId(target)),
  getHookSample: () => Promise.resolve({ at: "page.created" }),
};

export const requestIds = Object.keys(requests);

export function goodRequest(target: Target, id: string): Promise<Call> {
  const prepare = requests[id];
  if (!prepare) throw new Error(`No request for ${id}`);
  return prepare(target);
}
