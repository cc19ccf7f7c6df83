/**
 * What a run that follows a plan is held against. Of thousands of resources a plan is large, and it would be held as long as the
 * run takes: this is the part of it that is asked for later. Pure.
 */
import { isDeepStrictEqual } from "node:util";
import type { PropertyMap } from "../../engine/index.ts";
import type { PlannedStep } from "../engines/contract.ts";
import type { Planned } from "../report/build.ts";
import type { Change } from "../report/model.ts";
import { decisive, movedUrns, isChanging } from "../report/steps.ts";
import type { Told } from "../report/told.ts";

export interface PlanSummary extends Pick<Planned, "changes" | "counted" | "published"> {
  readonly steps: readonly PlannedStep[];
  /** The URNs of all that is to be touched, also where nobody is told of it. */
  readonly urns: readonly string[];
}

export function summaryOf({ changes, counted, published, told }: Planned): PlanSummary {
  const steps = changes.map(({ urn, op }): PlannedStep => {
    const step = decisive(told.get(urn)?.steps ?? new Map(), op);
    return { urn, op, type: step?.type ?? "", inputs: decidingIn(step?.new?.inputs) };
  });
  return { changes, counted, published, steps, urns: [...told.values()].flatMap(touchedUrns) };
}

/** With the URN that it has had till then: an undo would take what was moved for what the run has made. */
function touchedUrns(told: Told): readonly string[] {
  return movedUrns(told) ?? (isChanging(told) ? [told.urn] : []);
}

/** What an engine asks of them (`PlannedStep`); their texts are the larger part by far. */
function decidingIn({ adoptId, publish, reuse }: PropertyMap = {}): PlannedStep["inputs"] {
  return {
    ...(adoptId !== undefined && { adoptId }),
    ...(publish !== undefined && { publish }),
    ...(reuse !== undefined && { reuse }),
  };
}

/** What came as it was foreseen is kept once. */
export function asForeseen(changes: readonly Change[], foreseen: readonly Change[]): Change[] {
  const fields = new Map(foreseen.map((change) => [change.urn, change.fields]));
  return changes.map((change) => {
    const same = fields.get(change.urn);
    return same !== undefined && isDeepStrictEqual(same, change.fields) ? { ...change, fields: same } : change;
  });
}
