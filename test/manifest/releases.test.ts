/** Faults in the releases of a manifest are reported before anything is sent. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { membersOf } from "../../manifest/declare/order.ts";
import { validate } from "../../manifest/index.ts";

function told(releases: string, publish?: string): string[] {
  return read(releases, publish).diagnostics.map(({ message }) => message);
}

function members(releases: string): string[] {
  return (read(releases).manifest?.entries ?? []).flatMap(membersOf);
}

function read(releases: string, publish = "publish: { site: main, slug: offer }"): ReturnType<typeof validate> {
  const folder = mkdtempSync(join(tmpdir(), "landform-releases-"));
  try {
    const file = join(folder, "landform.yaml");
    writeFileSync(
      file,
      `landform: 1\nsites: { main: {} }\npages:\n  offer:\n    ${publish}\n  other: {}\nfunnels: { way: { steps: [{ page: offer, pageType: sales }] } }\n${releases}\n`,
    );
    return validate(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a release of a page with a publication is fine", () => {
  expect(told("releases: { spring: { pages: [{ page: offer }] } }")).toEqual([]);
});

test("pages are named by their keys alone", () => {
  expect(told("releases: { spring: { pages: [offer] } }")).toEqual([]);
  expect(
    members(
      "releases: { spring: { pages: [offer, match] } }\nquizzes: { match: { publish: { site: main, slug: match } } }",
    ),
  ).toEqual(["pages.offer", "quizzes.match"]);
});

test.each([
  [
    "a key that isn't there",
    "releases: { a: { pages: [ofer] } }",
    undefined,
    /releases\.a\.pages\[0\]: there is no page "ofer".*offer/,
  ],
  [
    "a page in two releases",
    "releases: { a: { pages: [{ page: offer }] }, b: { pages: [{ page: offer }] } }",
    undefined,
    /releases\.b\.pages\[0\]\.page: .*releases\.a/,
  ],
  [
    "a page without a publication",
    "releases: { a: { pages: [{ page: other }] } }",
    undefined,
    /pages\.other has no publish, and releases\.a publishes it/,
  ],
  [
    "a page of somebody else",
    "releases: { a: { pages: [{ page: { id: p-1 } }] } }",
    undefined,
    /releases\.a: a release publishes only pages of this manifest/,
  ],
  ["no page", "releases: { a: { pages: [] } }", undefined, /releases\.a\.pages/],
  [
    "what the release fills in",
    "",
    "publish: { site: main, slug: offer, release: a }",
    /the release itself fills in publish\.release/,
  ],
])("%s", (_, releases, publish, message) => {
  expect(told(releases, publish).join("\n")).toMatch(message);
});
