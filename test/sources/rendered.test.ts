/** Texts as visitors see them, and texts that match a search. */
import { expect, test } from "vitest";
import { rendered } from "../../manifest/index.ts";
import { nearestTexts, rankOf } from "../../stack/sources/find.ts";

const VARIABLES = { brand: "Acme", year: "2026" };

test("placeholders that have a value are filled in", () => {
  expect(rendered("{{brand}} in {{ year }}, {{other}}", VARIABLES)).toBe("Acme in 2026, {{other}}");
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
