/** Edits after a publication, told by a page's dates only, if this program has not published the page yet. */
import { expect, test } from "vitest";
import { editedSincePublished } from "../../provider/kinds/page/edits/dates.ts";

const AT = "2026-01-01T00:00:00.000Z";

test.each([
  [-100, false],
  [0, false],
  [1_000, false],
  [1_001, true],
])("updated %d ms after it was published: %s", (lag, edited) => {
  const updated_at = new Date(Date.parse(AT) + lag).toISOString();
  expect(editedSincePublished({ status: "published", published_at: AT, updated_at })).toBe(edited);
});
