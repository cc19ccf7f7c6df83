/**
 * A plan that deletes all that there was, because nothing is declared any more: by a file that was saved empty, or data without
 * rows. No number tells it from what is meant; whoever means it says so.
 */
import type { VacantEntry } from "../../manifest/index.ts";
import { manifestBeside } from "../lint/beside.ts";
import type { Change, Report } from "../report/model.ts";
import { nameText } from "../render/text.ts";
import type { StackSession } from "./session.ts";

/** Why the plan may not be applied, with the remedy; undefined where it may. Of targets nobody knows what else is declared. */
export function emptiedBy({ folder, options }: StackSession, plan: Report): string | undefined {
  if (plan.counts.delete + plan.counts.left === 0 || options.target.length > 0) return undefined;
  return emptied(plan, (folder.manifest ?? manifestBeside(folder.root))?.vacant ?? []);
}

/** Pure. `vacant`: entries of the code that have no rows. */
export function emptied({ counts, changes }: Report, vacant: readonly VacantEntry[]): string | undefined {
  const { same, update, mayFollow, create, adopt, replace, left } = counts;
  const gone = counts.delete + left;
  if (gone > 0 && same + update + mayFollow + create + adopt + replace === 0)
    return [
      `the code declares nothing now, and all that the stack holds (${gone} ${gone === 1 ? "resource" : "resources"}) would go. Nothing was sent.`,
      "If that is what you want: npx landform destroy, or up --force.",
    ].join("\n");
  const lost = vacant.flatMap((entry) => lostOf(entry, changes));
  if (lost.length === 0) return undefined;
  return [`${lost.join("; ")}. Nothing was sent.`, "If that is what you want, allow it with --force."].join("\n");
}

function lostOf({ address, prefix, definition }: VacantEntry, changes: readonly Change[]): string[] {
  const gone = changes.filter(
    ({ op, type, name }) => op === "delete" && type === definition.type && name.startsWith(prefix),
  );
  return gone.length === 0
    ? []
    : [`${address} has no rows now, and all that it had declared would go: ${namesOf(gone)}`];
}

const MOST_NAMES = 5;

function namesOf(changes: readonly Change[]): string {
  const more = changes.length - MOST_NAMES;
  const names = changes.slice(0, MOST_NAMES).map(({ type, name }) => `${type} ${nameText(name)}`);
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
