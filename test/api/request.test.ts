import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PathError } from "../../provider/api/index.ts";
import { operations } from "../../provider/api/operations.ts";
import { buildRequest, type Target } from "../../provider/api/calls.ts";

const readPage: Target = operations.getPage;
const pathOf = (pageId: string): string => buildRequest(readPage, { ids: { pageId } }).path;

describe("ids in paths", () => {
  test.each([
    ["", "is empty"],
    ["..", 'is "..", which names another path'],
    [".", 'is ".", which names another path'],
    ["a\r\nX: y", "holds a control character"],
    ["\ud800", "is no well-formed text"],
  ])("%j is refused", (id, fault) => {
    expect(() => pathOf(id)).toThrow(PathError);
    expect(() => pathOf(id)).toThrow(
      `GET /pages/{pageId}: pageId ${fault}. Nothing was sent. Use ids exactly as the service returned them.`,
    );
  });

  test.each([
    ["a b", "/pages/a%20b"],
    ["a/b", "/pages/a%2Fb"],
    ["../projects/x", "/pages/..%2Fprojects%2Fx"],
    ["a?b#c", "/pages/a%3Fb%23c"],
    ["%2e%2e", "/pages/%252e%252e"],
    ["...", "/pages/..."],
    ["é🎉", "/pages/%C3%A9%F0%9F%8E%89"],
    ["a\\b", "/pages/a%5Cb"],
  ])("%j is escaped", (id, path) => expect(pathOf(id)).toBe(path));

  test("an id is one segment, and comes out as it went in, or is refused", () => {
    const ids = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
    const parts = fc.constantFrom(".", "/", "%", "2e", "\\", "?", "#", ";", "\u0000", " ");
    const nasty = fc.array(parts).map((all) => all.join(""));
    fc.assert(
      fc.property(fc.oneof(ids, nasty), (id) => {
        let path: string;
        try {
          path = pathOf(id);
        } catch (error) {
          expect(error).toBeInstanceOf(PathError);
          return;
        }
        const { pathname } = new URL(`http://host/v1${path}`);
        expect(pathname.split("/").slice(0, 3)).toEqual(["", "v1", "pages"]);
        expect(decodeURIComponent(pathname.split("/")[3] ?? "")).toBe(id);
        expect(pathname.split("/")).toHaveLength(4);
      }),
    );
  });
});

describe("queries and bodies", () => {
  test("values are encoded, undefined ones left out", () => {
    const query = { limit: 5, published: false, site_id: undefined, has_element: "a&b=c d" };
    const encoded = "?limit=5&published=false&has_element=a%26b%3Dc+d";
    const expected = { method: "GET", path: "/pages", query: encoded, body: undefined };
    expect(buildRequest(operations.listPages, { query })).toEqual(expected);
  });

  test("an id that the service takes elsewhere is moved there", () => {
    const place = (place: "query" | "body"): Target => ({
      method: "DELETE",
      path: "/products",
      idsIn: { place, names: { productId: "product_id" } },
    });
    expect(buildRequest(place("query"), { ids: { productId: "a/b" } }).query).toBe("?product_id=a%2Fb");
    expect(buildRequest(place("body"), { ids: { productId: "a/b" } }).body).toBe('{"product_id":"a/b"}');
    expect(() => buildRequest(place("query"), { ids: { productId: "" } })).toThrow(PathError);
  });
});
