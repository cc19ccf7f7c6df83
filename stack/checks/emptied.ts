/**
 * A plan that deletes what there was, because a file was saved empty or data has no rows. No number tells it from what is meant;
 * whoever means it says so.
 */
import { readFileSync } from "node:fs";
import type { VacantEntry } from "../../manifest/index.ts";
import { programFile } from "../engines/pulumi/order.ts";
import { manifestBeside } from "../lint/beside.ts";
import type { Change, Report } from "../report/model.ts";
import { nameText } from "../report/text.ts";
import { holds, type Check } from "./check.ts";

const HISTORY = "it brings back what a state held, and asks no code";

export const emptied: Check = {
  name: "emptied",
  not: {
    ...{ undo: HISTORY, "undo --preview": HISTORY, "undo --plan": HISTORY },
    ...{ destroy: "that is what it is for", "env down": "that is what it is for" },
    "env up": "what an environment no longer needs may go at once",
    adopt: "nothing is deleted by it",
  },
  run: ({ session, intent }, report) => {
    const { counts, result } = report;
    const mayEmpty = intent.force === true && intent.isWatch !== true;
    // Of targets nobody knows what else is declared.
    if (result !== "succeeded" || mayEmpty || counts.delete + counts.left === 0 || session.options.target.length > 0)
      return {};
    const { manifest, root, program } = session.folder;
    const isBare = intent.isWatch === true || (manifest === undefined && isBlank(programFile(root, program)));
    return holds(
      (isBare ? allGone(report) : undefined) ?? vacated(report, (manifest ?? manifestBeside(root))?.vacant ?? []),
    );
  },
};

/** Nothing but blanks and comments. */
function isBlank(file: string): boolean {
  return /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*$/.test(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
}

function allGone({ counts }: Report): string | undefined {
  const { same, update, mayFollow, create, adopt, replace, left } = counts;
  const gone = counts.delete + left;
  if (same + update + mayFollow + create + adopt + replace > 0) return undefined;
  return [
    `the code declares nothing now, and all that the stack holds (${gone} ${gone === 1 ? "resource" : "resources"}) would go. Nothing was sent.`,
    "If that is what you want: npx landform destroy, or up --force.",
  ].join("\n");
}

/** `vacant`: entries of the code that have no rows. */
function vacated({ changes }: Report, vacant: readonly VacantEntry[]): string | undefined {
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
