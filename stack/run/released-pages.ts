/** Pages that nothing of a plan writes to, and that their release publishes all the same: it was held back, or has failed. */
import type { JsonMap } from "../../provider/values/json.ts";
import { operationOf } from "../report/steps.ts";
import type { Told } from "../report/told.ts";
import { duePages, type IsDue } from "./due-pages.ts";

/** `stateOf`: outputs by URN, as the state has them. */
export function releasedPages(
  told: ReadonlyMap<string, Told>,
  stateOf: (urn: string) => JsonMap | undefined,
): readonly Told[] {
  const all = [...told.values()];
  const standing = all.filter(({ id, steps }) => id !== "" && operationOf(steps) === undefined);
  return all.flatMap((release) => {
    const due = dueBy(release, stateOf);
    // Of thousands of resources nearly all are no release, and none has to look at all the others.
    return due === undefined ? [] : standing.filter(({ urn, id }) => due(id, stateOf(urn)));
  });
}

function dueBy({ urn, id, steps }: Told, stateOf: (urn: string) => JsonMap | undefined): IsDue | undefined {
  const step = [...steps.values()].find((one) => one.new !== undefined);
  const outputs = stateOf(step?.old?.urn ?? urn);
  if (step === undefined || outputs === undefined || operationOf(steps) === undefined) return undefined;
  return duePages({ type: step.type, id, inputs: step.new?.inputs ?? {}, outputs });
}
