/** The time for which a run looks for objects that lists may show late. */
import { expect, test } from "vitest";
import { DEFAULT_PATIENCE_MS, patienceIn } from "../../provider/account/presence.ts";

test.each([
  [undefined, DEFAULT_PATIENCE_MS],
  ["", DEFAULT_PATIENCE_MS],
  [" ", DEFAULT_PATIENCE_MS],
  ["soon", DEFAULT_PATIENCE_MS],
  ["-1", DEFAULT_PATIENCE_MS],
  ["Infinity", DEFAULT_PATIENCE_MS],
  ["0", 0],
  ["2500", 2_500],
])("%j", (word, ms) => {
  expect(patienceIn({ LANDFORM_PATIENCE_MS: word })).toBe(ms);
});
