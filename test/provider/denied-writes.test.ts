/** Writes that the service answers with success and an explicit no: they were not done, and a later run does them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, calls, openHost, openWorld, ResourceTest, type World } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";

let world: World;
let host: World["host"];
let siteId: string;

/** Answers by METHOD and path in the service's place, so that it carries out nothing. */
const denials = new Map<string, Record<string, unknown>>();
const server = createServer((request, response) => void pass(request, response));

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  const { method = "GET", url = "" } = request;
  const denial = denials.get(`${method} ${url.slice("/v1".length)}`);
  if (denial) {
    const { page_id: pageId, node_id: nodeId } = JSON.parse(body) as Record<string, unknown>;
    answer(response, 200, { id: pageId, page_id: pageId, ...(nodeId !== undefined && { node_id: nodeId }), ...denial });
    return;
  }
  const result = await fetch(`${world.emulator.url}${url}`, {
    method,
    headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
    ...(body !== "" && { body }),
  });
  answer(response, result.status, await result.json());
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

beforeAll(async () => {
  world = await openWorld();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { LANDFORM_BASE_URL: `http://127.0.0.1:${port}/v1`, LANDFORM_PATIENCE_MS: "300" };
  ({ host } = openHost(world.emulator, env));
  const site = new ResourceTest(world, "site", "denied.example");
  await site.apply({});
  siteId = site.id;
});
afterAll(async () => {
  await host.close();
  server.close();
  await world.close();
});
beforeEach(() => {
  denials.clear();
  calls(world);
});

const hero = (more: PropertyMap = {}): PropertyMap => ({
  templateId: "tpl-hero",
  variables: { brand: "Acme" },
  ...more,
});
const newPage = (): ResourceTest => new ResourceTest(world, "page", unique("denied")).handTo(host.client);
const publications = (): number => calls(world).filter((call) => call === "POST /pages/publish").length;

describe("a publication that was not done", () => {
  test("fails by name, leaves a draft, and the next run publishes it", async () => {
    const page = newPage();
    const declared = hero({ publish: { siteId, slug: unique("denied") } });
    denials.set("POST /pages/publish", { success: false, url: null, domain: null, slug: "" });
    await expect(page.up(declared)).rejects.toThrow(
      "POST /pages/publish: the service answered 200 with success: false, which says that it was not done. Run again: it goes on from here.",
    );
    expect(page.outputs["status"]).toBe("draft");
    denials.clear();
    expect(await page.apply(declared)).toBe("updated");
    expect([page.outputs["status"], publications()]).toEqual(["published", 1]);
    await refreshPlansNothing(page, declared);
  });

  test("and says nothing of it fails where the page stays a draft, and the next run publishes it", async () => {
    const page = newPage();
    const declared = hero({ publish: { siteId, slug: unique("mute") } });
    denials.set("POST /pages/publish", { url: null, domain: null, slug: "" });
    await expect(page.up(declared)).rejects.toThrow(/is still a draft 0 s after POST \/pages\/publish was answered/);
    expect(page.outputs["status"]).toBe("draft");
    denials.clear();
    expect(await page.apply(declared)).toBe("updated");
    expect([page.outputs["status"], publications()]).toEqual(["published", 1]);
    await refreshPlansNothing(page, declared);
  });

  test("as an older version has recorded it is a change, and drift", async () => {
    const page = newPage();
    const declared = hero({ publish: { siteId, slug: unique("older") } });
    denials.set("POST /pages/publish", { url: null, domain: null, slug: "" });
    await expect(page.up(declared)).rejects.toThrow("is still a draft");
    expect((await page.diff(declared)).changes).toBe("some");
    const before = page.state?.inputs?.["publish"];
    await page.refresh();
    expect([before, page.state?.inputs?.["publish"]]).toEqual([declared["publish"], null]);
    denials.clear();
    expect(await page.apply(declared)).toBe("updated");
    expect(page.outputs["status"]).toBe("published");
  });
});

const denied = (call: string, field = ""): string => `${call}: the service answered 200 with ${field}: false`;

describe("another write that was not done fails by name, and the next run does it", () => {
  test.each<[string, Record<string, unknown>, PropertyMap]>([
    ["PATCH /pages/metadata", { updated: false, name: null, project_id: null, tags: [] }, { tags: ["a"] }],
    ["PATCH /pages/content", { success: false, missing: "[]" }, { content: { "hero.title": "Two" } }],
    ["POST /pages/replace-variables", { success: false }, {}],
    ["PATCH /pages/delay", { updated: false }, { delay: { time: 3 } }],
  ])("%s %j", async (call, denial, more) => {
    const page = newPage();
    denials.set(call, denial);
    const declared = hero(more);
    await expect(page.up(declared)).rejects.toThrow(denied(call, Object.keys(denial)[0]));
    denials.clear();
    expect(await page.apply(declared)).toBe("updated");
    await refreshPlansNothing(page, declared);
  });

  test("PATCH /pages/builder/node", async () => {
    const page = newPage();
    await page.apply(hero());
    const { builder } = (await byHand(world, "GET", `/pages/builder?page_id=${page.id}`)) as {
      builder: { tree: { sections: { id: string }[] } };
    };
    const declared = hero({ nodes: { [builder.tree.sections[0]?.id ?? ""]: { style: { color: "red" } } } });
    denials.set("PATCH /pages/builder/node", { updated: false });
    await expect(page.up(declared)).rejects.toThrow(denied("PATCH /pages/builder/node", "updated"));
    denials.clear();
    expect(await page.apply(declared)).toBe("updated");
    await refreshPlansNothing(page, declared);
  });
});
