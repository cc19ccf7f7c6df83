/** Writes that the service answers with success and with the old record. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { LONG, openHost, openWorld, ResourceTest, type World, applied } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";

describe("of a service", () => {
  const world = forAllTests(() => openWorld());
  let host: World["host"];
  /** The effect of PATCH: nothing at all, or everything with the old answer. */
  let patches: "done" | "not done" | "answered late" = "done";
  /** The last answer that shows the effect of a write to a page, by call and page. */
  const answers = new Map<string, string>();
  const server = createServer((request, response) => void pass(request, response));

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const { method = "GET", url = "" } = request;
    const headers = { authorization: request.headers.authorization ?? "", "content-type": "application/json" };
    const service = (path: string, init: RequestInit = {}) =>
      fetch(`${world.emulator.url}${path}`, { headers, ...init });
    const { page_id: page } = (body === "" ? {} : JSON.parse(body)) as { page_id?: string };
    if (page !== undefined && /\/pages\/(content|metadata|delay|publish)$/.test(url)) {
      const key = `${url} ${page}`;
      const former = patches === "done" ? undefined : answers.get(key);
      const isSent = former === undefined || patches === "answered late";
      if (isSent) answers.set(key, await (await service(url, { method, body })).text());
      if (patches === "answered late") patches = "done";
      response.writeHead(200, { "content-type": "application/json" }).end(former ?? answers.get(key));
      return;
    }
    const isDenied = method === "PATCH" && patches !== "done";
    const ids = isDenied ? (JSON.parse(body) as { product_id?: string; funnel_id?: string }) : {};
    const path = ids.product_id ? `${url}/${ids.product_id}` : ids.funnel_id ? `${url}/${ids.funnel_id}` : url;
    const before = isDenied ? await (await service(path)).json() : undefined;
    const isSent = !isDenied || patches === "answered late";
    const answered = isSent ? await service(url, { method, ...(body !== "" && { body }) }) : undefined;
    const json = before ?? (await answered?.json());
    response.writeHead(answered?.status ?? 200, { "content-type": "application/json" }).end(JSON.stringify(json));
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = { LANDFORM_BASE_URL: `http://127.0.0.1:${port}/v1`, LANDFORM_PATIENCE_MS: "300" };
    ({ host } = openHost(world.emulator, env));
  });
  afterAll(async () => {
    await host.close();
    server.close();
  });
  beforeEach(() => {
    patches = "done";
    world.emulator.notShown.contentMapShows = "draft";
  });

  const STEPS = [
    { url: "https://one.example/", pageType: "presell" },
    { url: "https://two.example/", pageType: "sales" },
  ];
  const ITEMS = [{ product_id: "p1" }, { product_id: "p2" }];
  const BUNDLE = { type: "bundle", bundleItems: ITEMS.slice(0, 1) };
  const text = (title: string, brand = "Acme") => ({
    templateId: "tpl-hero",
    variables: { brand },
    content: { "hero.title": title },
  });
  const described = { description: "A project that is there to be renamed, and for nothing else.", context: LONG };
  test.each<[Kind, string, PropertyMap, PropertyMap, string]>([
    ["product", "PATCH /products", { price: 3 }, { price: 4 }, "price"],
    ["project", "PATCH /projects/", described, { ...described, name: "Other" }, "name"],
    ["funnel", "PATCH /funnels", {}, { name: "Other" }, "name"],
    ["funnel", "PATCH /funnels", { steps: STEPS.slice(0, 1) }, { steps: STEPS }, "steps"],
    ["funnel", "PATCH /funnels", { steps: STEPS }, { steps: STEPS.toReversed() }, "steps"],
    ["product", "PATCH /products", BUNDLE, { ...BUNDLE, bundleItems: ITEMS }, "bundleItems"],
    ["product", "PATCH /products", {}, { subscription: { enabled: true } }, "subscription"],
    ["page", "PATCH /pages/metadata", {}, { name: "Other" }, "name"],
    ["page", "PATCH /pages/content", text("Hello"), text("Bye"), "content.hero.title"],
    ["page", "PATCH /pages/content", text("Hello {{brand}}"), text("Bye {{brand}}"), "content.hero.title"],
    ["page", "PATCH /pages/content", text("By {{brand}}"), text("By {{brand}}", "Mugs"), "content.hero.title"],
  ])("%s: it fails by name, and the next run does it", async (kind, call, first, second, field) => {
    const one = new ResourceTest(world, kind, unique("unmoved")).handTo(host.client);
    await one.apply({ ...first });
    patches = "not done";
    await expect(one.up({ ...second })).rejects.toThrow(
      new RegExp(`the service answered ${call}\\S* with success, but did not change ${one.id}: ${field}\\.`),
    );
    patches = "done";
    expect(await one.apply({ ...second })).toBe("updated");
    await refreshPlansNothing(one, { ...second });
  });

  test("a funnel that keeps its steps is not retired", async () => {
    const page = await applied(world, "page", unique("step"), { templateId: "tpl-hero", variables: { brand: "Acme" } });
    const funnel = new ResourceTest(world, "funnel", unique("kept")).handTo(host.client);
    await funnel.apply({ steps: [{ pageId: page.id, pageType: "presell" }] });
    patches = "not done";
    await expect(funnel.delete()).rejects.toThrow(/funnel \S+ still has its steps: it is not retired/);
    patches = "answered late";
    await funnel.delete();
  });

  describe("a page that is published", () => {
    let siteId: string;
    const publishedAt = (slug: string) => ({
      templateId: "tpl-hero",
      variables: { brand: "Acme" },
      publish: { siteId, slug },
    });
    beforeAll(async () => {
      const site = new ResourceTest(world, "site", unique("unmoved.example")).handTo(host.client);
      await site.apply({});
      siteId = site.id;
    });

    test("at its former path after another one was sent: it fails, and the next run does it", async () => {
      const one = new ResourceTest(world, "page", unique("slug")).handTo(host.client);
      await one.apply(publishedAt("offer"));
      patches = "not done";
      await expect(one.up(publishedAt("offer-2"))).rejects.toThrow(
        `the service published page ${one.id} at /offer, not at /offer-2 of site ${siteId}`,
      );
      patches = "done";
      expect(await one.apply(publishedAt("offer-2"))).toBe("updated");
      expect(one.outputs["slug"]).toBe("offer-2");
      await refreshPlansNothing(one, publishedAt("offer-2"));
    });

    test.each(["draft", "live"] as const)(
      "with the earlier text, if the content map shows the %s: it fails, and the next run does it",
      async (shows) => {
        world.emulator.notShown.contentMapShows = shows;
        const one = new ResourceTest(world, "page", unique("text")).handTo(host.client);
        const saying = (title: string) => ({
          ...text(title),
          ...publishedAt(`text-${shows}`),
          content: { "hero.title": title },
        });
        await one.apply(saying("Hello"));
        patches = "not done";
        await expect(one.up(saying("Bye"))).rejects.toThrow(
          `the service answered PATCH /pages/content with success, but did not change ${one.id}: content.hero.title.`,
        );
        patches = "done";
        expect(await one.apply(saying("Bye"))).toBe("updated");
        expect(one.outputs["content"]).toMatchObject({ "hero.title": "Bye" });
        await refreshPlansNothing(one, saying("Bye"));
      },
    );

    test("is believed where the answer alone lags behind", async () => {
      const one = new ResourceTest(world, "page", unique("slug")).handTo(host.client);
      await one.apply(publishedAt("late"));
      patches = "answered late";
      expect(await one.apply(publishedAt("later"))).toBe("updated");
      expect(one.outputs["slug"]).toBe("later");
      await refreshPlansNothing(one, publishedAt("later"));
    });
  });
});
