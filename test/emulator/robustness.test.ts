import { connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadContract } from "../../emulator/http/contract.ts";
import { anyText, call, create, offerPage, ok, start, textWith } from "./helpers.ts";

const { operations } = loadContract();

test("whatever is sent to whatever operation, the answer is JSON and never a failure of the emulator", async () => {
  const emulator = await start({ seed: "demo" });
  const { pageId, siteId } = await offerPage(emulator);
  const ids = [pageId, siteId, "x", "__proto__", "..", "%00", "a b", "\u{1F600}"];
  const value = fc.oneof(
    fc.constantFrom(...ids, "constructor", "", "{}", "[]", "null", '{"__proto__":{"x":1}}'),
    fc.jsonValue({ maxDepth: 4 }),
  );
  const fields = [
    "page_id",
    "site_id",
    "node_id",
    "name",
    "updates",
    "variables",
    "node",
    "pages",
    "slug",
    "tags",
    "type",
  ];
  const more = [
    "target_url",
    "event_type",
    "bundle_items_json",
    "subscription_json",
    "price",
    "template_id",
    "__proto__",
  ];
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...fields, ...more), value).map((record) => JSON.stringify(record)),
    value.map((any) => JSON.stringify(any)),
    fc.string(),
  );
  const operation = fc.constantFrom(...operations.filter(({ id }) => id !== "getOpenapi"));
  const query = fc.dictionary(
    fc.constantFrom("limit", "page", "skip", "query", "type", "page_id", "published"),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(operation, fc.constantFrom(...ids), body, query, async ({ method, path }, id, text, search) => {
      const url = `${path.replace(/\{\w+\}/, encodeURIComponent(id))}?${new URLSearchParams(search).toString()}`;
      const { status, body: answer } = await call(emulator, method, url, method === "GET" ? undefined : text);
      expect([url, text, status < 500]).toEqual([url, text, true]);
      if (status >= 300) expect(answer).toEqual({ error: anyText, message: anyText });
    }),
    { numRuns: 400 },
  );
  expect(await ok(emulator, "GET", "/me")).toMatchObject({ id: emulator.accountId });
  expect(Object.prototype).not.toHaveProperty("x");
});

test.each([
  ["", "The body is empty"],
  ["{", "not JSON"],
  ['{"name":"a"} x', "not JSON"],
  ["[]", "must be a JSON object"],
  ["null", "must be a JSON object"],
  ['"text"', "must be a JSON object"],
  ["{}", "name is required"],
  ['{"name":1}', "name must be string, and is the number 1"],
  ['{"name":null}', "name must be string, and is null"],
  ['{"name":"  "}', "name must not be empty"],
  [`{"name":"a","x":${"[".repeat(200)}${"]".repeat(200)}}`, "nested deeper than 100 levels"],
])("a body that can't be used is told why: %s", async (text, message) => {
  const emulator = await start();
  const { status, body } = await call(emulator, "POST", "/pages", text);
  expect([status, body.error, body.message]).toEqual([400, "invalid_request", textWith(message)]);
});

test("a body must be JSON by its type, in UTF-8, and not too large", async () => {
  const emulator = await start();
  const post = async (body: string | Uint8Array<ArrayBuffer>, type: string): Promise<unknown[]> => {
    const headers = { Authorization: `Bearer ${emulator.apiKey}`, "Content-Type": type };
    const response = await fetch(`${emulator.baseUrl}/pages`, { method: "POST", headers, body });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  expect(await post('{"name":"a"}', "application/json; charset=utf-8")).toEqual([201, undefined]);
  expect(await post('{"name":"a"}', "text/plain")).toEqual([400, "invalid_request"]);
  const latin1 = Uint8Array.from([...Buffer.from('{"name":"'), 0xe9, ...Buffer.from('"}')]);
  expect(await post(latin1, "application/json")).toEqual([400, "invalid_request"]);
  expect(await post(`{"name":"${"a".repeat(10 * 1024 * 1024)}"}`, "application/json")).toEqual([413, "body_too_large"]);
});

test("__proto__ and its like are names as any other", async () => {
  const emulator = await start();
  const { pageId: page_id } = await offerPage(emulator);
  const text = `{"page_id":"${page_id}","updates":{"__proto__":"x","constructor":"y","hero.title":"z"}}`;
  const result = await ok<{ missing: string; applied: string }>(emulator, "PATCH", "/pages/content", text);
  expect([JSON.parse(result.missing), JSON.parse(result.applied)]).toEqual([
    ["__proto__", "constructor"],
    { "hero.title": "z" },
  ]);
  for (const id of ["__proto__", "constructor", "hasOwnProperty"]) {
    for (const path of ["/pages/", "/projects/", "/sites/", "/funnels/", "/videos/", "/products/", "/quizzes/"]) {
      expect((await call(emulator, "GET", path + id)).status).toBe(404);
    }
  }
});

test.each([
  ["GET", "/nothing", 404, "not_found"],
  ["GET", "/pages/a/b", 404, "not_found"],
  ["GET", "/pages/", 404, "not_found"],
  ["GET", "/pages/..", 404, "page_not_found"],
  ["GET", "/pages/%2e%2e", 404, "page_not_found"],
  ["GET", "/pages/%ff", 400, "invalid_request"],
  ["PUT", "/pages", 405, "method_not_allowed"],
  ["DELETE", "/sites/one", 405, "method_not_allowed"],
  ["GET", "/pages?limit=0", 400, "invalid_request"],
  ["GET", "/pages?limit=1.5", 400, "invalid_request"],
  ["GET", "/pages?limit=1e1", 400, "invalid_request"],
  ["GET", "/pages?limit=%201", 400, "invalid_request"],
  ["GET", "/pages?limit=", 400, "invalid_request"],
  ["GET", "/pages?page=-1", 400, "invalid_request"],
  ["GET", "/pages?published=maybe", 400, "invalid_request"],
  ["GET", "/videos?skip=-1", 400, "invalid_request"],
  ["GET", "/pages/builder", 400, "invalid_request"],
])("%s %s is answered with %i %s", async (method, path, status, error) => {
  const emulator = await start();
  const { hostname, port } = new URL(emulator.url);
  const text = await raw(
    hostname,
    Number(port),
    `${method} /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${emulator.apiKey}\r\nConnection: close\r\n\r\n`,
  );
  expect([text.slice(9, 12), text]).toEqual([String(status), textWith(`{"error":"${error}","message":"`)]);
});

test("what is not HTTP is answered in JSON too", async () => {
  const emulator = await start();
  const { hostname, port } = new URL(emulator.url);
  expect(await raw(hostname, Number(port), "nonsense\r\n\r\n")).toContain('{"error":"invalid_request"');
  expect((await call(emulator, "GET", "/me")).status).toBe(200);
});

test("a caller that goes away in the middle of a body does no harm", async () => {
  const emulator = await start();
  const { hostname, port } = new URL(emulator.url);
  const head = `POST /v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${emulator.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":`;
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(head)).on("close", () => resolve());
    socket.resume();
  });
  expect(await ok(emulator, "GET", "/pages")).toEqual([]);
  await create(emulator, "/pages", { name: "a" });
});

/** Sends bytes as they are, and returns everything that comes back. */
function raw(host: string, port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, host, () => socket.write(text));
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.on("error", reject).on("close", () => resolve(answer));
  });
}
