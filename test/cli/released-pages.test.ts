/** A plan of thousands of changes doesn't compare each with all others. */
import { expect, test } from "vitest";
import { releasedPages } from "../../stack/checks/also-live.ts";
import type { Told } from "../../stack/report/steps.ts";

function told(index: number): Told {
  const urn = `urn:pulumi:dev::app::pulumi-nodejs:dynamic/landform:Page::page-${index}`;
  const facts = { steps: new Map(), leftovers: new Map(), underWay: new Set<string>(), failed: false, outputs: {} };
  return { urn, id: `page_${index}`, ...facts };
}

test("what no release publishes is asked for once", () => {
  const all = new Map(Array.from({ length: 100 }, (_, index) => told(index)).map((one) => [one.urn, one]));
  let asked = 0;
  const stateOf = (): undefined => {
    asked++;
  };
  expect(releasedPages(all, stateOf)).toEqual([]);
  expect(asked).toBeLessThanOrEqual(all.size);
});
