/** A service whose /openapi.json names a wrong path for reading and deleting a product. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls, openHost, openWorld, ResourceTest, type World } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";

let world: World;
let host: World["host"];
let unknownRoute: (response: ServerResponse) => void;
const server = createServer((request, response) => void pass(request, response));

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  const { method = "GET", url = "" } = request;
  if (/^\/v1\/products\d?\/./.test(url)) {
    unknownRoute(response);
    return;
  }
  const result = await fetch(`${world.emulator.url}${url}`, {
    method,
    headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
    ...(body.length > 0 && { body: Buffer.concat(body) }),
  });
  const json = (await result.json()) as { paths?: Record<string, unknown> };
  if (url === "/v1/openapi.json") {
    delete json.paths?.["/products/{productId}"];
    const announced = { get: { operationId: "getProduct" }, delete: { operationId: "deleteProduct" } };
    json.paths = { ...json.paths, "/products0/{productId}": announced };
  }
  answer(response, result.status, json);
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

const noRoute = (response: ServerResponse): void => answer(response, 404, { error: "no_route" });
const nginx = (response: ServerResponse): void =>
  void response.writeHead(404, { "content-type": "text/html" }).end("<html>404 nginx</html>");

beforeAll(async () => {
  world = await openWorld();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { LANDFORM_BASE_URL: `http://127.0.0.1:${port}/v1`, LANDFORM_PATIENCE_MS: "300" };
  ({ host } = openHost(world.emulator, env));
});
afterAll(async () => {
  await host.close();
  server.close();
  await world.close();
});

describe.each([
  ["an error of its own", noRoute],
  ["a page of a proxy", nginx],
])("unknown routes are answered with %s", (_, route) => {
  beforeAll(() => {
    unknownRoute = route;
  });

  test("a product is read through the search, which the specification shows", async () => {
    const product = new ResourceTest(world, "product", unique("announced")).handTo(host.client);
    expect(await product.apply({ price: 5 })).toBe("created");
    const { id } = product;
    await refreshPlansNothing(product, { price: 5 });
    expect(product.id).toBe(id);
  });

  test("one that the search shows is not taken for deleted", async () => {
    const product = new ResourceTest(world, "product", unique("announced")).handTo(host.client);
    await product.apply({ price: 5 });
    await expect(product.delete()).rejects.toThrow(/^DELETE \/products0?\//);
    expect(product.state).toBeDefined();
    expect(await searched(product.id)).toHaveLength(1);
  });
});

test("one that neither shows is gone", async () => {
  unknownRoute = noRoute;
  const product = new ResourceTest(world, "product", unique("announced")).handTo(host.client);
  await product.apply({ price: 5 });
  const { state } = product;
  product.handTo(world.host.client);
  await product.delete();
  product.state = state;
  product.handTo(host.client);
  calls(world);
  expect(await product.refresh()).toBe(false);
  expect(calls(world)).toContain("GET /search/products");
});

async function searched(id: string): Promise<unknown[]> {
  const url = `${world.emulator.baseUrl}/search/products?product_id=${id}`;
  const result = await fetch(url, { headers: { authorization: `Bearer ${world.emulator.apiKey}` } });
  return (await result.json()) as unknown[];
}
