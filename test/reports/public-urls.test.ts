/** The public address of a page in a release: the old one before it moves, and the new one after its release. */
import { expect, test } from "vitest";
import { publicUrls, type Told } from "../../stack/report/steps.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { registry, resourceType } from "../../provider/kinds/registry.ts";

const PAGE = `urn:pulumi:dev::shop::${resourceType(registry.page)}::page`;

const told = (urn: string, id: string, outputs: PropertyMap): [string, Told] => [
  urn,
  { urn, id, outputs, steps: new Map(), leftovers: new Map(), underWay: new Set(), failed: false },
];
const page = (outputs: PropertyMap): [string, Told] =>
  told(PAGE, "p-1", { status: "published", slug: "thanks", __draft: "{}", ...outputs });
const release = (urls: PropertyMap): [string, Told] => told("release", "r-1", { urls });
const at = (slug: string): string => `https://shop.example/${slug}`;

const found = (...all: [string, Told][]): string | undefined => publicUrls(new Map(all)).get(PAGE);

test("by its own state, or by its release where that is ahead of it", () => {
  expect(found(page({ url: at("thanks") }))).toBe(at("thanks"));
  expect(found(page({ status: "draft", url: at("thanks") }))).toBeUndefined();
  expect(found(page({ status: "draft", slug: null, url: at("thanks") }), release({ "p-1": at("thanks") }))).toBe(
    at("thanks"),
  );
  expect(found(page({ url: at("thanks-2") }), release({ "p-1": at("thanks-2") }))).toBe(at("thanks-2"));
});

test("a page that waits to move is where it was, or nobody knows", () => {
  expect(found(page({ url: at("thanks-2") }), release({ "p-1": at("thanks") }))).toBe(at("thanks"));
  expect(found(page({ url: at("thanks-2") }), release({}))).toBeUndefined();
  // For a page without a release, the state has it as it is.
  const alone: PropertyMap = { status: "published", slug: "other", url: at("thanks") };
  expect(found(told(PAGE, "p-1", alone))).toBe(at("thanks"));
});

test("spelling makes no move, nor does the root", () => {
  expect(found(page({ slug: "/Dankesch\u00f6n/", url: at("dankesch%C3%B6n") }))).toBe(at("dankesch%C3%B6n"));
  expect(found(page({ slug: "", url: "https://shop.example/" }))).toBe("https://shop.example/");
  expect(found(page({ slug: "100%", url: at("100%") }))).toBe(at("100%"));
});
