/** The class and the exact words of every refusal. */
import { describe, expect, test } from "vitest";
import * as api from "../../provider/api/index.ts";
import { page } from "./records-samples.ts";
import { html, json, refusal, startScriptedServer, type Step } from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";

const server = forAllTests(() => startScriptedServer());

const failure = async (call: Promise<unknown>): Promise<api.ApiError> => {
  const error: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof api.ApiError) return error;
  throw new Error("the call did not fail", { cause: error });
};

const notFound = "It was deleted, or the id belongs to another account: refresh, or correct the id.";
const notOurs = "Check that the base URL is the API's and that no proxy answers in its place.";

describe("GET /pages/p1", () => {
  test.each<[string, Step, api.ApiError["constructor"], string]>([
    [
      "401",
      refusal(401, "unauthorized", "Unknown key."),
      api.UnauthorizedError,
      "the service answered 401 unauthorized: Unknown key. Set LANDFORM_API_KEY to a valid key with the scope pages:read.",
    ],
    [
      "401 without a body",
      (_, response) => response.writeHead(401).end(),
      api.UnauthorizedError,
      "the service answered 401. Set LANDFORM_API_KEY to a valid key with the scope pages:read.",
    ],
    [
      "403",
      refusal(403, "forbidden", "Missing scope"),
      api.ForbiddenError,
      "the service answered 403 forbidden: Missing scope. The key needs the scope pages:read, and its IP list, if it has one, must allow this machine's address.",
    ],
    [
      "404",
      refusal(404, "page_not_found", "No such page"),
      api.NotFoundError,
      `the service answered 404 page_not_found: No such page. ${notFound}`,
    ],
    ["404 with another code", refusal(404, "nope"), api.NotFoundError, `the service answered 404 nope. ${notFound}`],
    [
      "400 page_not_found",
      refusal(400, "page_not_found"),
      api.NotFoundError,
      `the service answered 400 page_not_found. ${notFound}`,
    ],
    [
      "422 PageNotFound",
      refusal(422, "PageNotFound"),
      api.NotFoundError,
      `the service answered 422 PageNotFound. ${notFound}`,
    ],
    ["410", refusal(410, "gone"), api.NotFoundError, `the service answered 410 gone. ${notFound}`],
    [
      "400 missing_field",
      refusal(400, "missing_field", "name"),
      api.InvalidRequestError,
      "the service answered 400 missing_field: name. Correct what the service names.",
    ],
    [
      "409",
      refusal(409, "project_in_use", "In use"),
      api.ConflictError,
      "the service answered 409 project_in_use: In use. Delete or move the pages, products, sites and funnels of the project first.",
    ],
    [
      "402",
      refusal(402, "payment_required"),
      api.PlanRequiredError,
      "the service answered 402 payment_required. Upgrade the account's subscription, or use a key of another account.",
    ],
    [
      "403 paid_plan_required",
      refusal(403, "paid_plan_required"),
      api.PlanRequiredError,
      "the service answered 403 paid_plan_required. Upgrade the account's subscription, or use a key of another account.",
    ],
    [
      "an HTML 404",
      html(404),
      api.MalformedResponseError,
      `the service answered 404 with an HTML page, not with the API's JSON. ${notOurs}`,
    ],
    [
      "a 404 of something else",
      json(404, { message: "Cannot GET /v1/pages/p1" }),
      api.MalformedResponseError,
      `the service answered 404 with JSON that is incomplete or not the service's own error, not with the API's JSON. ${notOurs}`,
    ],
    [
      "an HTML 403",
      html(403),
      api.MalformedResponseError,
      `the service answered 403 with an HTML page, not with the API's JSON. ${notOurs}`,
    ],
    [
      "an empty 400",
      (_, response) => response.writeHead(400).end(),
      api.MalformedResponseError,
      `the service answered 400 with nothing at all, not with the API's JSON. ${notOurs}`,
    ],
    [
      "a missing field",
      json(200, { ...page, page_name: undefined }),
      api.MalformedResponseError,
      "the answer is not what the specification promises, at page_name: nothing is there; expected text. Compare the service's /openapi.json with this version of landform, and report the difference.",
    ],
    [
      "a list instead of a record",
      json(200, [page]),
      api.MalformedResponseError,
      "the answer is not what the specification promises, at the answer as a whole: expected a map, and got a list. Compare the service's /openapi.json with this version of landform, and report the difference.",
    ],
  ])("%s", async (_, step, errorClass, message) => {
    server.script(step);
    const error = await failure(server.api().pages.read("p1"));
    expect(error.constructor).toBe(errorClass);
    expect(error.message).toBe(`GET /pages/p1: ${message}`);
    expect(error).toMatchObject({ name: errorClass.name, method: "GET", path: "/pages/p1", outcome: "refused" });
    expect(server.seen).toHaveLength(1);
  });
});

test.each([404, 410])("%i of a list is of the list, unless its code names what is missing", async (status) => {
  const { pages, templates } = server.api();
  server.script(refusal(status, "not_found"));
  for (const call of [
    pages.list(),
    templates.list({ template_id: "t1" }),
    server.api().funnels.search({ funnel_id: "f1" }),
  ]) {
    const error = await failure(call);
    expect(error).toBeInstanceOf(api.InvalidRequestError);
    expect(error.remedy).toBe(`Run it again later. If it stays, ${notOurs.charAt(0).toLowerCase()}${notOurs.slice(1)}`);
  }
  server.script(refusal(status, "project_not_found"));
  expect(await failure(pages.list({ project_id: "p1" }))).toBeInstanceOf(api.NotFoundError);
});

test("a write whose answer is out of shape may have happened", async () => {
  server.script(json(201, { name: "n" }));
  expect(await failure(server.api().pages.create({ name: "n" }))).toMatchObject({ at: "id", outcome: "unknown" });
});

test("what the service writes is shortened and stripped of control characters", async () => {
  server.script(refusal(400, "invalid_request", `\u001b[31mred\r\n${"x".repeat(2_000)}`));
  const error = await failure(server.api().pages.read("p1"));
  expect(error.message).toContain("invalid_request: [31mred xxx");
  expect(error.message.length).toBeLessThan(700);
});
