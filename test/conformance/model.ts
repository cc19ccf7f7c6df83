/** A small model of the specification, and the commands which change it and a server alike. */
import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { expect } from "vitest";
import { type Fields, inside, ok, record, refused } from "./expectations.ts";
import { contentOf, projectBody } from "./fixtures.ts";
import type { Connection } from "./target.ts";

interface ModelPage {
  name: string;
  project: string | null;
  site: string | null;
  slug: string | undefined;
  content: Map<string, string>;
}

export interface Model {
  projects: Map<string, { name: string }>;
  sites: Map<string, { project: string | null }>;
  pages: Map<string, ModelPage>;
  funnels: Map<string, { name: string; project: string | null; steps: string[] }>;
  products: Map<string, { name: string; price: number; project: string | null }>;
  hooks: Set<string>;
}

export const emptyModel = (): Model => ({
  projects: new Map(),
  sites: new Map(),
  pages: new Map(),
  funnels: new Map(),
  products: new Map(),
  hooks: new Set(),
});

type Step = fc.AsyncCommand<Model, Connection>;

/** The numbers and texts of a command: numbers pick among the existing records, texts fill fields. */
interface Draw {
  pick: <T>(items: Iterable<T>) => T;
  maybe: <T>(items: Iterable<T>) => T | null;
  text: string;
  number: number;
}

type Run = (model: Model, server: Connection, draw: Draw) => Promise<void>;

function command(name: string, possible: (model: Model) => boolean, run: Run): fc.Arbitrary<Step> {
  const label = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }).map((text) => `n${text}n`);
  return fc.record({ picks: fc.infiniteStream(fc.nat()), text: label, number: fc.nat(10_000) }).map((drawn) => ({
    check: possible,
    run: (model, server) => {
      const next = (): number => Number(drawn.picks.next().value);
      const pick = <T>(items: Iterable<T>): T => {
        const all = [...items];
        return all[next() % all.length] as T;
      };
      const maybe = <T>(items: Iterable<T>): T | null => pick([null, ...items]);
      return run(model, server, { pick, maybe, text: drawn.text, number: drawn.number });
    },
    toString: () => `${name} ${JSON.stringify(drawn.text)} ${drawn.number}`,
  }));
}

const always = (): boolean => true;
const any =
  (kind: keyof Model) =>
  (model: Model): boolean =>
    model[kind].size > 0;
const inProject = (project: string | null): object => (project === null ? {} : { project_id: project });
const references = (model: Model, project: string): boolean =>
  [model.pages, model.products, model.sites, model.funnels].some((records) =>
    [...records.values()].some((one) => one.project === project),
  );

