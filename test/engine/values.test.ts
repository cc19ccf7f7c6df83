import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detailedDiff } from "../../engine/model/difference.ts";
import { formatPath, parsePath, pathContains, resetPaths } from "../../engine/model/paths.ts";
import { type Json, type PropertyMap, SECRET_SIG, SIG_KEY, UNKNOWN } from "../../engine/model/types.ts";
import {
  annotateSecrets,
  containsSecret,
  equal,
  forProvider,
  makeSecret,
  mask,
  maskMap,
  reveal,
} from "../../engine/model/values.ts";
import { Targets } from "../../engine/plan/targets.ts";

/** Pulumi's property paths have no form for a key that ends in a backslash. */
const key = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => !text.startsWith("__") && !text.endsWith("\\"));
const leaf: fc.Arbitrary<Json> = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    tie("value").map(makeSecret),
  ),
}));
const map: fc.Arbitrary<PropertyMap> = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true });

describe("property values", () => {
  test("what holds no secret is shown as it is, and not copied", () => {
    const content = { title: "One", list: ["a", { b: 1 }] };
    const shown = maskMap({ content, token: makeSecret("s") });
    expect(shown["content"]).toBe(content);
    expect(maskMap(content)).toBe(content);
    expect(JSON.stringify(shown)).not.toContain('"s"');
    expect(forProvider({ content, gone: UNKNOWN }, { keepUnknowns: false })).toEqual({ content });
  });

  test.each(["toString", "constructor", "hasOwnProperty"])("a key that every object inherits is a key: %s", (name) => {
    expect(equal({ a: {} }, { a: { [name]: "x" } })).toBe(false);
    expect(equal({ a: { [name]: "x" } }, { a: {} })).toBe(false);
    expect(detailedDiff({ a: {} }, { a: { [name]: "x" } }, { inputDiff: true })).toEqual({
      [`a.${name}`]: { diffKind: "add", inputDiff: true, new: "x" },
    });
  });

  test("what a provider is sent holds no secret mark, and the same values", () =>
    fc.assert(
      fc.property(map, (sent) => {
        const plain = forProvider(sent, { keepUnknowns: true });
        expect(containsSecret(plain)).toBe(false);
        expect(plain).toEqual(reveal(sent));
      }),
    ));

  test("what is masked holds no secret value", () =>
    fc.assert(
      fc.property(map, (sent) => {
        const hidden = JSON.stringify(mask({ ...sent, key: makeSecret("very secret") }));
        expect(hidden).not.toContain("very secret");
        expect(mask(JSON.parse(hidden) as Json)).toEqual(JSON.parse(hidden));
      }),
    ));

  test("an echoed value comes back marked wherever a secret went out", () =>
    fc.assert(
      fc.property(map, (sent) => {
        const marked = annotateSecrets(forProvider(sent, { keepUnknowns: false }), sent);
        for (const [name, original] of Object.entries(sent))
          if (containsSecret(original)) expect(containsSecret(marked[name] ?? null)).toBe(true);
          else expect(marked[name]).toEqual(original);
      }),
    ));

  test("unknowns are kept only where the provider is asked what would be", () => {
    const sent = { a: UNKNOWN, b: { c: [1, UNKNOWN] } };
    expect(forProvider(sent, { keepUnknowns: true })).toEqual(sent);
    expect(forProvider(sent, { keepUnknowns: false })).toEqual({ b: { c: [1] } });
  });

  test("equality is an equivalence in which null is nothing", () => {
    fc.assert(
      fc.property(map, map, (a, b) => {
        expect(equal(a, structuredClone(a))).toBe(true);
        expect(equal(a, b)).toBe(equal(b, a));
        expect(equal({ ...a, nothing: null }, a)).toBe(true);
        expect(equal(a, { ...a, more: 1 })).toBe(false);
      }),
    );
    expect(equal({ [SIG_KEY]: SECRET_SIG, value: 1 }, 1)).toBe(false);
  });
});

