/** "Did you mean", also with a great many candidates. */
import { expect, test } from "vitest";
import { didYouMean, insteadOf, isSlipOf, nearest } from "../../provider/values/nearest.ts";

test.each([
  ["projetc", ["project", "product", "page"], "project"],
  ["template_id", ["templateId", "tags"], "templateId"],
  ["hero", ["hero.title", "footer"], "hero.title"],
  ["dve", ["dev", "prod"], "dev"],
  ["xyz", ["project"], undefined],
  ["nope", ["home"], undefined],
  ["xx", ["de", "fr"], undefined],
  ["zz", ["a"], undefined],
  ["b", ["a"], undefined],
  ["", [], undefined],
])("%j among %j is %j", (word, candidates, meant) => {
  expect(nearest(word, candidates)[0]).toBe(meant);
});

test("if no word is near, a sentence lists those that exist, up to ten", () => {
  expect(insteadOf("dee", ["de", "fr"], "Languages")).toBe(', did you mean "de"?');
  expect(insteadOf("xx", ["de", "fr"], "Languages")).toBe(". Languages: de, fr.");
  const many = Array.from({ length: 12 }, (_, index) => `page-${index}`);
  expect(insteadOf("zz", many, "Pages")).toMatch(/^\. Pages: page-0, .*page-9 and 2 more\.$/);
  expect(insteadOf("xx", [], "Languages")).toBe(". There is none yet.");
});

test("among thousands the nearest is found, with a bounded number of comparisons", () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `project${index}`);
  expect(nearest("projekt4321", names)).toEqual(["project4321"]);
  let letters = 0;
  const counted = names.map(
    (name) =>
      new Proxy(Object(name) as object, {
        get: (target, key) => {
          if (typeof key === "string" && /^\d+$/.test(key)) letters++;
          const value: unknown = Reflect.get(target, key);
          return typeof value === "function" ? (value as () => unknown).bind(target) : value;
        },
      }) as unknown as string,
  );
  nearest("projekt4321", counted);
  expect(letters).toBeLessThan(names.length * 25);
});

test("words of any length are answered", () => {
  const long = "k".repeat(200_000);
  expect(didYouMean(long, [`${long.slice(1)}x`, "key"])).toBe("");
  expect(didYouMean(long.slice(1), [long])).toBe(`, did you mean "${long}"?`);
});

test.each([
  ["porduction", "production"],
  ["prodution", "production"],
  ["productiion", "production"],
  ["edv", "dev"],
])("%s is a slip of %s", (word, other) => {
  expect(isSlipOf(word, other)).toBe(true);
});

test.each([
  ["dev2", "dev"],
  ["stage1", "stage2"],
  ["prod-eu", "prod-us"],
  ["prod-a", "prod-b"],
  ["shops", "shop"],
  ["dev", "dev"],
  ["prod", "dev"],
  ["b", "a"],
])("%s is a name of its own beside %s", (word, other) => {
  expect(isSlipOf(word, other)).toBe(false);
});
