/** Every operation once, against the emulator. */
import { describe, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import { LandformApi, NotFoundError, type operations } from "../../provider/api/index.ts";
import { forAllTests } from "../suite/opened.ts";

const emulator = forAllTests(() => startEmulator({ seed: "demo" }));
const api = forAllTests(() => new LandformApi(emulator));

const text = (length: number): string => "x".repeat(length);
const name = (): string => `made by the test ${counter++}`;
let counter = 1;

const newProject = () => api.projects.create({ name: name(), description: text(50), context: text(200) });
const newPage = () => api.pages.create({ name: name() });
const newProduct = () => api.products.create({ name: name(), price: 12.5 });
const newFunnel = () => api.funnels.create({ name: name() });
const newHook = () => api.hooks.create({ target_url: "https://93.184.215.14/hook", event_type: "page.created" });
const templatePage = async () => {
  const [template] = await api.templates.list({ limit: 1 });
  return api.pages.createFromTemplate({ template_id: template?.id ?? "", name: name() });
};
const newQuiz = () => api.quizzes.create({ name: name() });
const firstOf = async <T>(list: Promise<T[]>): Promise<T> => {
  const [first] = await list;
  if (first === undefined) throw new Error("the list is empty");
  return first;
};
const nodeOf = async (): Promise<{ pageId: string; nodeId: string }> => {
  const { id } = await templatePage();
  const { builder } = await api.builder.read(id);
  const [section] = builder.tree?.sections as { id: string }[];
  return { pageId: id, nodeId: section?.id ?? "" };
};

const calls: Record<keyof typeof operations, () => Promise<unknown>> = {
  getAccount: async () => expect((await api.account.me()).id).toBe(emulator.accountId),
  getOpenapi: async () => expect(await api.openapi()).toHaveProperty("paths"),

  listProjects: async () => expect((await api.projects.list({ limit: 1 })).length).toBe(1),
  createProject: async () => expect(await newProject()).toMatchObject({ active: true, context: text(200) }),
  searchProjects: async () => {
    const { id } = await newProject();
    expect(await api.projects.search({ project_id: id })).toMatchObject([{ id }]);
  },
  getProject: async () => {
    const { id } = await newProject();
    expect(await api.projects.read(id)).toMatchObject({ id });
  },
  deleteProject: async () => {
    const { id } = await newProject();
    expect(await api.projects.delete(id)).toEqual({ success: true, id, deleted: true });
    await expect(api.projects.read(id)).rejects.toThrow(NotFoundError);
  },
  updateProject: async () => {
    const { id } = await newProject();
    expect(await api.projects.update(id, { name: "Renamed" })).toMatchObject({ id, name: "Renamed" });
  },

  listSites: async () => expect((await api.sites.list({ query: "demo" })).length).toBe(1),
  createSite: async () =>
    expect(await api.sites.create({ name: "made.example" })).toMatchObject({ name: "made.example" }),
  searchSites: async () => {
    const { id } = await firstOf(api.sites.list());
    expect(await api.sites.search({ site_id: id })).toMatchObject([{ id }]);
  },
  getSite: async () => {
    const { id } = await firstOf(api.sites.list());
    expect(await api.sites.read(id)).toMatchObject({ id });
  },

  listPages: async () => {
    const published = await api.pages.list({ published: true });
    expect(new Set(published.map(({ status }) => status))).toEqual(new Set(["published"]));
  },
  createPage: async () => expect(await newPage()).toMatchObject({ status: "draft", site_id: null }),
  createPageFromTemplate: async () => expect(await templatePage()).toMatchObject({ from_template: true }),
  duplicatePage: async () => {
    const { id } = await newPage();
    expect(await api.pages.duplicate({ page_id: id, new_name: "Copy" })).toMatchObject({
      source_page_id: id,
      name: "Copy",
    });
  },
  updatePageMetadata: async () => {
    const { id } = await newPage();
    const sent = { page_id: id, tags: ["a", "b"], product_label: "Mug" };
    expect(await api.pages.updateMetadata(sent)).toMatchObject({
      id,
      updated: true,
      tags: ["a", "b"],
      product_label: "Mug",
    });
  },
  updatePageContent: async () => {
    const { id } = await templatePage();
    const updates = { "no.such.key": "x" };
    expect(await api.pages.updateContent({ page_id: id, updates })).toMatchObject({
      missing: ["no.such.key"],
      missing_count: 1,
    });
  },
  replacePageVariables: async () => {
    const { id } = await templatePage();
    const { variables } = await api.builder.contentMap(id);
    const values = Object.fromEntries(variables.map((variable) => [variable, "value"]));
    const result = await api.pages.replaceVariables({ page_id: id, variables: values });
    expect(result.remaining_variables).toEqual([]);
    expect(result.replaced_variables.toSorted()).toEqual(variables.toSorted());
  },
  validatePage: async () => {
    const { id } = await newPage();
    expect(await api.pages.validate(id)).toMatchObject({ id, ready_to_publish: false, remaining_variables: [] });
  },
  publishPage: async () => {
    const { id } = await templatePage();
    const site = await firstOf(api.sites.list());
    const result = await api.pages.publish({ page_id: id, site_id: site.id, slug: "made-by-the-test" });
    expect(result).toMatchObject({ success: true, slug: "made-by-the-test", revision_warning: null });
  },
  getPage: async () => {
    const { id } = await newPage();
    expect(await api.pages.read(id)).toMatchObject({ id });
  },
  deletePage: async () => {
    const { id } = await newPage();
    expect(await api.pages.delete(id)).toMatchObject({ success: true, id });
    await expect(api.pages.read(id)).rejects.toThrow(NotFoundError);
  },
  searchPages: async () => {
    const { id } = await newPage();
    expect(await api.pages.search({ page_id: id })).toMatchObject([{ id }]);
  },

  listTemplates: async () => expect(await api.templates.listAll()).toMatchObject({ complete: true }),
  searchTemplates: async () => {
    const { id } = await firstOf(api.templates.list());
    expect(await api.templates.search({ template_id: id })).toMatchObject([{ id }]);
  },

  getBuilder: async () => {
    const { id } = await templatePage();
    expect((await api.builder.read(id)).builder.tree).toHaveProperty("sections");
    expect((await api.builder.read(id, { include_tree: false })).builder.tree).toBeNull();
  },
  getBuilderNode: async () => {
    const { pageId, nodeId } = await nodeOf();
    expect(await api.builder.readNode(pageId, nodeId)).toMatchObject({ node_id: nodeId, node: { id: nodeId } });
  },
  updateBuilderNode: async () => {
    const { pageId, nodeId } = await nodeOf();
    const sent = { page_id: pageId, node_id: nodeId, updates: { style: { color: "red" } } };
    expect(await api.builder.updateNode(sent)).toMatchObject({ node_id: nodeId, updated: true });
  },
  replaceBuilderNode: async () => {
    const { pageId, nodeId } = await nodeOf();
    const { node } = await api.builder.readNode(pageId, nodeId);
    const result = await api.builder.replaceNode({ page_id: pageId, node_id: nodeId, node });
    expect(result).toMatchObject({ node_id: nodeId, updated: true });
  },
  setPageDelay: async () => {
    const { id } = await newPage();
    expect(await api.builder.setDelay({ page_id: id, time: 3 })).toMatchObject({ updated: true, delay: { time: 3 } });
  },
  getContentMap: async () => {
    const { id } = await templatePage();
    const map = await api.builder.contentMap(id);
    expect(map.fields).toHaveLength(Number(map.field_count));
    expect(map.variables).toHaveLength(Number(map.variable_count));
  },

  listQuizzes: async () => expect((await api.quizzes.list()).length).toBeGreaterThan(0),
  createQuiz: async () => expect(await newQuiz()).toMatchObject({ is_quiz: true, status: "draft" }),
  searchQuizzes: async () => {
    const { id } = await newQuiz();
    expect(await api.quizzes.search({ page_id: id })).toMatchObject([{ page_id: id }]);
  },
  getQuiz: async () => {
    const { id } = await newQuiz();
    expect(await api.quizzes.read(id)).toMatchObject({ page_id: id });
  },
  createQuizFromTemplate: async () => {
    const [template] = await api.templates.list({ type: "quiz" });
    const created = await api.quizzes.createFromTemplate({ template_id: template?.id ?? "", name: name() });
    expect(created).toMatchObject({ is_quiz: true, from_template: true });
  },

  listFunnels: async () => expect((await api.funnels.list()).length).toBeGreaterThan(0),
  createFunnel: async () => expect(await newFunnel()).toMatchObject({ pages: [], steps: [] }),
  updateFunnel: async () => {
    const { id } = await newFunnel();
    const step = { url: "https://pay.example", pageType: "sales" };
    expect(await api.funnels.update({ funnel_id: id, pages: [step] })).toMatchObject({ id, steps: [step] });
  },
  searchFunnels: async () => {
    const { id } = await newFunnel();
    expect(await api.funnels.search({ funnel_id: id })).toMatchObject([{ id }]);
  },
  getFunnel: async () => {
    const { id } = await newFunnel();
    expect(await api.funnels.read(id)).toMatchObject({ id });
  },

  listVideos: async () => expect((await api.videos.list({ skip: 1, limit: 1 })).length).toBe(1),
  updateVideo: async () => {
    const { id } = await firstOf(api.videos.list());
    expect(await api.videos.update({ video_id: id, title: "New", muted: true })).toMatchObject({ id, title: "New" });
  },
  searchVideos: async () => {
    const { id } = await firstOf(api.videos.list());
    expect(await api.videos.search({ video_id: id })).toMatchObject([{ id, video_id: id }]);
  },
  getVideo: async () => {
    const { id } = await firstOf(api.videos.list());
    expect(await api.videos.read(id)).toMatchObject({ id });
  },

  listProducts: async () => expect((await api.products.list({ type: "simple" })).length).toBeGreaterThan(0),
  createProduct: async () => expect(await newProduct()).toMatchObject({ type: "simple", price: 12.5 }),
  updateProduct: async () => {
    const { id } = await newProduct();
    expect(await api.products.update({ product_id: id, price: 3 })).toMatchObject({ id, price: 3 });
  },
  searchProducts: async () => {
    const { id } = await newProduct();
    expect(await api.products.search({ product_id: id })).toMatchObject([{ id }]);
  },
  getProduct: async () => {
    const { id } = await newProduct();
    expect(await api.products.read(id)).toMatchObject({ id });
  },
  deleteProduct: async () => {
    const { id } = await newProduct();
    expect(await api.products.delete(id)).toMatchObject({ success: true, id });
    await expect(api.products.read(id)).rejects.toThrow(NotFoundError);
  },

  searchLeads: async () => {
    const [lead] = await api.leads.search({ type: "form", email: "ada@example.com" });
    expect(lead).toMatchObject({ type: "form", email: "ada@example.com", fields: { name: "Ada Example" } });
  },
  getAccountCounts: async () => expect(Object.values(await api.analytics.counts())).not.toHaveLength(0),

  createHook: async () => expect(await newHook()).toMatchObject({ event_type: "page.created", active: true }),
  deleteHook: async () => {
    const { id } = await newHook();
    expect(await api.hooks.delete(id)).toMatchObject({ success: true });
  },
  getHookSample: async () => {
    expect(await api.hooks.sample("page.published")).toMatchObject([{ event_type: "page.published" }]);
  },
};

describe.each(Object.entries(calls))("%s", (_, call) => {
  test("answers with its record", call);
});
