/** Tells how a plan or a run ends, in one line, with its counts. Pure. */
import { counted } from "../../provider/values/wording.ts";
import type { ChangeOp, Counts, Drift, Report, Verb } from "./model.ts";
import { lostAddresses } from "./addresses.ts";
import { FORGOTTEN, HELD, OPS } from "./words.ts";

export function titleOfStory({ command, project, stack, undone, ...report }: Report): string {
  const planned = isPlanned(report);
  return {
    preview: `Preview of ${project}/${stack}`,
    up: `Changes to ${project}/${stack}`,
    refresh: `Refresh of ${project}/${stack}`,
    drift: `Drift of ${project}/${stack}`,
    destroy: planned ? `Plan to destroy ${project}/${stack}` : `Destroyed in ${project}/${stack}`,
    undo: `Undo of ${undone === undefined ? "a run" : `run ${undone.id}`} in ${project}/${stack}`,
  }[command];
}

/** `loses`: a plan that deletes or replaces. `refused`: by a limit or a review. `warn`: drift, or held back. `look`: an environment. */
export type Ending = "plain" | "loses" | "good" | "warn" | "failed" | "refused" | "stopped" | "look" | "gone";

export function endingOf(report: Report): Ending {
  const { result, failures, drift, held = [] } = report;
  if (result === "cancelled") return "stopped";
  const isRefused = failures.some(({ cause }) => cause === "refused" || cause === "stale");
  if (result === "failed") return isRefused ? "refused" : "failed";
  if (drift !== undefined) return drift.length === 0 ? "good" : "warn";
  if (held.length > 0 || isWaiting(report)) return "warn";
  if (!hasChanges(report)) return "good";
  return isPlanned(report) && losesSomething(report) ? "loses" : "plain";
}

function losesSomething({ changes, impact }: Report): boolean {
  const isLost = changes.some(({ op, stays }) => OPS[op].loses === true && stays === undefined);
  return isLost || lostAddresses(impact?.urls).size > 0;
}

export function verdictOf(report: Report): string {
  const { drift, held = [], counts, changes, leftovers, project, stack } = report;
  const totals = totalsText(report);
  const ending = endingOf(report);
  const isIdle = Object.values(counts).every((count) => count === 0) && leftovers === undefined;
  const done = isIdle ? `nothing was done${project === "" ? "" : ` in ${project}/${stack}`}` : totals;
  if (ending === "refused") return `Refused: ${done}`;
  if (ending === "stopped") return `Stopped before its end: ${totals}`;
  if (ending === "failed")
    return `Failed${isPlanned(report) && changes.length > 0 ? ", and the plan is incomplete" : ""}: ${done}`;
  if (drift?.length === 0) return "no drift: the account, the last run and the code agree";
  if (drift !== undefined) return driftedText(drift);
  if (held.length > 0) return `Done, but ${heldCounts(held)}: ${totals}`;
  if (isWaiting(report)) return "Nothing was sent: the undo still waits for edits in the app";
  if (report.undone?.nothingLeft === true) return "nothing to undo";
  if (!hasChanges(report)) return `no changes, ${totals}`;
  return isPlanned(report) ? totals : `Done: ${totals}`;
}

/** Tells if all that is left of an undo is a publication that edits of others hold back. */
export function isWaiting({ undone }: Report): boolean {
  return (undone?.waiting ?? []).length > 0;
}

function heldCounts(held: NonNullable<Report["held"]>): string {
  const values = held.filter(({ noDraft }) => noDraft === true).length;
  const kept = held.filter(({ goes }) => goes === true).length;
  const drafts = held.length - values - kept;
  const counts = [
    ...(kept > 0 ? [`${counted(kept, "page is", "pages are")} not replaced`] : []),
    ...(drafts > 0 ? [`${counted(drafts, "page is", "pages are")} not published`] : []),
    ...(values > 0
      ? [`${counted(values, "resource keeps", "resources keep")} values that somebody set in the app`]
      : []),
  ];
  return counts.join(", and ");
}

function driftedText(drift: readonly Drift[]): string {
  const edited = drift.filter(({ kind }) => kind === "changed" || kind === "gone").length;
  const others = drift.length - edited;
  const counts = [
    ...(edited > 0 ? [counted(edited, "resource has drifted", "resources have drifted")] : []),
    ...(others > 0 ? [counted(others, "resource waits for the next run", "resources wait for the next run")] : []),
  ];
  return counts.join(", ");
}

/** `2 to create, 1 to update, 3 unchanged`, or the counts of a run. */
export function countsText(counts: Counts, planned: boolean, command?: Verb): string {
  const wordOf = (op: ChangeOp): string => (command === "refresh" && op === "delete" ? FORGOTTEN : OPS[op]).done;
  const parts = (["delete", "replace", "create", "adopt", "update"] as const)
    .filter((op) => counts[op] > 0)
    .map((op) => (planned ? `${counts[op]} to ${OPS[op].plan}` : `${counts[op]} ${wordOf(op)}`));
  if (counts.left > 0) parts.push(`${counts.left} ${planned ? "to leave" : "left"} in the account`);
  if (counts.held > 0) parts.push(`${counts.held} ${HELD.done}`);
  for (const [name, words] of OTHERS) if (counts[name] > 0) parts.push(`${counts[name]} ${words}`);
  return parts.length === 0 ? "no resources" : parts.join(", ");
}

const OTHERS: readonly [keyof Counts, string][] = [
  ["mayFollow", "may change as a consequence"],
  ["same", "unchanged"],
  ["failed", "failed"],
  ["unfinished", "unfinished"],
  ["unreached", "not reached"],
];

export function totalsText(report: Pick<Report, "counts" | "changes" | "command" | "leftovers">): string {
  const { counts, leftovers, command } = report;
  const told = countsText(counts, isPlanned(report), command);
  if (leftovers === undefined) return told;
  const left = counted(leftovers.count, "leftover of a killed run", "leftovers of killed runs");
  return `${told}, ${left} ${leftovers.removed ? "removed" : "to remove"}`;
}

export function hasChanges({ counts, leftovers }: Pick<Report, "counts" | "leftovers">): boolean {
  return leftovers !== undefined || Object.entries(counts).some(([name, count]) => name !== "same" && count > 0);
}

export function isPlanned({ changes, counts }: Pick<Report, "changes" | "counts">): boolean {
  return counts.unreached === 0 && changes.every(({ status }) => status === undefined);
}

export function engineText({ engine }: Pick<Report, "engine">): string {
  if (engine.name === "none") return "";
  return engine.name === "embedded" ? `embedded engine ${engine.version}` : `Pulumi ${engine.version}`;
}

export function seconds(milliseconds: number): string {
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  return `${Math.floor(total / 60)} min ${Math.round(total % 60)} s`;
}
