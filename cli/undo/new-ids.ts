/** What an undo has made anew, by the id that it has now: the one that the source is told must not be gone. Pure. */
import type { Json } from "../../engine/index.ts";
import { isMap } from "../../provider/json.ts";
import type { StateResource } from "../engines/recorded.ts";
import type { SettledStep } from "./undo-plan.ts";

/** `records`: the state as the undo left it. */
export function withNewIds(
  steps: readonly SettledStep[],
  records: readonly Pick<StateResource, "urn" | "id">[],
): SettledStep[] {
  const now = new Map(records.map(({ urn, id }) => [urn, id]));
  const renewed = new Map(steps.flatMap((step) => idsOf(step, now.get(step.target?.urn ?? ""))));
  const asNow = (value: Json): Json => {
    if (typeof value === "string") return renewed.get(value) ?? value;
    if (Array.isArray(value)) return value.map(asNow);
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asNow(item)]));
  };
  return steps.map((step) => ({
    ...step,
    due: step.due.map((write) =>
      write.declared === undefined ? write : { ...write, declared: asNow(write.declared) },
    ),
  }));
}

/** Under which others may still know it. */
function idsOf({ before, now, knownAs = [] }: SettledStep, id: string | undefined): [string, string][] {
  if (id === undefined || id === "") return [];
  const known = [before?.id, now?.id, ...knownAs];
  return known.flatMap((old): [string, string][] => (old === undefined || old === "" || old === id ? [] : [[old, id]]));
}
