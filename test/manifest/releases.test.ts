/** Faults in the releases of a manifest are reported before anything is sent. */
import { expect, test } from "vitest";
import { membersOf } from "../../manifest/declare/order.ts";
import { checked, sound } from "./checked.ts";

const around = (releases: string, publish = "publish: { site: main, slug: offer }"): string => `sites: { main: {} }
pages:
  offer:
    ${publish}
  other: {}
funnels: { way: { steps: [{ page: offer, pageType: sales }] } }
${releases}
`;

const told = (releases: string, publish?: string): string[] =>
  checked(around(releases, publish)).diagnostics.map(({ message }) => message);

test("a release of a page with a publication is fine", () =>
  expect(told("releases: { spring: { pages: [{ page: offer }] } }")).toEqual([]));

test("a release of an entry without rows names the entry", () => {
  const code =
    "sites: { main: {} }\npages: { row: { each: [], publish: { site: main } } }\nreleases: { a: { pages: [row] } }\n";
  expect(checked(code).diagnostics.map(({ message }) => message)).toContain(
    "releases.a.pages is empty, because there are no rows of row",
  );
});

test("pages are named by their keys alone", () => {
  expect(told("releases: { spring: { pages: [offer] } }")).toEqual([]);
  const quiz = "quizzes: { match: { publish: { site: main, slug: match } } }";
  const { entries } = sound(around(`releases: { spring: { pages: [offer, match] } }\n${quiz}`));
  expect(entries.flatMap(membersOf)).toEqual(["pages.offer", "quizzes.match"]);
});

test.each([
  ["a key that isn't there", "{ a: { pages: [ofer] } }", /releases\.a\.pages\[0\]: there is no page "ofer".*offer/],
  [
    "a page in two releases",
    "{ a: { pages: [{ page: offer }] }, b: { pages: [{ page: offer }] } }",
    /releases\.b\.pages\[0\]\.page: .*releases\.a/,
  ],
  [
    "a page without a publication",
    "{ a: { pages: [{ page: other }] } }",
    /pages\.other has no publish, and releases\.a publishes it/,
  ],
  [
    "a page of somebody else",
    "{ a: { pages: [{ page: { id: p-1 } }] } }",
    /releases\.a: a release publishes only pages of this manifest/,
  ],
  ["no page", "{ a: { pages: [] } }", /releases\.a\.pages/],
])("%s", (_, releases, message) => expect(told(`releases: ${releases}`).join("\n")).toMatch(message));

test("what the release fills in", () =>
  expect(told("", "publish: { site: main, slug: offer, release: a }").join("\n")).toMatch(
    /the release itself fills in publish\.release/,
  ));
