/** The calls that the client repeats and those that it doesn't, against a server that fails on purpose. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as api from "../../provider/api/index.ts";
import { page, product } from "./records-samples.ts";
import {
  cut,
  failureOf,
  halfJson,
  html,
  json,
  refusal,
  silence,
  startScriptedServer,
  type Step,
  truncated,
} from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";

const server = forAllTests(() => startScriptedServer());
// Without jitter, repetitions come at once.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const methods = () => server.seen.map(({ method }) => method);

describe.each<[string, Step]>([
  ["the connection is cut", cut],
  ["the body is cut", truncated([page])],
  ["the JSON is cut", halfJson([page])],
  ["an HTML page comes instead", html(200)],
  ["429", refusal(429, "rate_limited")],
  ["500", refusal(500, "internal")],
  ["an HTML 502", html(502)],
  ["503 with Retry-After", refusal(503, "unavailable", "", { "retry-after": "0" })],
])("after %s", (_, fault) => {
  test("a read is sent again", async () => {
    server.script(fault, fault, json(200, [page]));
    await expect(server.api().pages.list()).resolves.toEqual([page]);
    expect(methods()).toEqual(["GET", "GET", "GET"]);
  });

  test("so is a check, though it is a POST", async () => {
    server.script(fault, json(200, { id: "p1", ready_to_publish: true }));
    await expect(server.api().pages.validate("p1")).resolves.toMatchObject({ ready_to_publish: true, issues: [] });
    expect(methods()).toEqual(["POST", "POST"]);
  });

  test("so are PATCH, DELETE, publish and replace-variables", async () => {
    const { pages } = server.api();
    for (const [method, call] of [
      ["PATCH", () => pages.updateContent({ page_id: "p1", updates: {} })],
      ["DELETE", () => pages.delete("p1")],
      ["POST", () => pages.publish({ page_id: "p1", site_id: "s1" })],
      ["POST", () => pages.replaceVariables({ page_id: "p1", variables: {} })],
    ] as const) {
      server.script(fault, json(200, { id: "p1", success: true, deleted: true }));
      await call();
      expect(methods()).toEqual([method, method]);
    }
  });
});

const creates: [string, (client: api.LandformApi) => Promise<unknown>][] = [
  ["projects.create", ({ projects }) => projects.create({ name: "n", description: "d", context: "c" })],
  ["sites.create", ({ sites }) => sites.create({ name: "n" })],
  ["pages.create", ({ pages }) => pages.create({ name: "n" })],
  ["pages.createFromTemplate", ({ pages }) => pages.createFromTemplate({ template_id: "t" })],
  ["pages.duplicate", ({ pages }) => pages.duplicate({ page_id: "p" })],
  ["quizzes.create", ({ quizzes }) => quizzes.create({ name: "n" })],
  ["quizzes.createFromTemplate", ({ quizzes }) => quizzes.createFromTemplate({ template_id: "t" })],
  ["funnels.create", ({ funnels }) => funnels.create({ name: "n" })],
  ["products.create", ({ products }) => products.create({ name: "n" })],
  ["hooks.create", ({ hooks }) => hooks.create({ target_url: "https://a.example", event_type: "page.created" })],
];

describe.each(creates)("%s", (_, create) => {
  test.each<[string, Step, new (...args: never[]) => Error]>([
    ["a cut connection", cut, api.NetworkError],
    ["a cut body", truncated(page), api.NetworkError],
    ["cut JSON", halfJson(page), api.MalformedResponseError],
    ["an HTML page", html(200), api.MalformedResponseError],
    ["500", refusal(500, "internal"), api.ServerError],
    ["503 with Retry-After", refusal(503, "unavailable", "", { "retry-after": "0" }), api.ServerError],
    ["silence", silence, api.TimeoutError],
  ])("is sent once in spite of %s, and says that it may have happened", async (_, fault, errorClass) => {
    server.script(fault);
    const error = await failureOf(create(server.api(fault === silence ? { timeoutMs: 80 } : {})));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toMatchObject({ method: "POST", outcome: "unknown" });
    expect(methods()).toEqual(["POST"]);
  });
});

test("a create is sent again after a 429: the service has done nothing", async () => {
  server.script(refusal(429, "rate_limited"), refusal(429, "rate_limited"), json(201, product));
  await expect(server.api().products.create({ name: "Mug" })).resolves.toMatchObject(product);
  expect(methods()).toEqual(["POST", "POST", "POST"]);
});

/** Refuses all calls of the first 900 ms. */
function refuseFirst(retryAfter: () => string): void {
  let open = false;
  setTimeout(() => (open = true), 900);
  server.script((request, response) => {
    const answer = open ? json(200, []) : refusal(429, "rate_limited", "", { "retry-after": retryAfter() });
    answer(request, response);
  });
}

test.each([
  ["seconds", () => "1"],
  ["a date", () => new Date(Date.now() + 2_000).toUTCString()],
])("Retry-After in %s is waited for", async (_, header) => {
  refuseFirst(header);
  await server.api().pages.list();
  expect(methods()).toHaveLength(2);
});

test("a wait that the deadline does not allow ends the call at once, and says how long the service asked for", async () => {
  server.script(refusal(429, "rate_limited", "Slow down.", { "retry-after": "3600" }));
  const error = await failureOf(server.api().pages.list());
  expect(error).toBeInstanceOf(api.RateLimitedError);
  expect(error).toMatchObject({ retryAfterMs: 3_600_000, outcome: "refused" });
  expect(String(error)).toBe(
    "RateLimitedError: GET /pages: the service answered 429 rate_limited: Slow down; it asks to wait 3600 s. " +
      "Wait, then run it again with a lower LANDFORM_MAX_CONCURRENCY or LANDFORM_REQUESTS_PER_SECOND.",
  );
  expect(methods()).toHaveLength(1);
});

test("a service that stays down is given up after six attempts", async () => {
  server.script(refusal(503, "unavailable"));
  await expect(server.api().pages.list()).rejects.toThrow(
    "GET /pages: the service answered 503 unavailable, after 6 attempts. Run it again later.",
  );
  expect(methods()).toHaveLength(6);
});

test("calls of one client share a budget: an outage does not multiply the traffic", async () => {
  server.script(refusal(503, "unavailable"));
  const { pages } = server.api();
  await Promise.allSettled(Array.from({ length: 60 }, () => pages.list()));
  expect(server.seen.length).toBe(60 + 100);
});

test("an earlier attempt that may have been committed is remembered", async () => {
  server.script(cut, refusal(400, "invalid_request"));
  const call = failureOf(server.api().pages.delete("p1"));
  expect(await call).toMatchObject({ code: "invalid_request", outcome: "unknown" });
});

test("a 429 holds the other calls of the client back too, and none is lost", async () => {
  refuseFirst(() => "1");
  const { pages } = server.api({ maxConcurrency: 2 });
  await Promise.all(Array.from({ length: 8 }, () => pages.list()));
  expect(server.seen).toHaveLength(2 + 8);
});
