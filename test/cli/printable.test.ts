/** Shown texts are safe for a terminal, and a large report that is safe already is not copied. */
import { expect, test } from "vitest";
import { printableValue } from "../../stack/report/printable.ts";

test("what is fit already is the same value, and of another only what holds something unfit is made anew", () => {
  const fit = { name: "offer", fields: [{ path: ["content", "hero.title"], old: null, new: "Mugs 👩‍👩‍👧" }], count: NaN };
  expect(printableValue(fit)).toBe(fit);
  const [shown] = [printableValue({ fit, other: { "a\u001b": ["\u0007"] } })];
  expect(shown).toEqual({ fit, other: { "a␛": ["␇"] } });
  expect(shown.fit).toBe(fit);
});
