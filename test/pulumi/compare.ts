import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmbeddedEngine } from "./embedded.ts";
import { observeScenario, type Observation, type Outcome } from "./observe.ts";
import { asked, sampled } from "../suite/parts.ts";
import { pulumiPath, RealEngine } from "./real.ts";
import type { Scenario, Step } from "./scenario.ts";

/** Up to ten operations, each a second or two on an idle machine. */
const timeout = 300_000;

const title = (step: Step, position: number): string => `step ${position + 1} (${step.kind ?? "up"})`;

/** Checks facts about the real engine, so that two engines can't agree on a mistake of the scenario. */
function checkSteps(engine: string, { steps }: Scenario, outcomes: Outcome[]): void {
  for (const [position, outcome] of outcomes.entries()) {
    const step = steps[position] ?? {};
    const where = `${engine}, ${title(step, position)}\n${outcome.output}`;
    expect(outcome.result, where).toBe(step.fails ? "failed" : "succeeded");
    expect(outcome.leftToDo, `${where}\nthe next preview must plan nothing`).toEqual([]);
    expect(outcome.misplaced, `${where}\nthe order of resources in the state`).toEqual([]);
  }
}

function withoutOutput(outcome: Outcome | undefined): Observation {
  if (!outcome) throw new Error("the step was not observed");
  const { output: _, ...observation } = outcome;
  return observation;
}

/**
 * Declares one test per scenario: the same steps must look alike on the real engine and on the embedded one. `quick`: the number of scenarios in the
 * quick part. CI runs every eighth one, and the run before a release all of them, with a preview by the real engine after each step.
 */
export function compareScenarios(group: string, all: Scenario[], { quick = 0 } = {}): void {
  const chosen = sampled(all, quick, Math.ceil(all.length / 8));
  describe.skipIf(!pulumiPath)(group, { tags: ["thorough"] }, () => {
    let real: RealEngine;
    const embedded = new EmbeddedEngine();

    beforeAll(() => {
      // Node's compiling of the SDK takes half of an operation's time, in two new processes each.
      process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "landform-compile-cache");
      real = new RealEngine();
    });

    afterAll(async () => {
      await real.close();
      await embedded.close();
    });

    for (const { name } of chosen.leave) test.skip(name);
    test.each(chosen.run)("$name", { timeout }, async (scenario) => {
      const wanted = await observeScenario(real, scenario, { previewAgain: asked === "soak" });
      checkSteps(real.name, scenario, wanted);
      const got = await observeScenario(embedded, scenario);
      scenario.steps.forEach((step, position) => {
        const where = `${title(step, position)}\n${got[position]?.output ?? ""}`;
        expect.soft(withoutOutput(got[position]), where).toEqual(withoutOutput(wanted[position]));
      });
    });
  });
}
