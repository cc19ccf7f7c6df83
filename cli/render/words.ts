/** The words and signs that all renderers share. */
import type { Change, ChangeOp, Report } from "../report/model.ts";
import type { Styles } from "./style.ts";

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

export const DOING: Record<string, string> = {
  create: "creating",
  adopt: "adopting",
  "create-replacement": "creating anew",
  update: "updating",
  delete: "deleting",
  "delete-replaced": "deleting the old",
  refresh: "reading",
};

export function paint(op: ChangeOp, styles: Styles): (text: string) => string {
  return {
    create: styles.add,
    adopt: styles.add,
    update: styles.change,
    replace: styles.replace,
    delete: styles.remove,
  }[op];
}

/** `2 to create, 1 to update, 3 unchanged`, or what was done, and what was not. */
export function countsText({ counts, changes }: Pick<Report, "counts" | "changes">): string {
  const ended = (status: Change["status"], op?: ChangeOp): number =>
    changes.filter((change) => change.status === status && (op === undefined || change.op === op)).length;
  const planned = ended(undefined) === changes.length;
  const parts = (["create", "adopt", "update", "replace", "delete"] as const)
    .map((op) => ({ op, count: planned ? counts[op] : ended("done", op) }))
    .filter(({ count }) => count > 0)
    .map(({ op, count }) => (planned ? `${count} to ${op}` : `${count} ${DONE[op]}`));
  for (const status of ["failed", "unfinished"] as const) {
    if (ended(status) > 0) parts.push(`${ended(status)} ${status}`);
  }
  if (counts.same > 0) parts.push(`${counts.same} unchanged`);
  return parts.length === 0 ? "no resources" : parts.join(", ");
}

export function hasChanges({ counts }: Pick<Report, "counts">): boolean {
  return counts.create + counts.adopt + counts.update + counts.replace + counts.delete > 0;
}

export function engineText({ engine }: Pick<Report, "engine">): string {
  return engine.name === "embedded" ? `embedded engine ${engine.version}` : `Pulumi ${engine.version}`;
}

export function seconds(milliseconds: number): string {
  const total = milliseconds / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  return `${Math.floor(total / 60)} min ${Math.round(total % 60)} s`;
}

export function titleOf({ type, name }: Pick<Change, "type" | "name">): string {
  return `${type} ${name}`;
}
