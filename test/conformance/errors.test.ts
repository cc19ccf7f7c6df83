/** Each row of the errors table, and bad input of every sort: the answer always has the error body, and the server goes on. */
import { afterEach, describe, expect, test } from "vitest";
import { inputs } from "../schema/records.ts";
import { operations } from "../schema/specification.ts";
import { type Fields, ok, record, refused } from "./expectations.ts";
import { makePage, missingId } from "./fixtures.ts";
import { goodRequest } from "./requests.ts";
import { openTarget } from "./target.ts";

// This server ignores unknown fields, so that the test sees their effect.
const target = await openTarget({ notShown: { unknownFields: "ignore" } });
const invalid = { code: "invalid_request" };
const taking = operations.flatMap((row) => (row.body === undefined ? [] : [{ ...row, body: row.body }]));

afterEach(async () => ok(await target.call("getAccount")));

describe.each(taking)("$method $path", ({ id, body: input }) => {
  test.each([
    ["text that is not JSON", "{not JSON"],
    ["half a document", '{"name": "'],
    ["nothing", ""],
    ["an array", "[]"],
    ["null", "null"],
    ["a text", '"name"'],
    ["a number", "7"],
  ])("refuses %s for a body", async (_, raw) => {
    const { at } = await goodRequest(target, id);
    refused(await target.call(id, { at, raw }), invalid);
  });

  const fields = (inputs[input] ?? "").split("; ").map((field) => {
    const [name = "", type = ""] = field.split(" ");
    return { field: name.replace("!", ""), required: name.endsWith("!"), type };
  });
  const required = fields.filter((field) => field.required);

  test.each(required)("refuses a body without $field", async ({ field }) => {
    const request = await goodRequest(target, id);
    const body = { ...(request.body as Record<string, unknown>) };
    Reflect.deleteProperty(body, field);
    refused(await target.call(id, { ...request, body }), invalid);
  });

  test.each(fields)("refuses a wrong type for $field", async ({ field, type }) => {
    const request = await goodRequest(target, id);
    const wrong = /object|array|json/.test(type) ? 7 : { wrong: "type" };
    refused(await target.call(id, { ...request, body: { ...(request.body as object), [field]: wrong } }), invalid);
  });
});

describe("a page that does not exist is page_not_found", () => {
  const byBody = taking.filter(({ body }) => inputs[body]?.startsWith("page_id!") === true);

  test.each(byBody)("$method $path", async ({ id }) => {
    const request = await goodRequest(target, id);
    const body = { ...(request.body as object), page_id: missingId };
    refused(await target.call(id, { body }), { code: "page_not_found" });
  });

  test.each(["getPage", "deletePage"])("%s", async (id) => {
    refused(await target.call(id, { at: missingId }), { code: "page_not_found" });
  });

  test.each(["getBuilder", "getBuilderNode", "getContentMap"])("%s", async (id) => {
    const { query } = await goodRequest(target, id);
    refused(await target.call(id, { query: { ...query, page_id: missingId } }), { code: "page_not_found" });
  });
});

describe("routes", () => {
  test.each([
    ["GET", "/nowhere"],
    ["POST", "/projects/x/y/z"],
    ["GET", "/"],
    ["GET", "/search"],
    ["PUT", "/projects"],
    ["DELETE", "/pages"],
    ["POST", "/me"],
    ["PATCH", "/openapi.json"],
    ["GET", "/projects/%2e%2e"],
    ["GET", "/projects/%ZZ"],
    ["GET", "/pages/%00"],
  ])("%s %s is refused", async (method, path) => refused(await target.send(method, path)));

  test("an id is no path", async () => {
    refused(await target.call("getProject", { at: "../me" }));
    refused(await target.call("getPage", { at: "../openapi.json" }));
  });
});

describe("hostile bodies", () => {
  const create = async (raw: string) => target.call("createPage", { raw });

  test("10 MB", async () => {
    const answer = await create(JSON.stringify({ name: "x".repeat(10_000_000) }));
    if (answer.status < 300) target.later(() => target.call("deletePage", { at: (answer.body as { id: string }).id }));
    else refused(answer);
  });

  test("nested 100,000 deep", async () =>
    refused(await create(`${'{"name":'.repeat(100_000)}1${"}".repeat(100_000)}`)));

  /** A server may refuse or ignore unknown fields, but never take them. */
  const unlessRefused = async (raw: string): Promise<Fields | undefined> => {
    const answer = await create(raw);
    if (answer.status < 300) return record("Page", answer);
    refused(answer, invalid);
    return undefined;
  };

  test.each(["__proto__", "constructor", "prototype"])("a field called %s changes nothing", async (name) => {
    const page = await unlessRefused(`{"name":"Safe","${name}":{"status":"published","polluted":true}}`);
    if (page === undefined) return;
    target.later(() => target.call("deletePage", { at: page.id }));
    expect(page.status).toBe("draft");
    expect(page).not.toHaveProperty("polluted");
    expect((await target.record("getPage", { at: page.id })).status).toBe("draft");
  });

  test("a required field is not inherited", async () =>
    refused(await create('{"__proto__":{"name":"inherited"}}'), invalid));

  test("content keys called __proto__ are missing keys", async () => {
    const { id } = await makePage(target);
    const raw = `{"page_id":"${id}","updates":{"__proto__":"x","constructor":"y","toString":"z"}}`;
    expect(await target.record("updatePageContent", { raw })).toMatchObject({ applied_count: 0 });
  });

  test("read-only fields are not taken from a body", async () => {
    const page = await unlessRefused('{"name":"Mine","id":"chosen","status":"published"}');
    if (page === undefined) return;
    target.later(() => target.call("deletePage", { at: page.id }));
    expect(page.id).not.toBe("chosen");
    expect(page.status).toBe("draft");
  });
});
