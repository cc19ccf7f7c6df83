/** What the provider's host is told of the run's history: where it keeps values, and what an undo puts back. */
import { seal } from "../../provider/history/kept.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import type { RunRequest } from "./types.ts";

export function historyFacts({ record, restore }: RunRequest): Pick<RunFacts, "history" | "restore"> {
  const key = keyOf({ record, restore });
  return {
    ...(record && { history: record.file }),
    ...(restore && key !== undefined && { restore: seal(key, restore.values) }),
  };
}

/** One key a run. */
export function keyOf({ record, restore }: Pick<RunRequest, "record" | "restore">): string | undefined {
  return record?.key ?? restore?.key;
}
