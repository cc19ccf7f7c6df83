/** The texts that point to an address, as a visitor would follow them. */
import { describe, expect, test } from "vitest";
import { lookedTexts } from "../../story/sections.ts";
import { candidatesIn, pointersIn, addressOf, pointerIn } from "../../stack/mentions/leaving.ts";

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

test.each([
  ["7", ["steps.0.pageId", "duplicateOf"]],
  ["page_7", ["steps.0.pageId", "duplicateOf", "content.hero.count", "content.page.id"]],
])("the id %s, where it can't be anything else", (id, places) => {
  const departure = {
    urn: "",
    type: "Page",
    name: "a",
    id,
    gone: true as const,
    mentions: [],
    siteId: "",
    address: undefined,
  };
  const value = { steps: [{ pageId: id }], duplicateOf: id, content: { "hero.count": id, "page.id": id } };
  const found = pointersIn(candidatesIn(value, new Set([id])), departure, false);
  expect(found.map(({ path }) => path.join("."))).toEqual(places);
});

test("the root of a site", () => {
  const root = "https://a.example/";
  expect(
    ["https://a.example", "https://a.example/", 'x "https://a.example/?utm=1"'].map((text) => points(text, root)),
  ).toEqual([true, true, true]);
  expect(["https://a.example/offer", "https://a.example.org/"].map((text) => points(text, root))).toEqual([
    false,
    false,
  ]);
  expect(["/", 'href="/"', "/offer"].map((text) => points(text, root, true))).toEqual([true, true, false]);
});

test("paths with signs, encoded or not", () => {
  const url = "https://a.example/sch%C3%B6n(1)";
  expect(points("https://a.example/schön(1)", url)).toBe(true);
  expect(points("https://a.example/sch%C3%B6n(1)", url)).toBe(true);
  expect(points("https://a.example/schön1", url)).toBe(false);
});

test("one object of a kind is told as one", () => {
  const looked = ["quizzes", "products"].map((what) => ({ what, read: 1, left: 1 }));
  expect(lookedTexts({ leaving: [], looked })).toEqual([
    "Landform looked at 1 quiz, 1 product",
    "not looked at: the texts of 1 more quiz",
    "not looked at: the texts of 1 more product",
  ]);
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
