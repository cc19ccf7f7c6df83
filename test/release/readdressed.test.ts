import { expect, test } from "vitest";
import { readdressed } from "../../provider/kinds/release/member.ts";

const [FROM, TO] = ["https://a.example/offer", "https://b.example/offer"];

test.each([
  [FROM, TO],
  [`See ${FROM}, and ${FROM}?x=1#top.`, `See ${TO}, and ${TO}?x=1#top.`],
  [`${FROM}-2 and ${FROM}/thanks`, `${FROM}-2 and ${FROM}/thanks`],
  [`${FROM}-2 ${FROM}`, `${FROM}-2 ${TO}`],
  ["/offer", "/offer"],
  ["", ""],
])("%s: only a link to this very page gets its new address", (text, expected) => {
  expect(readdressed(text, FROM, TO)).toBe(expected);
});
