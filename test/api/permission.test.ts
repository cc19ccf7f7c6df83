/** The client proves scopes with calls that change nothing, and only an answer about the key counts as a refusal. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isProvenByReading, LandformApi, operations, type Permission } from "../../provider/api/index.ts";

let answer: [status: number, body: string] = [200, "{}"];
const heard: { method: string; url: string; body: string }[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    heard.push({ method: request.method ?? "", url: request.url ?? "", body });
    response.writeHead(answer[0], { "content-type": "application/json" }).end(answer[1]);
  });
});
let api: LandformApi;

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => server.close());
beforeEach(() => {
  heard.length = 0;
  const { port } = server.address() as AddressInfo;
  api = new LandformApi({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "key", timeoutMs: 300 });
});
afterEach(() => api.close());

const error = (code: string): string => JSON.stringify({ error: code, message: "No." });

test.each<[number, string, Permission]>([
  [403, error("forbidden"), "refused"],
  [403, error("insufficient_scope"), "refused"],
  [401, error("missing_scope"), "refused"],
  [400, error("scope_required"), "refused"],
  [403, error("page_not_found"), "unproven"],
  [404, error("page_not_found"), "granted"],
  [400, error("page_not_found"), "granted"],
  [400, error("invalid_request"), "unproven"],
  [422, error("invalid_request"), "unproven"],
  [409, error("conflict"), "unproven"],
  [401, error("unauthorized"), "unproven"],
  [500, error("internal"), "unproven"],
  [404, "<html>", "unproven"],
  [200, "{}", "granted"],
])("%i %s: %s", async (status, body, said) => {
  answer = [status, body];
  expect(await api.permission(["pages:write"])).toBe(said);
});

const sets = [...new Map(Object.values(operations).map(({ scopes }) => [[...scopes].sort().join(), scopes])).values()];

test.each(sets.filter((scopes) => scopes.length > 0).map((scopes) => [scopes]))(
  "%s: nothing can come of it",
  async (scopes) => {
    answer = [404, error("page_not_found")];
    const said = await api.permission(scopes);
    for (const { method, url, body } of heard) {
      if (method === "GET") continue;
      expect(method === "POST" ? url : "").toMatch(/^$|\/pages\/publish$/);
      expect(url + body).toMatch(/landform-asks-[0-9a-f-]{36}/);
      expect(Object.keys(JSON.parse(body || "{}") as object).every((field) => field.endsWith("_id"))).toBe(true);
    }
    const [method] = heard.map((one) => one.method);
    expect(said === "unproven" ? method : "asked").toBe(said === "unproven" ? undefined : "asked");
    expect(isProvenByReading(scopes)).toBe(method === "GET");
  },
);

test("a list that is not found tells nothing of the key", async () => {
  answer = [404, error("not_found")];
  expect(await api.permission(["projects:read"])).toBe("unproven");
});

test("what only a creation needs can't be proven", async () => {
  expect(await api.permission(["sites:write"])).toBe("unproven");
  expect(heard).toEqual([]);
});

test("a scope that an answer has proven is not asked about", async () => {
  answer = [200, "[]"];
  await api.projects.list();
  expect(await api.permission(["projects:read"])).toBe("granted");
  expect(heard).toHaveLength(1);
});
