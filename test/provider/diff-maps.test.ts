/** Maps that are compared key by key: a map with fewer keys, and the keys to send. */
import { describe, expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { changedKeys, diffOf, isLess } from "../../provider/reconcile/diff.ts";
import { made, rules, thing } from "./diff-thing.ts";

describe("of a map that is compared key by key", () => {
  test.each<[string, JsonMap, JsonMap, boolean]>([
    ["the same", { a: 1 }, { a: 1 }, false],
    ["a key less", { a: 1, b: 2 }, { a: 1 }, false],
    ["another value", { a: 1, b: 2 }, { a: 3 }, true],
    ["a key more", { a: 1 }, { a: 1, b: 2 }, true],
    ["none left", { a: 1 }, {}, false],
  ])("%s", (_, then, now, expected) => {
    const { changes } = diffOf(thing, made({ keyed: then }), { keyed: now });
    expect(changes).toBe(expected);
    expect(diffOf(thing, made({ plain: then }), { plain: now }).changes).toBe(
      JSON.stringify(then) !== JSON.stringify(now),
    );
  });

  const rule = rules["patched"] ?? {};
  test.each<[string, JsonMap, JsonMap, boolean]>([
    ["a patch of a part less", { a: { misc: { x: 1 }, style: { y: 1 } } }, { a: { misc: { x: 1 } } }, true],
    ["a patch of a property less", { a: { misc: { x: 1, y: 2 } } }, { a: { misc: { x: 1 } } }, true],
    ["a patch with another value", { a: { misc: { x: 1, y: 2 } } }, { a: { misc: { x: 2 } } }, false],
    ["a patch with a property more", { a: { misc: { x: 1 } } }, { a: { misc: { x: 1, y: 2 } } }, false],
    ["a property that is new and nothing", { a: { misc: { x: 1 } } }, { a: { misc: { toString: null } } }, false],
    ["a patch with a part more", { a: { misc: { x: 1 } } }, { a: { misc: { x: 1 }, style: {} } }, false],
    ["a part that is no map, as it was", { a: { hint: "h", misc: { x: 1 } } }, { a: { hint: "h" } }, true],
    ["a part that is no map, otherwise", { a: { hint: "h", misc: { x: 1 } } }, { a: { hint: "i" } }, false],
    ["a part that became no map", { a: { misc: { x: 1 }, style: {} } }, { a: { misc: "x" } }, false],
    ["a part that was no map", { a: { misc: "x", style: {} } }, { a: { misc: { x: 1 } } }, false],
    ["what is not merged", { a: { misc: { x: 1 } } }, { a: "whole" }, false],
    ["what was no map", { a: "whole" }, { a: { misc: {} } }, false],
    ["a key more", { a: {} }, { a: {}, b: {} }, false],
    [
      "one that names less, one that names more",
      { a: { m: { x: 1, y: 1 } }, b: {} },
      { a: { m: { x: 1 } }, b: { m: {} } },
      false,
    ],
  ])("a merged value: %s", (_, then, now, expected) => {
    expect(isLess(rule, then, now)).toBe(expected);
    // A field that isn't merged is a change whenever it differs.
    expect(isLess({ perKey: true }, then, now)).toBe(false);
  });

  test("the same value again is nothing less, and neither is what is no map", () => {
    expect(isLess(rule, { a: 1 }, { a: 1 })).toBe(false);
    expect(isLess(rule, [1], [])).toBe(false);
    expect(isLess(rule, { a: 1 }, [])).toBe(false);
    expect(isLess(rule, "a", {})).toBe(false);
    expect(isLess({}, { a: 1 }, {})).toBe(false);
  });

  test("the keys that have to be sent", () => {
    expect(changedKeys({ a: 1, b: 2 }, { a: 1, b: 3, c: 4 })).toEqual({ b: 3, c: 4 });
    expect(changedKeys(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(changedKeys("a", { length: 1 })).toEqual({ length: 1 });
    expect(changedKeys({ a: 1 }, undefined)).toEqual({});
    expect(changedKeys({ a: 1 }, ["b"])).toEqual({});
  });
});
