/** The doctor's report on a service whose openapi.json differs from the one that this version knows. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

interface Document {
  paths: Record<string, Record<string, { parameters?: object[]; requestBody?: object }>>;
}

const desk = forAllTests(() => NearDesk.open());
let alter: (document: Document) => void = () => undefined;

/** The emulator with another document. */
const proxy = createServer((request, response) => {
  void (async () => {
    const headers = { authorization: request.headers.authorization ?? "" };
    const answer = await fetch(`${new URL(desk.emulator.baseUrl).origin}${request.url ?? ""}`, { headers });
    let body = await answer.text();
    if (request.url?.endsWith("/openapi.json") === true) {
      const document = JSON.parse(body) as Document;
      alter(document);
      body = JSON.stringify(document);
    }
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  })();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(() => proxy.close());

async function doctor(): Promise<string> {
  const { port } = proxy.address() as AddressInfo;
  const { code, stdout } = await desk.run(["doctor"], {
    env: { LANDFORM_BASE_URL: `http://127.0.0.1:${port}/v1` },
  });
  expect(code).toBe(0);
  return stdout;
}

test("the same document is as it is known", async () => {
  expect(await doctor()).toMatch(/all \d+ operations that Landform needs are in openapi\.json, as it knows them/);
});

test("operations that are missing, and those that ask for something else", async () => {
  alter = ({ paths }) => {
    delete paths["/videos"];
    const projects = paths["/projects"] ?? {};
    projects["get"] = {
      parameters: [
        { name: "owner", in: "query", required: true },
        { name: "limit", in: "query" },
      ],
    };
    const fields = { name: {}, description: {}, context: {}, region: {} };
    const schema = { allOf: [{ required: ["name", "region"] }, { properties: fields }] };
    projects["post"] = { requestBody: { content: { "application/json": { schema } } } };
    const site = paths["/sites/{siteId}"] ?? {};
    paths["/sites/{siteId}"] = { put: site["get"] ?? {} };
    paths["/funnels/{id}"] = paths["/funnels/{funnelId}"] ?? {};
    delete paths["/funnels/{funnelId}"];
  };
  const told = await doctor();
  expect(told).toMatch(/! openapi\.json lacks 2 of \d+ operations: GET \/videos, PATCH \/videos\n/);
  expect(told).toContain("openapi.json differs in 3 of");
  expect(told).toContain("  - GET /projects: it asks for the parameter owner; it has no parameter page\n");
  expect(told).toContain("  - POST /projects: it asks for the field region\n");
  expect(told).toContain("  - GET /sites/{siteId}: only PUT is there\n");
});
