/** Connections, redirects and limits below the operations. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  LandformApi,
  NetworkError,
  RedirectError,
  ResponseTooLargeError,
  TimeoutError,
} from "../../provider/api/index.ts";
import { page } from "./records-samples.ts";
import { failureOf, json, silence, startScriptedServer, testKey } from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const server = forAllTests(() => startScriptedServer());
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

/** Starts a listener that says nothing. */
async function muteListener(): Promise<{ port: number; close: () => Promise<unknown> }> {
  const mute = createServer((socket) => void socket.on("error", () => undefined)).listen(0, "127.0.0.1");
  await once(mute, "listening");
  const { port } = mute.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => mute.close(resolve)) };
}

test("requests carry the key and JSON, and nothing that was left undefined", async () => {
  server.script(json(201, page));
  await server.api().pages.create({ name: "Offer", project_id: undefined });
  const sent = { method: "POST", path: "/pages", body: '{"name":"Offer"}' };
  const [type, authorization] = ["application/json", `Bearer ${testKey}`];
  const headers = { authorization, "content-type": type, accept: type };
  expect(server.seen).toMatchObject([{ ...sent, headers }]);
});

test("/openapi.json is read without the key", async () => {
  server.script(json(200, { openapi: "3.0.3", paths: {} }));
  await expect(server.api().openapi()).resolves.toEqual({ openapi: "3.0.3", paths: {} });
  expect(server.seen[0]?.headers.authorization).toBeUndefined();
});

test.each([301, 302, 303, 307, 308])("a %i is not followed", async (status) => {
  const location = "https://elsewhere.example/v1/pages?a=b";
  server.script((_, response) => response.writeHead(status, { location }).end());
  const error = await failureOf(server.api().pages.list());
  expect(error).toBeInstanceOf(RedirectError);
  expect(error.message).toBe(
    `GET /pages: the service redirects (${status}) to elsewhere.example, where the key is not sent. ` +
      "Set the base URL to the address of the API itself.",
  );
  expect(server.seen).toHaveLength(1);
});

test("a connection that is never made: the service did nothing, even for a create, and the attempts come to an end", async () => {
  const { port, close } = await muteListener();
  await close();
  const error = await failureOf(server.api({ baseUrl: `http://127.0.0.1:${port}/v1` }).pages.create({ name: "n" }));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({
    outcome: "refused",
    message: `POST /pages: could not connect to http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}, after 6 attempts. Check the base URL and the network.`,
  });
});

test("the deadline covers the wait for an answer", async () => {
  server.script(silence);
  const error = await failureOf(server.api({ timeoutMs: 100 }).pages.list());
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error.message).toBe(
    "GET /pages: the service gave no complete answer within 0.1 s. Run it again later, or raise LANDFORM_TIMEOUT_MS.",
  );
});

test("the deadline covers the wait for a connection: nothing was sent then", async () => {
  const { port, close } = await muteListener();
  const api = new LandformApi({ baseUrl: `https://127.0.0.1:${port}/v1`, apiKey: testKey, timeoutMs: 100 });
  const error = await failureOf(api.pages.create({ name: "n" }));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({
    outcome: "refused",
    message:
      "POST /pages: the service took no connection within 0.1 s. Run it again later, or raise LANDFORM_TIMEOUT_MS.",
  });
  void close();
});

test.each([
  ["announced", { "content-length": "3000" }],
  ["not announced", undefined],
])("an answer larger than the limit is not read to its end, its length %s", async (_, headers) => {
  server.script((_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(`["${"x".repeat(2_996)}"]`);
  });
  const error = await failureOf(server.api({ maxResponseBytes: 1_000 }).pages.list());
  expect(error).toBeInstanceOf(ResponseTooLargeError);
  expect(error.message).toBe(
    "GET /pages: the answer is larger than the 1000 bytes that are read. Ask for fewer records in one call.",
  );
});

test("no more calls are under way than allowed", async () => {
  let underWay = 0;
  let most = 0;
  server.script((request, response) => {
    most = Math.max(most, ++underWay);
    setTimeout(() => {
      underWay--;
      json(200, [])(request, response);
    }, 5);
  });
  const api = server.api({ maxConcurrency: 3 });
  await Promise.all(Array.from({ length: 20 }, () => api.pages.list()));
  expect(most).toBe(3);
});

test("undici is imported by client.ts alone", () => {
  const root = new URL("../../", import.meta.url);
  const files = globSync("{provider,engine,emulator,manifest,stack,ci,story,cli}/**/*.ts", { cwd: root });
  const imports = (file: string): boolean =>
    /from "undici|import\("undici/.test(readFileSync(new URL(file, root), "utf8"));
  expect(files.filter(imports)).toEqual(["provider/api/client.ts"]);
});

thorough("an idle client does not keep a process alive", () => {
  const program = `
    const { LandformApi } = await import(process.argv[1]);
    const api = new LandformApi({ baseUrl: "http://127.0.0.1:9/v1", apiKey: "k" });
    await api.account.me().catch((error) => console.log(error.name));
  `;
  const entry = new URL("../../provider/api/index.ts", import.meta.url).href;
  const args = ["--input-type=module", "-e", program, entry];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe("NetworkError\n");
});
