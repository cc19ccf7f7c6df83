/** The limit for what one run may delete or replace. Pure. */
import type { Limit } from "../options.ts";
import type { Report } from "../report/model.ts";
import { holds, type Check } from "./check.ts";

export const safety: Check = {
  name: "safety",
  not: {
    "env up": "what an environment no longer needs may go at once",
    "env down": "to take an environment down is to delete all of it, and that was asked for",
    adopt: "nothing is deleted by it",
  },
  run: ({ intent }, report) => {
    if (report.result !== "succeeded") return {};
    // To destroy is to delete everything, so only a limit that was asked for counts there.
    if (intent.kind === "destroy" && intent.maxDeletes === undefined) return {};
    return holds(refusal(report, intent));
  },
};

export const DEFAULT_PERCENT = 30;
/** A share says nothing about a handful of resources. */
export const SMALL_STACK = 10;

export function parseLimit(text: string): Limit | undefined {
  const found = /^(\d+)(%?)$/.exec(text.trim());
  return found ? { amount: Number(found[1]), percent: found[2] === "%" } : undefined;
}

export interface SafetyChoice {
  maxDeletes?: Limit;
  force?: true;
}

/** Why the plan may not be applied, with the numbers and the remedy; undefined where it may. */
export function refusal(report: Report, { maxDeletes, force }: SafetyChoice): string | undefined {
  if (force === true) return undefined;
  const { counts } = report;
  const maybe = report.changes.filter((change) => change.reason?.code === "perhaps replaced").length;
  const deleted = counts.delete + counts.left;
  const gone = deleted + counts.replace + maybe;
  const existing = counts.same + counts.update + counts.mayFollow + deleted + counts.replace;
  if (maxDeletes === undefined && existing < SMALL_STACK) return undefined;
  const { amount, percent } = maxDeletes ?? { amount: DEFAULT_PERCENT, percent: true };
  const exceeded = percent ? gone * 100 > amount * existing : gone > amount;
  if (!exceeded) return undefined;
  const exact = (gone * 100) / Math.max(existing, 1);
  // What is refused may not read like what is allowed.
  const share = percent && Math.round(exact) <= amount ? Math.ceil(exact * 10) / 10 : Math.round(exact);
  return [
    `this would delete ${counts.delete}${counts.left === 0 ? "" : `, leave ${counts.left} behind`} and replace ${counts.replace}${maybe === 0 ? "" : `, perhaps ${counts.replace + maybe},`} of ${existing} resources (${share} %); the limit is ${amount}${percent ? " %" : ""}. Nothing was sent.`,
    `If that is what you want, allow it with --max-deletes ${gone} (or --force).`,
  ].join("\n");
}