describe("the detailed diff", () => {
  test("is empty only for equal maps, and adds become deletes if the maps change places", () =>
    fc.assert(
      fc.property(map, map, (a, b) => {
        const there = detailedDiff(a, b, { inputDiff: true });
        const back = detailedDiff(b, a, { inputDiff: true });
        expect(Object.keys(there).length === 0).toBe(equal(a, b));
        expect(Object.keys(back).sort()).toEqual(Object.keys(there).sort());
        const opposite = { add: "delete", delete: "add", update: "update" } as Record<string, string>;
        for (const [path, change] of Object.entries(there))
          expect(back[path]?.diffKind).toBe(opposite[change.diffKind]);
      }),
    ));

  test("goes down to the leaves, stops at secrets and says what replaces", () => {
    const olds = { tags: { a: 1, b: 2 }, list: ["x", "y"], key: makeSecret("old"), __provider: "1" };
    const news = { tags: { a: 1, b: 3 }, list: ["x"], key: makeSecret("new"), __provider: "2", kind: "k" };
    expect(detailedDiff(olds, news, { inputDiff: true, replaceKeys: ["kind"] })).toEqual({
      "tags.b": { diffKind: "update", inputDiff: true, old: 2, new: 3 },
      "list[1]": { diffKind: "delete", inputDiff: true, old: "y" },
      key: { diffKind: "update", inputDiff: true, old: "[secret]", new: "[secret]" },
      kind: { diffKind: "add-replace", inputDiff: true, new: "k" },
    });
  });
});

describe("property paths", () => {
  const name = key.filter((text) => text !== "*");

  test("are parsed as they are written", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(name, fc.nat(9)), { minLength: 1 }), (path) => {
        fc.pre(typeof path[0] === "string");
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
    expect(pathContains(["a", "*"], ["a", "b", "c"])).toBe(true);
    expect(pathContains(["a", "b"], ["a"])).toBe(false);
  });

  // Each answer is that of Pulumi 3.274.1 to `pulumi config set --path`.
  test.each<[string, (string | number)[] | undefined]>([
    ["a..b", ["a", "b"]],
    ["a[0]b", ["a", 0, "b"]],
    ['a["x"]y', ["a", "x", "y"]],
    ["a[*]", ["a", "*"]],
    ["a[+1][00]", ["a", 1, 0]],
    ["a]b", ["a]b"]],
    ['["q\\"x"].b', ['q"x', "b"]],
    ['["q\\\\x"].b', ["q\\\\x", "b"]],
    ['["q\\n"]', ["q\\n"]],
    ...[".a", "..a", "a.", "a.[0]", "a..[0]", 'a.["x"]', "a[-1]", "a[", "a[]", "a[x]", '["a]', '["a\\"]', 'a["x"'].map(
      (text): [string, undefined] => [text, undefined],
    ),
  ])("%s is read as Pulumi reads it", (text, path) => expect(parsePath(text, true)).toEqual(path));

  test("a dot before a bracket is no error in a resource's options, as in Pulumi", () =>
    expect(parsePath('a.["x"]..[0]')).toEqual(["a", "x", 0]));

  test("ignoring every key gives the old inputs back", () =>
    fc.assert(
      fc.property(map, map, (olds, news) => {
        const paths = [...new Set([...Object.keys(olds), ...Object.keys(news)])].map((name) => formatPath([name]));
        expect(resetPaths(olds, news, paths)).toEqual({ inputs: olds, impossible: [] });
        expect(resetPaths(olds, news, ["*"]).inputs).toEqual(olds);
      }),
    ));

  test("an ignored key of what wasn't there before is taken out", () => {
    expect(resetPaths({}, { a: { b: 1, c: 2 } }, ["a.b"])).toEqual({ inputs: { a: { c: 2 } }, impossible: [] });
    expect(resetPaths({ a: { b: 1 } }, {}, ["a.b"])).toEqual({ inputs: {}, impossible: ["a.b"] });
    expect(resetPaths({}, { a: [1] }, ["a[0]"])).toEqual({ inputs: { a: [1] }, impossible: ["a[0]"] });
  });

  test("a value taken out of a secret stays secret", () => {
    const { inputs } = resetPaths({ a: makeSecret({ b: 1 }) }, { a: { b: 2 } }, ["a.b"]);
    expect(inputs).toEqual({ a: { b: makeSecret(1) } });
  });
});

test("targets are URNs or patterns", () => {
  const of = (place: string): string => `urn:pulumi:dev::demo::${place}`;
  const targets = new Targets([of("toy:Thing::a"), "**::b", of("*::c")]);
  const asked = ["toy:Thing::a", "x:Y$toy:Thing::b", "x:Y::c", "xY::c"];
  expect(asked.map((place) => targets.has(of(place)))).toEqual([true, true, false, true]);
  expect(new Targets().has("anything")).toBe(true);
});
