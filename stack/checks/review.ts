/** Checks that the plan is still what was reviewed, and that it starts from the same values. */
import { DESTROYS, PREVIEWS } from "../intents.ts";
import { RefusedError } from "../exit/codes.ts";
import { PlanConflictError } from "../review/agreement.ts";
import { lookAtTouched, movedSince, startsOf } from "../review/expectations.ts";
import { heldToReview, refuseOtherAccounts, refuseOvertaken, type SavedPlan } from "../review/saved-plan.ts";
import type { Report } from "../report/model.ts";
import { type Check, type Found, type Look, since } from "./check.ts";

export const review: Check = {
  name: "review",
  not: {
    ...since("it is what is reviewed", ...PREVIEWS, "undo --preview"),
    ...since("nothing was reviewed for it", "up", "undo", ...DESTROYS, "env up"),
  },
  run: async (look, report) => {
    const { saved } = look.intent;
    if (saved === undefined) return {};
    try {
      return await heldAgainst(saved, look, report);
    } catch (error) {
      if (error instanceof RefusedError) return { conflict: error };
      throw error;
    }
  },
};

/** Compares the plan with the review. A change since the review is told as such even if the plan itself has failed. */
async function heldAgainst(saved: SavedPlan, look: Look, report: Report): Promise<Found> {
  const { session, intent, ran, undoing } = look;
  const { reviewed } = intent;
  refuseOtherAccounts(saved, look.accounts);
  if (ran.report.result !== "succeeded") return {};
  const now = undoing ? undoing.shown(report) : ran.report;
  const expected = await heldToReview(saved, { report: now, plan: ran.plan }, session, {
    inCi: reviewed !== undefined,
  });
  const { told } = ran.preview;
  // An undo has already looked for hand edits.
  const live = intent.refresh === true || undoing !== undefined ? told : await lookAtTouched(session, report, told);
  if ("result" in live) return { report: live };
  const moved = movedSince(saved.expects, await startsOf(session, report, { told, live }));
  if (moved.length > 0)
    throw new PlanConflictError(
      "the values that the plan starts from have changed since its review",
      moved,
      moved.every(({ code }) => code === "gone") ? ANEW : AGAIN,
    );
  if (report.result !== "succeeded") return {};
  if (reviewed !== undefined) await refuseOvertaken(session, ran.report, saved, reviewed);
  return { expected };
}

/** An object that is gone has no edits to keep. */
const ANEW =
  "Nothing was sent. To make it anew, run preview --refresh and review the new plan. To leave it deleted, remove it from the code.";

/** `drift --write` leaves such values: the code has changed them, too. */
const AGAIN =
  "Nothing was sent. Write the values that are to stay into the code by hand, or write over them with --foreign-edits include. Then run preview --refresh and review the new plan.";
