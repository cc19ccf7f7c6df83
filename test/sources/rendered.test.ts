/** Texts as visitors see them, and back to how they are written. */
import { describe, expect, test } from "vitest";
import { rendered, rewritten } from "../../manifest/index.ts";
import { nearestTexts, rankOf } from "../../stack/sources/matching.ts";

const VARIABLES = { brand: "Acme", year: "2026" };

test("placeholders that have a value are filled in", () => {
  expect(rendered("{{brand}} in {{ year }}, {{other}}", VARIABLES)).toBe("Acme in 2026, {{other}}");
});

describe("other words", () => {
  test.each([
    ["Hello {{brand}}", "Hello", "Bye", "Bye {{brand}}"],
    ["Hello {{brand}}", "Hello Acme", "Bye Acme!", "Bye {{brand}}!"],
    ["{{brand}} and {{brand}}", "Acme and", "Acme or", "{{brand}} or {{brand}}"],
    ["From {{brand}} in {{year}}", "Acme in 2026", "2026 at Acme in 2026", "From 2026 at {{brand}} in {{year}}"],
    ["a.b {{brand}} a.b", "a.b", "$&", "$& {{brand}} $&"],
  ])("%s: %s becomes %s", (text, old, now, expected) => {
    expect(rewritten(text, VARIABLES, old, now)).toMatchObject({ text: expected });
    expect(rendered(expected, VARIABLES)).toBe(rendered(text, VARIABLES).replaceAll(old, () => now));
  });

  test.each([
    ["Hello {{brand}}", "Hello Acme", "Hello World"],
    ["Hello {{brand}}", "lo Ac", "lo Bc"],
  ])("%s: %s can't become %s", (text, old, now) => {
    expect(rewritten(text, VARIABLES, old, now)).toEqual({ blockedBy: "brand" });
  });

  test("nothing where nobody sees it", () => {
    expect(rewritten("Hello {{brand}}", VARIABLES, "World", "x")).toBeUndefined();
  });
});

test("a text is found whatever its case and blanks, and through tags; the exact one is the better", () => {
  expect(rankOf("Hello", "Hello")).toBe(0);
  expect(rankOf("Say Hello", "Hello")).toBe(1);
  expect(rankOf("say\n  hello", "Say Hello")).toBe(2);
  expect(rankOf("say <b>hel</b>lo", "Say hello")).toBe(2);
  expect(rankOf("hell", "hello")).toBeUndefined();
  expect(nearestTexts("the best mug of all", ["a best mug", "nothing", "The mug of all mugs"])).toEqual([
    "The mug of all mugs",
    "a best mug",
  ]);
});
