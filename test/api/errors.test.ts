/** The class and the exact words of every refusal. */
import { describe, expect, test } from "vitest";
import * as api from "../../provider/api/index.ts";
import { page } from "./records-samples.ts";
import { failureOf, html, json, refusal, startScriptedServer, type Step } from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";

const server = forAllTests(() => startScriptedServer());

const notFound = "It was deleted, or the id belongs to another account: refresh, or correct the id.";
const notOurs = "Check that the base URL is the API's and that no proxy answers in its place.";

const paid = "Upgrade the account's subscription, or use a key of another account.";
const valid = "Set LANDFORM_API_KEY to a valid key with the scope pages:read.";
const allowed =
  "The key needs the scope pages:read, and its IP list, if it has one, must allow this machine's address.";
const correct = "Correct what the service names.";
const empty = "Delete or move the pages, products, sites and funnels of the project first.";

type Expected = [errorClass: api.ApiError["constructor"], message: string];
const coded = (
  status: number,
  code: string,
  errorClass: Expected[0],
  remedy: string,
  said?: string,
): [Step, ...Expected] => [
  refusal(status, code, said),
  errorClass,
  `the service answered ${status} ${code}${said === undefined ? "" : `: ${said}`}. ${remedy}`,
];
const noJson = (status: number, got: string): Expected => [
  api.MalformedResponseError,
  `the service answered ${status} with ${got}, not with the API's JSON. ${notOurs}`,
];
const outOfShape = (what: string): Expected => [
  api.MalformedResponseError,
  `the answer is not what the specification promises, at ${what}. Compare the service's /openapi.json with this version of landform, and report the difference.`,
];

describe("GET /pages/p1", () => {
  test.each<[string, Step, api.ApiError["constructor"], string]>([
    [
      "401",
      refusal(401, "unauthorized", "Unknown key."),
      api.UnauthorizedError,
      `the service answered 401 unauthorized: Unknown key. ${valid}`,
    ],
    [
      "401 without a body",
      (_, response) => response.writeHead(401).end(),
      api.UnauthorizedError,
      `the service answered 401. ${valid}`,
    ],
    ["403", ...coded(403, "forbidden", api.ForbiddenError, allowed, "Missing scope")],
    ["404", ...coded(404, "page_not_found", api.NotFoundError, notFound, "No such page")],
    ["404 with another code", ...coded(404, "nope", api.NotFoundError, notFound)],
    ["400 page_not_found", ...coded(400, "page_not_found", api.NotFoundError, notFound)],
    ["422 PageNotFound", ...coded(422, "PageNotFound", api.NotFoundError, notFound)],
    ["410", ...coded(410, "gone", api.NotFoundError, notFound)],
    ["400 missing_field", ...coded(400, "missing_field", api.InvalidRequestError, correct, "name")],
    ["409", ...coded(409, "project_in_use", api.ConflictError, empty, "In use")],
    ["402", ...coded(402, "payment_required", api.PlanRequiredError, paid)],
    ["403 paid_plan_required", ...coded(403, "paid_plan_required", api.PlanRequiredError, paid)],
    ["an HTML 404", html(404), ...noJson(404, "an HTML page")],
    [
      "a 404 of something else",
      json(404, { message: "Cannot GET /v1/pages/p1" }),
      ...noJson(404, "JSON that is incomplete or not the service's own error"),
    ],
    ["an HTML 403", html(403), ...noJson(403, "an HTML page")],
    ["an empty 400", (_, response) => response.writeHead(400).end(), ...noJson(400, "nothing at all")],
    [
      "a missing field",
      json(200, { ...page, page_name: undefined }),
      ...outOfShape("page_name: nothing is there; expected text"),
    ],
    [
      "a list instead of a record",
      json(200, [page]),
      ...outOfShape("the answer as a whole: expected a map, and got a list"),
    ],
  ])("%s", async (_, step, errorClass, message) => {
    server.script(step);
    const error = await failureOf(server.api().pages.read("p1"));
    expect(error.constructor).toBe(errorClass);
    expect(error.message).toBe(`GET /pages/p1: ${message}`);
    expect(error).toMatchObject({ name: errorClass.name, method: "GET", path: "/pages/p1", outcome: "refused" });
    expect(server.seen).toHaveLength(1);
  });
});

test.each([404, 410])("%i of a list is of the list, unless its code names what is missing", async (status) => {
  const { pages, templates, funnels } = server.api();
  server.script(refusal(status, "not_found"));
  const calls = [pages.list(), templates.list({ template_id: "t1" }), funnels.search({ funnel_id: "f1" })];
  for (const call of calls) {
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(api.InvalidRequestError);
    expect(error.remedy).toBe(`Run it again later. If it stays, ${notOurs.charAt(0).toLowerCase()}${notOurs.slice(1)}`);
  }
  server.script(refusal(status, "project_not_found"));
  expect(await failureOf(pages.list({ project_id: "p1" }))).toBeInstanceOf(api.NotFoundError);
});

test("a write whose answer is out of shape may have happened", async () => {
  server.script(json(201, { name: "n" }));
  expect(await failureOf(server.api().pages.create({ name: "n" }))).toMatchObject({ at: "id", outcome: "unknown" });
});

test("what the service writes is shortened and stripped of control characters", async () => {
  server.script(refusal(400, "invalid_request", `\u001b[31mred\r\n${"x".repeat(2_000)}`));
  const error = await failureOf(server.api().pages.read("p1"));
  expect(error.message).toContain("invalid_request: [31mred xxx");
  expect(error.message.length).toBeLessThan(700);
});
