import { describe, expect, test } from "vitest";
import { MissingOperationError, NotFoundError } from "../../provider/api/index.ts";
import { findOperation } from "../../provider/api/discovery.ts";
import { product } from "./records-samples.ts";
import { failureOf, html, json, refusal, startScriptedServer, type Step } from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";

type Name = "getProduct" | "deleteProduct" | "searchPages" | "searchTemplates" | "getAccountCounts";

const documentOf = (paths: object, components: object = {}) => ({ openapi: "3.0.3", paths, components });
const productId = { name: "product_id", in: "query" };

const names = { productId: "product_id" };
const get = (path: string, operation: object = {}) => ({ [path]: { get: operation } });
const inQuery = (path: string) => ({ path, idsIn: { place: "query", names } });
const schema = { $ref: "#/components/schemas/Body" };

const NOT_THE_SEARCH = {
  ...get("/search/page-content-map", { operationId: "searchPageContentMap" }),
  ...{ ...get("/search/page-templates"), ...get("/pages/find") },
};

describe("where a document has an operation", () => {
  test.each<[Name, string, object, object]>([
    ["getProduct", "by shape", get("/products/{productId}"), { path: "/products/{productId}" }],
    [
      "getProduct",
      "the id in the query",
      get("/products/read", { parameters: [productId] }),
      inQuery("/products/read"),
    ],
    [
      "getProduct",
      "by operation id, in spite of its path",
      { ...get("/items/{id}", { operationId: "products.get" }), ...get("/products/{id}/reviews") },
      { path: "/items/{productId}" },
    ],
    [
      "getProduct",
      "the shortest of several shapes",
      { ...get("/products/{id}/reviews"), ...get("/products/{id}") },
      { path: "/products/{productId}" },
    ],
    ["deleteProduct", "by shape", { "/products/{id}": { get: {}, delete: {} } }, { path: "/products/{productId}" }],
    [
      "deleteProduct",
      "the id in the query",
      { "/products": { delete: { parameters: [productId] } } },
      inQuery("/products"),
    ],
    [
      "deleteProduct",
      "a POST with the id in its body",
      { "/products/delete": { post: { requestBody: { content: { "application/json": { schema } } } } } },
      { method: "POST", path: "/products/delete", idsIn: { place: "body", names } },
    ],
    ["searchPages", "under search", get("/search/pages"), { path: "/search/pages" }],
    ["searchPages", "under pages", get("/pages/search"), { path: "/pages/search" }],
    ["searchPages", "by operation id", get("/find", { operationId: "search_pages" }), { path: "/find" }],
    ["searchPages", "not the content map, not templates", NOT_THE_SEARCH, { path: "/pages/find" }],
    ["searchTemplates", "under search", get("/search/templates"), { path: "/search/templates" }],
    ["getAccountCounts", "under analytics", get("/analytics/counts"), { path: "/analytics/counts" }],
    ["getAccountCounts", "by id", get("/me/all", { operationId: "getAccountCounts" }), { path: "/me/all" }],
  ])("%s: %s", (name, _, paths, expected) => {
    const components = {
      parameters: { Id: { name: "id", in: "query" } },
      pathItems: { Product: { get: {}, delete: { operationId: "removeProduct" } } },
      schemas: { Body: { properties: { product_id: { type: "string" } } } },
    };
    expect(findOperation(name, documentOf(paths, components), "/v1")).toMatchObject(expected);
  });

  test.each<[Name, object]>([
    ["getProduct", { "/products": { get: {} }, "/search/products": { get: {} }, "/products/{a}/{b}": { get: {} } }],
    ["deleteProduct", { "/pages/{pageId}": { delete: {} }, "/products": { delete: {} } }],
    ["searchPages", { "/pages": { get: {} }, "/pages/{pageId}": { get: {} } }],
    ["searchTemplates", { "/templates": { get: {} } }],
    ["getAccountCounts", { "/me": { get: {} }, "/projects/{id}/stats": { get: {} } }],
  ])("%s: nowhere", (name, paths) => expect(findOperation(name, documentOf(paths), "/v1")).toBeUndefined());

  test("a document of any other shape has none", () => {
    for (const document of [{}, { paths: null }, { paths: { "/a": null, "/b": { get: null } } }, { paths: [] }])
      expect(findOperation("getProduct", document, "")).toBeUndefined();
  });
});

describe("over the wire", () => {
  const server = forAllTests(() => startScriptedServer());

  const route =
    (routes: Record<string, Step>): Step =>
    (request, response) =>
      (routes[`${request.method} ${request.path}`] ?? refusal(404, "route_not_found"))(request, response);

  test("the document is read when it is needed, once for all callers, and the id goes where it says", async () => {
    const document = documentOf({ "/products/read": { get: { parameters: [productId] } } });
    server.script(
      route({
        "GET /openapi.json": json(200, document),
        "GET /products/read?product_id=m1": json(200, product),
        "GET /products": json(200, [product]),
      }),
    );
    const api = server.api();
    await api.products.list();
    expect(server.seen.map(({ path }) => path)).toEqual(["/products"]);
    await Promise.all([api.products.read("m1"), api.products.read("m1"), api.products.read("m1")]);
    await api.products.read("m1");
    const paths = server.seen.map(({ path }) => path);
    expect(paths.filter((path) => path === "/openapi.json")).toHaveLength(1);
    expect(paths.filter((path) => path === "/products/read?product_id=m1")).toHaveLength(4);
    expect(server.seen.find(({ path }) => path === "/openapi.json")?.headers.authorization).toBeUndefined();
  });

  test("tries the obvious path if the document does not list the operation", async () => {
    server.script(route({ "GET /openapi.json": json(200, documentOf({})), "GET /products/m1": json(200, product) }));
    await expect(server.api().products.read("m1")).resolves.toMatchObject(product);
  });

  test.each<[string, Step, Step, string]>([
    ["not listed", json(200, documentOf({})), refusal(404, "not_found"), "does not list it"],
    ["not listed, HTML", json(200, documentOf({})), html(404), "does not list it"],
    ["no document", html(404), refusal(405, "method_not_allowed"), "could not be read"],
  ])("an operation that the service lacks is never taken for a lost object: %s", async (_, document, answer, why) => {
    server.script(route({ "GET /openapi.json": document, "DELETE /products/m1": answer }));
    const error = await failureOf(server.api().products.delete("m1"));
    expect(error).toBeInstanceOf(MissingOperationError);
    expect(error.message).toBe(
      `DELETE /products/m1: the service offers no such operation: its /openapi.json ${why}, and this path is unknown to it. ` +
        "Do this in the app, or ask the service's operator for the operation.",
    );
    expect(error).toMatchObject({ outcome: "refused" });
  });

  test.each([
    ["that names the kind, even at a guessed path", {}, "product_not_found"],
    ["of a listed operation", { "/products/{id}": { get: {} } }, "not_found"],
  ])("an error %s speaks of the object", async (_, paths, code) => {
    const document = json(200, documentOf(paths));
    server.script(route({ "GET /openapi.json": document, "GET /products/m1": refusal(404, code) }));
    await expect(server.api().products.read("m1")).rejects.toThrow(NotFoundError);
  });
});