export const commands = [
  command("create a project", always, async (model, server, { text }) => {
    const project = await server.record("createProject", { body: { ...projectBody(), name: text } });
    model.projects.set(project.id, { name: text });
  }),
  command("rename a project", any("projects"), async (model, server, { pick, text }) => {
    const at = pick(model.projects.keys());
    await server.record("updateProject", { at, body: { name: text } });
    model.projects.set(at, { name: text });
  }),
  command("delete a project", any("projects"), async (model, server, { pick }) => {
    const at = pick(model.projects.keys());
    const answer = await server.call("deleteProject", { at });
    if (references(model, at)) {
      refused(answer, { status: 409, code: "project_in_use" });
      return;
    }
    record("Deleted", answer);
    model.projects.delete(at);
  }),
  command("create a site", always, async (model, server, { maybe, text }) => {
    const project = maybe(model.projects.keys());
    const site = await server.record("createSite", { body: { name: text, ...inProject(project) } });
    model.sites.set(site.id, { project });
  }),
  command("create a page", always, async (model, server, { maybe, text }) => {
    const project = maybe(model.projects.keys());
    const [template] = await server.list("listTemplates", { query: { limit: 1 } });
    const body = { template_id: template?.id, name: text, ...inProject(project) };
    const page = await server.record("createPageFromTemplate", { body });
    model.pages.set(page.id, { name: text, project, site: null, slug: undefined, content: new Map() });
  }),
  command("duplicate a page", any("pages"), async (model, server, { pick, text }) => {
    const [source, original] = pick(model.pages);
    const copy = await server.record("duplicatePage", { body: { page_id: source, new_name: text } });
    const read = await server.record("getPage", { at: copy.id });
    // The specification doesn't say if a copy keeps the project and the site of its source.
    const { project_id: project, site_id: site } = read as Fields & {
      project_id: string | null;
      site_id: string | null;
    };
    model.pages.set(copy.id, { name: text, project, site, slug: undefined, content: new Map(original.content) });
  }),
  command("rename and move a page", any("pages"), async (model, server, { pick, maybe, text }) => {
    const [page_id, page] = pick(model.pages);
    const project = maybe(model.projects.keys()) ?? page.project;
    await server.record("updatePageMetadata", { body: { page_id, name: text, ...inProject(project) } });
    Object.assign(page, { name: text, project });
  }),
  command("edit content", any("pages"), async (model, server, { pick, text, number }) => {
    const [page_id, page] = pick(model.pages);
    const keys = (await contentOf(server, page_id)).map((entry) => entry.key);
    const key = keys[number % keys.length] ?? "";
    const body = { page_id, updates: { [key]: text, "no.such.key": text } };
    const result = await server.record("updatePageContent", { body });
    expect(result).toMatchObject({ applied_count: 1, missing_count: 1 });
    page.content.set(key, text);
  }),
  command(
    "publish a page",
    (model) => any("pages")(model) && any("sites")(model),
    async (model, server, { pick }) => {
      const [page_id, page] = pick(model.pages);
      const [site_id, slug] = [page.slug === undefined ? pick(model.sites.keys()) : page.site, randomUUID()];
      expect((await server.record("publishPage", { body: { page_id, site_id, slug } })).slug).toBe(slug);
      Object.assign(page, { site: site_id, slug });
    },
  ),
  command("delete a page", any("pages"), async (model, server, { pick }) => {
    const at = pick(model.pages.keys());
    await server.record("deletePage", { at });
    model.pages.delete(at);
    refused(await server.call("getPage", { at }), { code: "page_not_found" });
  }),
  command("create a funnel", always, async (model, server, { maybe, text }) => {
    const project = maybe(model.projects.keys());
    const steps = [maybe(model.pages.keys()), maybe(model.pages.keys())].filter((id) => id !== null);
    const pages = steps.map((pageId) => ({ pageId, pageType: "sales" }));
    const funnel = await server.record("createFunnel", { body: { name: text, pages, ...inProject(project) } });
    model.funnels.set(funnel.id, { name: text, project, steps });
  }),
  command("update a funnel", any("funnels"), async (model, server, { pick, maybe, text }) => {
    const [funnel_id, funnel] = pick(model.funnels);
    const page = maybe(model.pages.keys());
    const steps = page === null ? [] : [page];
    const pages = steps.map((pageId) => ({ pageId, pageType: "presell" }));
    await server.record("updateFunnel", { body: { funnel_id, name: text, pages } });
    Object.assign(funnel, { name: text, steps });
  }),
  command("create a product", always, async (model, server, { maybe, text, number }) => {
    const project = maybe(model.projects.keys());
    const body = { name: text, price: number / 100, ...inProject(project) };
    const product = await server.record("createProduct", { body });
    model.products.set(product.id, { name: text, price: number / 100, project });
  }),
  command("update a product", any("products"), async (model, server, { pick, number }) => {
    const [product_id, product] = pick(model.products);
    await server.record("updateProduct", { body: { product_id, price: number / 100 } });
    product.price = number / 100;
  }),
  command("delete a product", any("products"), async (model, server, { pick }) => {
    const at = pick(model.products.keys());
    await server.record("deleteProduct", { at });
    model.products.delete(at);
  }),
  command("subscribe", always, async (model, server) => {
    const body = { target_url: "https://93.184.215.14/a", event_type: "quiz_lead.created" };
    model.hooks.add((await server.record("createHook", { body })).id);
  }),
  command("unsubscribe", any("hooks"), async (model, server, { pick }) => {
    const at = pick(model.hooks);
    ok(await server.call("deleteHook", { at }));
    model.hooks.delete(at);
  }),
];

/** Checks that the server shows exactly the records of the model. */
export async function compare(model: Model, server: Connection): Promise<void> {
  const all = async (id: string): Promise<Map<string, Fields>> =>
    new Map((await server.list(id, { query: { limit: 100 } })).map((item) => [item.id, item]));
  const projects = await all("listProjects");
  expect(new Map([...projects].map(([id, { name }]) => [id, { name }]))).toEqual(model.projects);
  const sites = await all("listSites");
  expect(new Map([...sites].map(([id, site]) => [id, { project: site.project_id }]))).toEqual(model.sites);
  const products = await all("listProducts");
  expect(
    new Map([...products].map(([id, { name, price, project_id }]) => [id, { name, price, project: project_id }])),
  ).toEqual(model.products);
  await comparePages(model, server, await all("listPages"));
  compareFunnels(model, await all("listFunnels"));
}

async function comparePages(model: Model, server: Connection, pages: Map<string, Fields>): Promise<void> {
  expect([...pages.keys()].sort()).toEqual([...model.pages.keys()].sort());
  for (const [id, expected] of model.pages) {
    const page = await server.record("getPage", { at: id });
    expect(pages.get(id), "the list shows what a read shows").toEqual(page);
    const status = expected.slug === undefined ? "draft" : "published";
    expect(page).toMatchObject({
      page_name: expected.name,
      project_id: expected.project,
      site_id: expected.site,
      status,
    });
    expect(page.slug ?? undefined).toBe(expected.slug);
    const content = new Map((await contentOf(server, id)).map(({ key, value }) => [key, value]));
    for (const [key, value] of expected.content) expect(content.get(key), `${id} ${key}`).toBe(value);
    const map = await server.record("getContentMap", { query: { page_id: id } });
    expect(map.variable_count).toBe((inside(map.variables) as unknown[]).length);
  }
}

/** The specification doesn't say what happens to a step whose page is deleted, so the comparison leaves such steps out. */
function compareFunnels(model: Model, funnels: Map<string, Fields>): void {
  expect([...funnels.keys()].sort()).toEqual([...model.funnels.keys()].sort());
  for (const [id, expected] of model.funnels) {
    const funnel = funnels.get(id);
    expect(funnel).toMatchObject({ name: expected.name, project_id: expected.project });
    const steps = (funnel?.pages as (string | { pageId: string })[]).map((step) =>
      typeof step === "string" ? step : step.pageId,
    );
    const alive = (pageIds: string[]) => pageIds.filter((pageId) => model.pages.has(pageId));
    expect(alive(steps)).toEqual(alive(expected.steps));
  }
}
