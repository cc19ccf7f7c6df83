/** What an undo has made anew, by the id that it has now: the one that the source is told must not be gone. Pure. */
import type { StateResource } from "../engines/recorded.ts";
import { valueWithRenewedIds, type Renewed } from "./renewed-ids.ts";
import type { SettledStep } from "./undo-plan.ts";

/** `records`: the state as the undo left it. */
export function withNewIds(
  steps: readonly SettledStep[],
  records: readonly Pick<StateResource, "urn" | "id">[],
): SettledStep[] {
  const now = new Map(records.map(({ urn, id }) => [urn, id]));
  const renewed = steps.flatMap((step) => renewedBy(step, now.get(step.target?.urn ?? "")));
  return steps.map((step) => ({
    ...step,
    due: step.due.map((write) => {
      const holder = step.target ?? step.now;
      if (write.declared === undefined || holder === undefined) return write;
      const { field, key } = write.leaf;
      const path = key === undefined ? [field] : [field, key];
      return { ...write, declared: valueWithRenewedIds(holder, path, write.declared, renewed) };
    }),
  }));
}

function renewedBy({ before, now, knownAs = [], target }: SettledStep, id: string | undefined): Renewed[] {
  const { urn, type } = target ?? {};
  if (id === undefined || id === "" || urn === undefined || type === undefined) return [];
  const ids = [before?.id, now?.id, ...knownAs].filter((one) => one !== undefined && one !== "" && one !== id);
  return ids.length === 0 ? [] : [{ urn, type, ids: ids as string[], now: id }];
}
