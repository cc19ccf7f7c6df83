/** A service without a search of pages: the list answers questions about markers, names and exact ids. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { byHand, openHost, openWorld, ResourceTest, type World } from "./harness.ts";
import { unique } from "./table.ts";

let world: World;
let host: World["host"];
let api: LandformApi;
const server = createServer((request, response) => void pass(request, response));

/** The emulator without this operation, neither in its contract nor in fact. */
async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  const { method = "GET", url = "" } = request;
  if (url.startsWith("/v1/search/pages")) {
    answer(response, 404, { error: "not_found", message: "No such route." });
    return;
  }
  try {
    const result = await fetch(`${world.emulator.url}${url}`, {
      method,
      headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    const json = (await result.json()) as { paths?: Record<string, unknown> };
    if (url === "/v1/openapi.json") delete json.paths?.["/search/pages"];
    answer(response, result.status, json);
  } catch {
    response.destroy();
  }
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

beforeAll(async () => {
  world = await openWorld();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  ({ host } = openHost(world.emulator, { LANDFORM_BASE_URL: baseUrl, LANDFORM_PATIENCE_MS: "300" }));
  api = new LandformApi({ baseUrl, apiKey: world.emulator.apiKey });
});
afterAll(async () => {
  await api.close();
  await host.close();
  server.close();
  await world.close();
});
beforeEach(() => world.emulator.faults.clear());

const named = async (name: string): Promise<string[]> => {
  const rows = (await byHand(world, "GET", "/pages?limit=100")) as { id: string; page_name: string }[];
  return rows.flatMap((row) => (row.page_name.startsWith(name) ? [row.page_name] : []));
};

test("a page is created, and nothing is planned after it", async () => {
  const name = unique("plain");
  expect(await new ResourceTest(world, "page", name).handTo(host.client).apply({})).toBe("created");
  expect(await named(name)).toEqual([name]);
});

test("the page of a lost answer is found by its marker", async () => {
  const name = unique("lost");
  world.emulator.faults.add({ method: "POST", path: "/pages", phase: "after" });
  expect(await new ResourceTest(world, "page", name).handTo(host.client).apply({})).toBe("created");
  expect(await named(name)).toEqual([name]);
});

test("one 404 forgets no page, and two that agree do", async () => {
  const page = new ResourceTest(world, "page", unique("there")).handTo(host.client);
  await page.apply({});
  world.emulator.faults.add({ method: "GET", path: `/pages/${page.id}`, phase: "status", status: 404 });
  expect(await page.refresh()).toBe(true);
  await byHand(world, "DELETE", `/pages/${page.id}`);
  expect(await page.refresh()).toBe(false);
});

test("names are found whatever their case, and no more than were asked for", async () => {
  for (const name of ["Searched one", "searched two", "other"]) await byHand(world, "POST", "/pages", { name });
  const found = async (query: string, limit?: number): Promise<string[]> =>
    (await api.pages.search({ query, limit })).map(({ page_name: name }) => name);
  expect(await found("SEARCHED")).toEqual(["Searched one", "searched two"]);
  expect(await found("searched", 1)).toEqual(["Searched one"]);
  expect(await found("none of them")).toEqual([]);
});
