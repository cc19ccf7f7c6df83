/**
 * The account with a hand-written Pulumi provider: dynamic.ResourceProvider, one resource a page. `read` reads a page and its content map, and the
 * closures are serialized into the state. It has no retries, and it can't tell what a killed run left.
 */
import { readFileSync } from "node:fs";
import { dynamic, type CustomResourceOptions, type Input, type Output } from "@pulumi/pulumi";

interface Account {
  readonly projects: Record<string, { description: string; context: string }>;
  readonly pages: Record<string, { template: string; content: Record<string, string>; publish: { slug: string } }>;
  readonly products: Record<string, { price: number; sku: string }>;
  readonly funnels: Record<string, { steps: { page?: string; url?: string; pageType: string }[] }>;
}

interface PageInputs {
  name: string;
  projectId: string;
  templateId: string;
  siteId: string;
  slug: string;
  content: Record<string, string>;
}

type Fields = Record<string, unknown>;
type Inputs<T> = { [Key in keyof T]: Input<T[Key]> };

async function call(method: string, path: string, body?: Fields): Promise<Fields> {
  const headers = {
    authorization: `Bearer ${process.env["LANDFORM_API_KEY"] ?? ""}`,
    "content-type": "application/json",
  };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${process.env["LANDFORM_BASE_URL"] ?? ""}${path}`, init);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Fields;
}

const pages: dynamic.ResourceProvider<PageInputs, PageInputs> = {
  async create({ name, projectId, templateId, siteId, slug, content }) {
    const made = await call("POST", "/pages/from-template", { name, project_id: projectId, template_id: templateId });
    const id = made["id"] as string;
    await call("PATCH", "/pages/content", { page_id: id, updates: content });
    await call("POST", "/pages/publish", { page_id: id, site_id: siteId, slug });
    return { id, outs: { name, projectId, templateId, siteId, slug, content } };
  },
  async read(id, props) {
    const page = await call("GET", `/pages/${id}`);
    const map = await call("GET", `/search/page-content-map?page_id=${id}`);
    const content = { ...props?.content };
    for (const { key, value } of JSON.parse(map["fields"] as string) as { key: string; value: string }[])
      if (key in content) content[key] = value;
    return { id, props: { ...(props as PageInputs), slug: page["slug"] as string, content } };
  },
  diff(_, olds, news) {
    const differs = Object.entries(news.content).some(([key, text]) => olds.content[key] !== text);
    const moved = olds.slug !== news.slug || olds.siteId !== news.siteId;
    const replaces = olds.templateId === news.templateId ? [] : ["templateId"];
    return Promise.resolve({ changes: differs || moved || replaces.length > 0, replaces });
  },
  async update(id, _, news) {
    await call("PATCH", "/pages/content", { page_id: id, updates: news.content });
    await call("POST", "/pages/publish", { page_id: id, site_id: news.siteId, slug: news.slug });
    return { outs: news };
  },
  async delete(id) {
    await call("DELETE", `/pages/${id}`);
  },
};

/** Makes the provider of a kind with one call to create it and one to read it. `stays`: the API can't delete it. */
function simple(path: string, stays: boolean): dynamic.ResourceProvider<{ body: Fields }, { body: Fields }> {
  return {
    async create({ body }) {
      return { id: (await call("POST", path, body))["id"] as string, outs: { body } };
    },
    async read(id, props) {
      await call("GET", `${path}/${id}`);
      return { id, props: props as { body: Fields } };
    },
    diff(_, olds, news) {
      return Promise.resolve({ changes: JSON.stringify(olds.body) !== JSON.stringify(news.body), replaces: ["body"] });
    },
    async delete(id) {
      if (!stays) await call("DELETE", `${path}/${id}`);
    },
  };
}

class Page extends dynamic.Resource {
  declare readonly siteId: Output<string>;
  constructor(name: string, inputs: Inputs<PageInputs>, options?: CustomResourceOptions) {
    super(pages, name, inputs, options, "bench", "Page");
  }
}

class Simple extends dynamic.Resource {
  constructor(kind: { path: string; stays: boolean }, name: string, body: Record<string, Input<unknown>>) {
    super(simple(kind.path, kind.stays), name, { body: { name, ...body } });
  }
}

const account = JSON.parse(readFileSync(new URL("account.json", import.meta.url), "utf8")) as Account;
const [projectId = ""] = Object.entries(account.projects).map(
  ([name, { description, context }]) =>
    new Simple({ path: "/projects", stays: true }, name, { description, context }).id,
);
const siteId = new Simple({ path: "/sites", stays: true }, "mugs.example", { project_id: projectId }).id;
const made = Object.entries(account.pages).map(([name, { template, content, publish }]) => {
  return [
    name,
    new Page(name, { name, projectId, templateId: template, siteId, slug: publish.slug, content }),
  ] as const;
});
const idOf = new Map(made.map(([name, { id }]) => [name, id]));
for (const [name, { price, sku }] of Object.entries(account.products))
  new Simple({ path: "/products", stays: false }, name, { price, sku, project_id: projectId });
for (const [name, { steps }] of Object.entries(account.funnels)) {
  const flow = steps.map(({ page, url, pageType }) => ({ ...(page ? { pageId: idOf.get(page) } : { url }), pageType }));
  new Simple({ path: "/funnels", stays: true }, name, { project_id: projectId, pages: flow });
}
