import { connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadContract } from "../../emulator/http/contract.ts";
import { anyText, call, create, offerPage, ok, start } from "./helpers.ts";

const { operations } = loadContract();

test("whatever is sent to whatever operation, the answer is JSON and never a failure of the emulator", async () => {
  const emulator = await start({ seed: "demo" });
  const { pageId, siteId } = await offerPage(emulator);
  const ids = [pageId, siteId, "x", "__proto__", "..", "%00", "a b", "\u{1F600}"];
  const value = fc.oneof(
    fc.constantFrom(...ids, "constructor", "", "{}", "[]", "null", '{"__proto__":{"x":1}}'),
    fc.jsonValue({ maxDepth: 4 }),
  );
  const ofPages = ["page_id", "site_id", "node_id", "name", "updates", "variables", "node", "pages", "slug", "tags"];
  const ofOthers = ["type", "target_url", "event_type", "bundle_items_json", "subscription_json", "price"];
  const fields = [...ofPages, ...ofOthers, "template_id", "__proto__"];
  const body = fc.oneof(
    fc.dictionary(fc.constantFrom(...fields), value).map((record) => JSON.stringify(record)),
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
