/** A service without an operation to read or delete one product. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHost, openWorld, ResourceTest, type World } from "./harness.ts";
import { refreshPlansNothing } from "./table.ts";

let world: World;
let host: World["host"];
const server = createServer((request, response) => void pass(request, response));

/** The emulator without these two operations, neither in its contract nor in fact. */
async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  if (/^\/v1\/products\/./.test(request.url ?? "")) {
    answer(response, 404, { error: "not_found", message: "No such route." });
    return;
  }
  const result = await fetch(`${world.emulator.url}${request.url ?? ""}`, {
    method: request.method ?? "GET",
    headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
    ...(body.length > 0 && { body: Buffer.concat(body) }),
  });
  const json = (await result.json()) as { paths?: Record<string, unknown> };
  if (request.url === "/v1/openapi.json") delete json.paths?.["/products/{productId}"];
  answer(response, result.status, json);
}

function answer(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

beforeAll(async () => {
  world = await openWorld();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  ({ host } = openHost(world.emulator, { LANDFORM_BASE_URL: `http://127.0.0.1:${port}/v1` }));
});
afterAll(async () => {
  await host.close();
  server.close();
  await world.close();
});

test("it is read through the search, and its deletion is a clear error that keeps it", async () => {
  const product = new ResourceTest(world, "product", "without paths").handTo(host.client);
  expect(await product.apply({ price: 5 })).toBe("created");
  await refreshPlansNothing(product, { price: 5 });
  expect(await product.apply({ price: 6 })).toBe("updated");
  await expect(product.delete()).rejects.toThrow(
    `Product ${product.id} can't be deleted: this service has no operation for it (neither in /openapi.json nor at DELETE /products/${product.id}). Delete it in the app and run "npx landform refresh", or take it out of the state with "pulumi state delete".`,
  );
  expect(product.state).toBeDefined();
});

test("one that the search does not find either is not taken for gone", async () => {
  const product = new ResourceTest(world, "product", "hidden").handTo(host.client);
  await product.apply({ price: 5 });
  world.emulator.faults.add({ method: "GET", path: "/search/products", phase: "status", status: 500, times: Infinity });
  await expect(product.refresh()).rejects.toThrow(/GET \/search\/products/);
});
