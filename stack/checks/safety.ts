/** Limits how many resources one run may delete or replace. Pure. */
import { DESTROYS, UNDOES } from "../intents.ts";
import { listed } from "../../provider/values/wording.ts";
import type { SafetyOptions } from "../options.ts";
import type { Report } from "../report/model.ts";
import { type Check, type Held, holds, since } from "./check.ts";
import { readFileSync } from "node:fs";
import type { VacantEntry } from "../../manifest/index.ts";
import { programFile } from "../project/files.ts";
import { manifestBeside } from "../lint/findings.ts";
import { nameText } from "../report/text.ts";

export const safety: Check = {
  name: "safety",
  not: {
    destroy: "it deletes everything, so that only a limit which somebody set counts there",
    "env down": "to take it down is to delete all of it, and that was asked for",
    "env up": "what an environment no longer needs may go at once",
  },
  run: ({ intent, undoing }, report) => {
    if (report.result !== "succeeded") return {};
    // The objects that an undone run had taken over stay in the account.
    return holds(refusal(undoing?.shown(report) ?? report, intent));
  },
};

export const DEFAULT_PERCENT = 30;
/** A percentage says nothing about a few resources. */
export const SMALL_STACK = 10;

/** Returns the reason why the plan may not be applied, with the numbers and the remedy. Returns undefined if it may. */
export function refusal(report: Report, { maxDeletes, force }: SafetyOptions): Held | undefined {
  if (force === true) return undefined;
  const { counts } = report;
  const maybe = report.changes.filter((change) => change.reason?.code === "perhaps replaced").length;
  const deleted = counts.delete + counts.left;
  const gone = deleted + counts.replace + maybe;
  const existing = counts.same + counts.update + counts.held + counts.mayFollow + deleted + counts.replace;
  if (maxDeletes === undefined && existing < SMALL_STACK) return undefined;
  const { amount, percent } = maxDeletes ?? { amount: DEFAULT_PERCENT, percent: true };
  const exceeded = percent ? gone * 100 > amount * existing : gone > amount;
  if (!exceeded) return undefined;
  const exact = (gone * 100) / Math.max(existing, 1);
  // The percentage of a refused plan may not look as if it were within the limit.
  const share = percent && Math.round(exact) <= amount ? Math.ceil(exact * 10) / 10 : Math.round(exact);
  const parts = [
    ...(counts.delete > 0 ? [`deletes ${counts.delete}`] : []),
    ...(counts.left > 0 ? [`leaves behind ${counts.left}`] : []),
    ...(counts.replace + maybe > 0
      ? [`replaces ${counts.replace}${maybe === 0 ? "" : ` (perhaps ${counts.replace + maybe})`}`]
      : []),
  ];
  const [first = "", ...others] = parts;
  // A single number is the total.
  const takes = others.length === 0 && maybe === 0 ? `${first} of` : `${parts.join(" and ")}: ${gone} of`;
  return {
    text: `this plan ${takes} ${existing} resources (${share} %), and the limit is ${amount}${percent ? " %" : ""}`,
    allowed: `--max-deletes ${gone} (or --force)`,
  };
}

export const emptied: Check = {
  name: "emptied",
  not: {
    ...since("it brings back what a state held, and asks no code", ...UNDOES),
    ...since("that is what it is for", ...DESTROYS),
    "env up": "what an environment no longer needs may go at once",
  },
  run: ({ session, intent }, report) => {
    const { counts, result } = report;
    const mayEmpty = intent.force === true && intent.isWatch !== true;
    // With targets, nobody knows what else is declared.
    if (result !== "succeeded" || mayEmpty || counts.delete + counts.left === 0 || session.options.target.length > 0)
      return {};
    const { manifest, root, program } = session.folder;
    const isBare = intent.isWatch === true || (manifest === undefined && isBlank(programFile(root, program)));
    return holds(
      (isBare ? allGone(report) : undefined) ?? vacated(report, (manifest ?? manifestBeside(root))?.vacant ?? []),
    );
  },
};

/** Tells if a file has only blanks and comments. */
function isBlank(file: string): boolean {
  return /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*$/.test(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
}

function allGone({ counts }: Report): Held | undefined {
  const { same, update, held, mayFollow, create, adopt, replace, delete: deleted, left } = counts;
  const gone = deleted + left;
  if (same + update + held + mayFollow + create + adopt + replace > 0) return undefined;
  return {
    text: `the code declares nothing now, and all that the stack holds (${gone} ${gone === 1 ? "resource" : "resources"}) would go`,
    allowed: "destroy, or up --force",
  };
}

/** `vacant`: entries of the code that have no rows. */
function vacated({ changes }: Report, vacant: readonly VacantEntry[]): Held | undefined {
  const lost = vacant.flatMap(({ address, prefix, definition }) => {
    const gone = changes.filter(
      ({ op, type, name }) => op === "delete" && type === definition.type && name.startsWith(prefix),
    );
    const names = gone.map(({ type, name }) => `${type} ${nameText(name)}`);
    return gone.length === 0
      ? []
      : [`${address} has no rows now, and all that it had declared would go: ${listed(names)}`];
  });
  return lost.length === 0 ? undefined : { text: lost.join("; "), allowed: "--force" };
}
