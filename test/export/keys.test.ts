import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignKeys, slug } from "../../manifest/write/files.ts";

describe("keys", () => {
  test("any name gives a key that needs no quotes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(slug(name, "page")).toMatch(/^[a-z](?:[a-z0-9-]*[a-z0-9])?$/);
      }),
    );
  });

  test("keys depend on the age of the objects, not on the order of the list, and known ones stay", () => {
    const objects = ["2", "1", "3"].map((id) => ({ id, name: "Offer", createdAt: `2026-01-0${id}` }));
    const fresh = new Map([
      ["1", "offer"],
      ["2", "offer-2"],
      ["3", "offer-3"],
    ]);
    expect(new Map([...assignKeys(objects, "page", new Map())].sort())).toEqual(fresh);
    expect(new Map([...assignKeys(objects.toReversed(), "page", new Map())].sort())).toEqual(fresh);
    const known = new Map([["3", "offer"]]);
    expect(assignKeys(objects, "page", known).get("3")).toBe("offer");
    expect(new Set(assignKeys(objects, "page", known).values())).toEqual(new Set(["offer", "offer-2", "offer-3"]));
  });
});
