/** What a plan says to an engine that is to carry it out. Pure. */
import type { PlannedStep } from "../engines/types.ts";
import type { Planned } from "../report/build.ts";
import { decisive } from "../report/steps.ts";

export function stepsIn({ changes, told }: Planned): PlannedStep[] {
  return changes.map(({ urn, op }) => {
    const step = decisive(told.get(urn)?.steps ?? new Map(), op);
    return { urn, op, type: step?.type ?? "", inputs: step?.new?.inputs ?? {} };
  });
}
