/** What is wrong with the releases of a manifest is told before anything is sent. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { validate } from "../../manifest/index.ts";

function told(releases: string, publish = "publish: { site: main, slug: offer }"): string[] {
  const folder = mkdtempSync(join(tmpdir(), "landform-releases-"));
  try {
    const file = join(folder, "landform.yaml");
    writeFileSync(
      file,
      `landform: 1\nsites: { main: {} }\npages:\n  offer:\n    ${publish}\n  other: {}\nfunnels: { way: { steps: [{ page: offer, pageType: sales }] } }\n${releases}\n`,
    );
    return validate(file).diagnostics.map(({ message }) => message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a release of a page with a publication is fine", () => {
  expect(told("releases: { spring: { pages: [{ page: offer }] } }")).toEqual([]);
});

test.each([
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
    /releases\.a: a release publishes what this manifest declares/,
  ],
  ["no page", "releases: { a: { pages: [] } }", undefined, /releases\.a\.pages/],
  [
    "a page that isn't there",
    "releases: { a: { pages: [{ page: ofer }] } }",
    undefined,
    /there is no page "ofer".*offer/,
  ],
  [
    "what the release fills in",
    "",
    "publish: { site: main, slug: offer, release: a }",
    /publish\.release is filled in by the release itself/,
  ],
])("%s", (_, releases, publish, message) => {
  expect(told(releases, publish).join("\n")).toMatch(message);
});
