/** The addresses that mean the requested slug in a service's own spelling, and those that mean another one. */
import { expect, test } from "vitest";
import { isShownAt } from "../../provider/account/page-answers.ts";

test.each([
  ["offer", "offer"],
  ["Offer", "/offer/"],
  ["", "/"],
  ["caf\u00e9", "cafe\u0301"],
  ["caf\u00e9", "caf%C3%A9"],
  ["über-uns", "ueber-uns"],
  ["100%", "100%"],
  ["offer", null],
])("%j shown as %j is itself", (asked, slug) => expect(isShownAt(asked, { slug, url: null })).toBe(true));

test.each([
  ["offer", "offer-2"],
  ["offer-2", "offer-2-1"],
  ["", "page-2"],
  ["über-uns", "ueber-uns-2"],
  ["offer", "deal"],
  ["offer", ""],
])("%j shown as %j is another one", (asked, slug) => expect(isShownAt(asked, { slug, url: null })).toBe(false));

test("the public address decides if the service shows the slug in another form", () =>
  expect(isShownAt("offer", { slug: "pages/offer", url: "https://spring.example/offer" })).toBe(true));
