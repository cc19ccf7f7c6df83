/** Edits after a publication, told by a page's dates only, if this program has not published the page yet. */
import { expect, test } from "vitest";
import type { Dates } from "../../provider/kinds/page/document/places.ts";
import {
  editedByComparison,
  editedByItself,
  editedSincePublished,
  ownLag,
} from "../../provider/kinds/page/edits/dates.ts";

const AT = "2026-01-01T00:00:00.000Z";

function pageWith(lagMs: number, id = "one"): Dates {
  return { id, status: "published", published_at: AT, updated_at: new Date(Date.parse(AT) + lagMs).toISOString() };
}

test.each([
  [-100, false],
  [0, false],
  [1, undefined],
  [5_000, undefined],
  [5_001, true],
] as const)("updated %d ms after it was published: %s", (lag, edited) => {
  expect(editedSincePublished(pageWith(lag))).toBe(edited);
});

test.each([
  ["nothing to hold it against", 300, [], undefined],
  ["other pages have a like lag", 300, [200, 210, 190], false],
  ["some pages have a like lag: they were edited, too", 300, [0, 0, 0, 0, 200, 300, 250, 200], true],
  ["publishing moves the date, and somebody edited a second later", 1_000, [40, 35, 38], true],
  ["publishing moves the date, by more or less", 90, [40, 35, 38], false],
  ["publishing leaves no lag here", 300, [0, 0], true],
  ["others were edited long after, which says nothing", 300, [90_000], undefined],
  ["much longer than what publishing leaves", 4_000, [3, 0], true],
  ["half of the others were edited soon after", 300, [0, 400], true],
] as const)("near: %s", (_, lag, others, edited) => {
  const rows = others.map((other, index) => pageWith(other, `other-${index}`));
  expect(editedByComparison(pageWith(lag), [pageWith(lag), ...rows])).toBe(edited);
});

test.each([
  ["a publication of ours has left as much", 300, 280, [0], false],
  ["a publication of ours has left nothing", 300, 0, [280], true],
] as const)("near: %s", (_, lag, own, others, edited) => {
  const rows = others.map((other, index) => pageWith(other, `other-${index}`));
  expect(editedByComparison(pageWith(lag), rows, own)).toBe(edited);
});

test.each([
  [300, false],
  [1_500, true],
])("with nothing to hold %d ms against: %s", (lag, edited) => {
  expect(editedByItself(pageWith(lag))).toBe(edited);
});

test.each([
  [0, 0],
  [40, 40],
  [5_000, 5_000],
  [5_001, undefined],
] as const)("a publication of ours that is %d ms old tells of a lag of %s", (lag, own) => {
  expect(ownLag(pageWith(lag))).toBe(own);
});
