/** Services that have no operation for a thing, or whose /openapi.json names a wrong path for it. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Answered } from "../faults/between.ts";
import { byHand, calls, openBehind, applied } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const world = forEachTest(() => openBehind());

const noRoute: Answered = { status: 404, text: '{"error":"not_found","message":"No such route."}' };
const nginx: Answered = { status: 404, text: "<html>404 nginx</html>", type: "text/html" };

type Paths = Record<string, unknown>;

/** The service doesn't know these paths, and its contract has others in place of one. */
function lacks(paths: RegExp, unknown: Answered, contract: (paths: Paths) => void): void {
  const { between } = world;
  between.instead = ({ path }) => (paths.test(path) ? unknown : undefined);
  between.change = (answered, { path }) => {
    if (path !== "/openapi.json") return answered;
    const json = JSON.parse(answered.text) as { paths: Paths };
    contract(json.paths);
    return { ...answered, text: JSON.stringify(json) };
  };
}

const newProduct = () => applied(world, "product", unique("product"), { price: 5 });

describe("without an operation to read or delete one product", () => {
  beforeEach(() => lacks(/^\/products\/./, noRoute, (paths) => delete paths["/products/{productId}"]));

  test("it is read through the search, and its deletion is a clear error that keeps it", async () => {
    const product = await newProduct();
    await refreshPlansNothing(product, { price: 5 });
    expect(await product.apply({ price: 6 })).toBe("updated");
    await expect(product.delete()).rejects.toThrow(
      `Product ${product.id} can't be deleted: this service has no operation for it (neither in /openapi.json nor at DELETE /products/${product.id}). Delete it in the app and run "npx landform refresh", or take it out of the state with "pulumi state delete".`,
    );
    expect(product.state).toBeDefined();
  });

  thorough("one that the search does not find either is not taken for gone", async () => {
    const product = await newProduct();
    const fault = { method: "GET", path: "/search/products", phase: "status", status: 500, times: Infinity } as const;
    world.emulator.faults.add(fault);
    await expect(product.refresh()).rejects.toThrow(/GET \/search\/products/);
  });
});

/** The contract announces another path for reading and deleting a product. */
function announcesWrongly(unknown: Answered): void {
  lacks(/^\/products\d?\//, unknown, (paths) => {
    delete paths["/products/{productId}"];
    paths["/products0/{productId}"] = { get: { operationId: "getProduct" }, delete: { operationId: "deleteProduct" } };
  });
}

describe.each([
  ["an error of its own", noRoute],
  ["a page of a proxy", nginx],
])("with a wrong path for a product, and unknown routes answered with %s", (_, unknown) => {
  beforeEach(() => announcesWrongly(unknown));

  test("a product is read through the search, which the specification shows", async () => {
    const product = await newProduct();
    const { id } = product;
    await refreshPlansNothing(product, { price: 5 });
    expect(product.id).toBe(id);
  });

  test("one that the search shows is not taken for deleted", async () => {
    const product = await newProduct();
    await expect(product.delete()).rejects.toThrow(/^DELETE \/products0?\//);
    expect(await byHand(world, "GET", `/search/products?product_id=${product.id}`)).toHaveLength(1);
  });
});

test("with a wrong path for a product, one that neither the path nor the search shows is gone", async () => {
  announcesWrongly(noRoute);
  const product = await newProduct();
  await byHand(world, "DELETE", `/products/${product.id}`);
  expect(await product.refresh()).toBe(false);
  expect(calls(world)).toContain("GET /search/products");
});

describe("without a search of pages, the list answers questions about", () => {
  beforeEach(() => lacks(/^\/search\/pages/, noRoute, (paths) => delete paths["/search/pages"]));

  test("exact ids: one 404 forgets no page, and two that agree do", async () => {
    const page = await applied(world, "page", unique("there"), {});
    world.emulator.faults.add({ method: "GET", path: `/pages/${page.id}`, phase: "status", status: 404 });
    expect(await page.refresh()).toBe(true);
    await byHand(world, "DELETE", `/pages/${page.id}`);
    expect(await page.refresh()).toBe(false);
  });
});
