/** Words the conflicts that keep a reviewed plan from being applied. Pure. */
import type { Json } from "../../engine/index.ts";
import { RefusedError } from "../exit/codes.ts";
import { editsText } from "../../provider/messages/foreign-edits.ts";
import type { ChangeOp } from "./model.ts";
import type { Conflict, FieldConflict } from "../plan/agreement.ts";
import { valueSides, valueText } from "./short-values.ts";
import { titleOf } from "./words.ts";
import { pathText } from "./values.ts";

const MOST_NAMED = 20;

/** Returns a message for people with one line for each difference. */
function conflictsText(about: string, conflicts: readonly Conflict[], next: string): string {
  const more = conflicts.length - MOST_NAMED;
  const lines = conflicts.slice(0, MOST_NAMED).map((conflict) => `  ${conflictText(conflict)}`);
  return [`${about}:`, ...lines, ...(more > 0 ? [`  … and ${more} more`] : []), next].join("\n");
}

export function conflictText(conflict: Conflict): string {
  return `${titleOf(conflict)}: ${what(conflict)}`;
}

function what(conflict: Conflict): string {
  switch (conflict.code) {
    case "not reviewed":
      return `${OPERATIONS[conflict.op]} now, and the reviewed plan doesn't change it`;
    case "another object":
      return "what is deleted now was made anew since the plan was made, and the plan deletes the one before it";
    case "another operation":
      return `${OPERATIONS[conflict.op]} now, and in the plan it ${OPERATIONS[conflict.reviewed]}`;
    case "no longer planned":
      return `in the plan it ${OPERATIONS[conflict.op]}, and the code no longer says so`;
    case "not reviewed field":
      return `${pathText(conflict.path)} would become ${side(conflict.now)}, and the reviewed plan doesn't change it`;
    case "another value":
      return values(conflict, (reviewed, now) => `would become ${now}, and the reviewed plan says ${reviewed}`);
    case "another start":
      return values(conflict, (reviewed, now) => `is ${now} now, and was ${reviewed} when the plan was made`);
    case "changed by hand":
      return values(conflict, (reviewed, now) => `is ${now} in the account, and was ${reviewed} after the last run`);
    case "gone":
      return "somebody has deleted it";
    case "edited in its draft":
      return `${pathText(conflict.path)} is edited in its draft, which nobody reviewed: ${editsText(conflict.edits)}`;
    case "edited since the review":
      return editedText(conflict);
    case "a secret":
      return `the secret ${pathText(conflict.path)} is not the one that was planned with`;
  }
}

function editedText({ path, now, edits }: Extract<Conflict, { code: "edited since the review" }>): string {
  if (path !== undefined) return `${pathText(path)} is ${side(now)} now, and nobody reviewed that`;
  if (edits !== undefined) return `its draft holds edits that nobody reviewed: ${editsText(edits)}`;
  return "it was edited or published again since, with what nobody reviewed";
}

const OPERATIONS: Record<ChangeOp, string> = {
  create: "is created",
  adopt: "is adopted",
  update: "is updated",
  replace: "is replaced",
  delete: "is deleted",
};

const LONGEST = 60;

function values({ path, reviewed, now }: FieldConflict, sentence: (reviewed: string, now: string) => string): string {
  const sides =
    reviewed === undefined || now === undefined
      ? { old: side(reviewed), new: side(now) }
      : valueSides(reviewed, now, LONGEST);
  return `${pathText(path)} ${sentence(sides.old, sides.new)}`;
}

function side(value: Json | undefined): string {
  return value === undefined ? "(none)" : valueText(value, LONGEST);
}

/** Today's plan, or its starting values, disagree with the review. */
export class PlanConflictError extends RefusedError {
  constructor(about: string, conflicts: readonly Conflict[], next: string) {
    super(conflictsText(about, conflicts, next));
  }
}
