/** Tells if a text may be a rendering of another one, for any values. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isRenderedFrom, render } from "../../provider/values/placeholders.ts";

test.each([
  ["{{a}}", "", true],
  ["{{a}} and {{b}}", " and ", true],
  ["x{{a}}x", "x", false],
  ["x{{a}}x", "xx", true],
  ["Made by {{a}}.", "Made by hand", false],
  ["Made by {{a}}.", "made by hand.", false],
  ["{{a}}-{{b}}-{{c}}", "--", true],
  ["{{a}}-{{b}}-{{c}}", "-", false],
  ["a.c{{b}}", "abc", false],
  ["plain", "plain", true],
  ["plain", "plains", false],
])("%j, %j: %j", (text, shown, may) => {
  expect(isRenderedFrom(text, shown)).toBe(may);
});

test("whatever is rendered may be", () => {
  const part = fc.string({ maxLength: 4 }).filter((text) => !/[{}]/.test(text));
  const texts = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("{{v}}"));
  fc.assert(
    fc.property(texts, fc.string(), (text, v) => isRenderedFrom(text, render(text, { v }))),
    { numRuns: 1_000 },
  );
});
