import { expect, test } from "vitest";
import { stepsComeOf, stepsOf } from "../../provider/kinds/funnels/claim.ts";

test.each([
  ["step objects", { steps: [{ pageId: 1003, pageType: "sales" }] }, [{ pageId: "1003", pageType: "sales" }]],
  ["pages in steps", { steps: [{ page: { id: 1003 }, pageType: "sales" }] }, [{ pageId: "1003", pageType: "sales" }]],
  ["bare ids", { pages: [1003] }, [{ pageId: "1003" }]],
])("%s with ids that are numbers are the steps that were sent", (_, answer, steps) => {
  expect(stepsOf(answer)).toEqual(steps);
  expect(stepsComeOf([{ pageId: "1003", pageType: "sales" }], { steps: stepsOf(answer) })).toBe(true);
});
