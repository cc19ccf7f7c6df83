// @module-tag repeated
/**
 * Kills a run at each boundary of each call that changes something: before it is sent, after the commit, and between answer and record. The next run
 * has only the state and the ledger beside it.
 */
import { expect, test, vi } from "vitest";
import { whole } from "../suite/parts.ts";
import { killedAt } from "./cell.ts";
import { referenceOf, type Call } from "./desk.ts";
import { scenarios, type Scenario } from "./scenarios.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("./clock.ts")).sleep }));

const seen = new Set<string>();

/** Tells if a cell runs: the quick part kills each call once, in the first scenario that makes it. */
function isChosen({ method, route }: Call): boolean {
  const first = !seen.has(`${method} ${route}`);
  seen.add(`${method} ${route}`);
  return whole || first;
}

test.each(scenarios)("$name", { timeout: 600_000 }, async (scenario) => {
  const reference = await referenceOf(scenario);
  expect(await killedAt(reference, reference.calls.filter(isChosen))).toEqual([]);
  await reference.desk.close();
});

test("a site whose creation was killed is found where lists show it late: no call deletes a second one", async () => {
  const [site] = scenarios.filter(({ name }) => name === "site");
  const reference = await referenceOf(site as Scenario);
  expect(await killedAt(reference, reference.calls.slice(0, 1), { lagMs: 60_000 })).toEqual([]);
  await reference.desk.close();
});
