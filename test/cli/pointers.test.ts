/** The texts that point to an address, as a visitor would follow them. */
import { describe, expect, test } from "vitest";
import { lookedTexts } from "../../story/sections.ts";
import { addressOf, pointerIn } from "../../stack/mentions/leaving.ts";

const points = (text: string, url = "https://a.example/offer", sameSite = false): boolean => {
  const address = addressOf(url, ["a.example", "a.builder.example"]);
  return address !== undefined && pointerIn(text, address, { sameSite }) !== undefined;
};

describe("a whole URL", () => {
  test.each([
    "https://a.example/offer",
    "http://A.example/Offer/",
    "//a.example/offer?x=1",
    "https://a.builder.example/offer#top",
    'Go <a href="https://a.example/offer">there</a>',
    "See https://a.example/offer.",
    "(https://a.example/offer), and more",
    "[here](https://a.example/offer)",
    String.raw`{"href":"https:\/\/a.example\/offer"}`,
  ])("%s", (text) => {
    expect(points(text)).toBe(true);
  });

  test.each([
    "https://a.example/offers",
    "https://a.example/offer-2",
    "https://a.example/offer/more",
    "https://a.example/offer.html",
    "https://b.example/offer",
    "https://xa.example/offer",
    "https://a.example/",
    "/offer",
    "our offer",
  ])("not %s", (text) => {
    expect(points(text)).toBe(false);
  });
});

describe("a path on a page of the same site", () => {
  test.each([
    "/offer",
    " /offer/ ",
    "/offer?x=1",
    "/offer#top",
    '<a href="/offer">',
    "<a href=/offer>",
    "[here](/offer)",
  ])("%s", (text) => {
    expect(points(text, undefined, true)).toBe(true);
  });

  test.each(["and/or /offer or so", "/offers", "/x/offer", "offer"])("not %s", (text) => {
    expect(points(text, undefined, true)).toBe(false);
  });
});

test("that nothing points there is said only where all of it was looked at", () => {
  const leaving = [{ urn: "u", type: "Page", name: "offer", mentions: [] }];
  const look = { what: "pages", read: 3, left: 0 };
  expect(lookedTexts({ leaving, looked: [look] })).toEqual(["No links found. Landform looked at 3 pages"]);
  for (const part of [{ left: 2 }, { failed: "no" }, { perhapsMore: true as const }]) {
    const told = lookedTexts({ leaving, looked: [{ ...look, ...part }] });
    expect(told.join()).toContain("No links found so far");
    expect(told).toHaveLength(2);
  }
});
