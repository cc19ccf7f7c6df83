import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmbeddedEngine } from "./embedded.ts";
import { observeScenario, type Observation, type Outcome } from "./observe.ts";
import { pulumiPath, RealEngine } from "./real.ts";
import type { Scenario, Step } from "./scenario.ts";

/** `npm run test:differential:full`: the real engine's own second previews too, which only prove the scenarios. */
const everything = process.env.LANDFORM_DIFFERENTIAL === "full";

function title(step: Step, position: number): string {
  return `step ${position + 1} (${step.kind ?? "up"})`;
}

/** What must hold on each engine alone, so that two engines can't agree on a mistake of the scenario. */
function checkStep(engine: string, step: Step, position: number, outcome: Outcome): void {
  const where = `${engine}, ${title(step, position)}\n${outcome.output}`;
  expect(outcome.result, where).toBe(step.fails ? "failed" : "succeeded");
  expect(outcome.leftToDo, `${where}\nthe next preview must plan nothing`).toEqual([]);
  expect(outcome.misplaced, `${where}\nthe order of resources in the state`).toEqual([]);
}

function withoutOutput({ output: _, ...observation }: Outcome): Observation {
  return observation;
}

/** Declares one test a scenario: the same steps on the real engine and on the embedded one must be observed alike. */
export function compareScenarios(group: string, scenarios: Scenario[]): void {
  describe.skipIf(!pulumiPath)(group, () => {
    let real: RealEngine;
    const embedded = new EmbeddedEngine();

    beforeAll(() => {
      // Half of an operation's time is Node compiling the SDK, in two fresh processes each.
      process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "landform-compile-cache");
      real = new RealEngine();
    });

    afterAll(async () => {
      await real.close();
      await embedded.close();
    });

    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", async (_, scenario) => {
      const expected = await observeScenario(real, scenario, { previewAgain: everything });
      for (const [position, step] of scenario.steps.entries()) {
        const outcome = expected[position];
        if (outcome) checkStep(real.name, step, position, outcome);
      }
      const actual = await observeScenario(embedded, scenario);
      for (const [position, step] of scenario.steps.entries()) {
        const [wanted, got] = [expected[position], actual[position]];
        if (!wanted || !got) throw new Error(`${title(step, position)} was not observed`);
        expect.soft(withoutOutput(got), `${title(step, position)}\n${got.output}`).toEqual(withoutOutput(wanted));
      }
    });
  });
}
