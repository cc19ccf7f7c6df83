/** Two maps keep their common values once, and nothing else about them changes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sharing } from "../../engine/model/values.ts";
import type { PropertyMap } from "../../engine/index.ts";

const json = fc.jsonValue({ maxDepth: 3 });
const maps = fc.dictionary(fc.string({ maxLength: 2 }), json) as fc.Arbitrary<PropertyMap>;

test("whatever it is shared with, it is what it was, in its order", () => {
  fc.assert(
    fc.property(maps, maps, (map, other) => {
      for (const one of [other, { ...other, ...map }, { ...map, ...other }, structuredClone(map)])
        expect(JSON.stringify(sharing(map, one))).toBe(JSON.stringify(map));
    }),
  );
});

test("what is equal is the other's own", () => {
  const content = { title: "Mugs", more: ["a", { b: 1 }] };
  const other: PropertyMap = { name: "offer", content };
  expect(sharing(structuredClone(other), other)).toBe(other);
  const shared = sharing({ ...structuredClone(other), id: "page_1" }, other);
  expect(shared["content"]).toBe(content);
  const changed = sharing({ content: { title: "Cups", more: ["a", { b: 1 }] } }, other);
  expect(changed).toEqual({ content: { title: "Cups", more: ["a", { b: 1 }] } });
  expect((changed["content"] as PropertyMap)["more"]).toBe(content.more);
});
