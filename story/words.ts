/** The words and signs that all renderers share. */
import type { Change, ChangeOp, Counts, Report } from "../stack/report/model.ts";
import type { Styles } from "./styles.ts";
import { nameText } from "./text.ts";

export const SIGNS: Record<ChangeOp, string> = { create: "+", adopt: "=", update: "~", replace: "±", delete: "-" };

/** For the help of commands that show plans. */
export const LEGEND = `
Signs: + create, = adopt (take over the existing object that adoptId names), ~ update, ± replace, - delete.
In a JSON report they are the "op" of a change and the names of the counts.`;

export const DONE: Record<ChangeOp, string> = {
  create: "created",
  adopt: "adopted",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
};

/** By operation of the engine. */
export const DOING: ReadonlyMap<string, string> = new Map([
  ["create", "creating"],
  ["adopt", "adopting"],
  ["create-replacement", "creating anew"],
  ["update", "updating"],
  ["delete", "deleting"],
  ["delete-replaced", "deleting the old"],
  ["refresh", "reading"],
]);

export function paint(op: ChangeOp, styles: Styles): (text: string) => string {
  return {
    create: styles.add,
    adopt: styles.add,
    update: styles.change,
    replace: styles.replace,
    delete: styles.remove,
  }[op];
}

/** `2 to create, 1 to update, 3 unchanged`, or what was done and what was not. */
export function countsText(counts: Counts, planned: boolean): string {
  const parts = (["create", "adopt", "update", "replace", "delete"] as const)
    .filter((op) => counts[op] > 0)
    .map((op) => (planned ? `${counts[op]} to ${op}` : `${counts[op]} ${DONE[op]}`));
  if (counts.left > 0) parts.push(`${counts.left} ${planned ? "to leave" : "left"} in the account`);
  for (const [name, words] of OTHERS) if (counts[name] > 0) parts.push(`${counts[name]} ${words}`);
  return parts.length === 0 ? "no resources" : parts.join(", ");
}

const OTHERS: readonly [keyof Counts, string][] = [
  ["mayFollow", "may follow"],
  ["same", "unchanged"],
  ["failed", "failed"],
  ["unfinished", "unfinished"],
  ["unreached", "not reached"],
];

/** All that would be done, or was. */
export function totalsText(report: Pick<Report, "counts" | "changes" | "leftovers">): string {
  const { counts, leftovers } = report;
  const told = countsText(counts, isPlanned(report));
  if (leftovers === undefined) return told;
  const { count, removed } = leftovers;
  const what = count === 1 ? "leftover of a killed run" : "leftovers of killed runs";
  return `${told}, ${count} ${what} ${removed ? "removed" : "to remove"}`;
}

export function hasChanges({ counts, leftovers }: Pick<Report, "counts" | "leftovers">): boolean {
  return leftovers !== undefined || Object.entries(counts).some(([name, count]) => name !== "same" && count > 0);
}

export function driftedText(count: number): string {
  return count === 1 ? "1 resource has drifted" : `${count} resources have drifted`;
}

/** Nothing went wrong on the way: a limit or a review forbade it. */
export function isRefused({ failures }: Pick<Report, "failures">): boolean {
  return failures.some(({ cause }) => cause === "refused" || cause === "stale");
}

/** Whether the report is of what would be done. */
export function isPlanned({ changes, counts }: Pick<Report, "changes" | "counts">): boolean {
  return counts.unreached === 0 && changes.every(({ status }) => status === undefined);
}

export function engineText({ engine }: Pick<Report, "engine">): string {
  if (engine.name === "none") return "no engine";
  return engine.name === "embedded" ? `embedded engine ${engine.version}` : `Pulumi ${engine.version}`;
}

export function seconds(milliseconds: number): string {
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  return `${Math.floor(total / 60)} min ${Math.round(total % 60)} s`;
}

const DANGER: readonly ChangeOp[] = ["delete", "replace", "update", "adopt", "create"];

/** What takes an address away from its visitors, if only for a moment. */
export const AT_RISK: ReadonlySet<ChangeOp> = new Set(["delete", "replace"]);

/** What takes something away before what adds; otherwise in their order. */
export function byDanger<Item>(items: readonly Item[], op: (item: Item) => ChangeOp): Item[] {
  return items.toSorted((a, b) => DANGER.indexOf(op(a)) - DANGER.indexOf(op(b)));
}

export function titleOf({ type, name }: Pick<Change, "type" | "name">): string {
  return `${type} ${nameText(name)}`;
}
