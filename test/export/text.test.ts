import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignKeys, slug } from "../../manifest/export/keys.ts";
import { mergeLines } from "../../manifest/export/patch.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "", "  d"), { maxLength: 12 }).map((list) => list.join("\n"));

describe("merging lines", () => {
  test("what only one side changed is taken from it", () => {
    fc.assert(
      fc.property(lines, lines, (base, changed) => {
        expect(mergeLines(base, changed, base)).toBe(changed);
        expect(mergeLines(base, base, changed)).toBe(changed);
        expect(mergeLines(base, changed, changed)).toBe(changed);
      }),
      { numRuns: 1_000 },
    );
  });

  test("changes at different places are both taken, of two at one place that of the account", () => {
    expect(mergeLines("1\n2\n3\n4\n5", "1 # mine\n2\n3\n4\n5", "1\n2\n3\n4\nfive")).toBe("1 # mine\n2\n3\n4\nfive");
    expect(mergeLines("1\n2\n3", "1\n2 # mine\n3", "1\ntwo\n3")).toBe("1\ntwo\n3");
  });
});

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
