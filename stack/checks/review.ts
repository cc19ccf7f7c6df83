/** Whether what would be done now is what was reviewed, and what it begins from still is what it was. */
import { RefusedError } from "../exit/codes.ts";
import type { SavedPlan } from "../plan/saved-plan.ts";
import { checkSamePlan, refuseOtherAccounts } from "../plan/saved-plan.ts";
import { refuseDraftEdits, refuseGoingEdits, refuseHandEdits } from "../plan/edited-since.ts";
import { refuseOtherHoldings } from "../plan/holdings.ts";
import { refuseOvertaken } from "../plan/overtaken.ts";
import type { Report } from "../report/model.ts";
import type { Check, Found, Look } from "./check.ts";

const NOT_REVIEWED = "nothing was reviewed for it";

export const review: Check = {
  name: "review",
  not: {
    ...{ preview: "it is what is reviewed", "undo --preview": "it is what is reviewed" },
    ...{ up: NOT_REVIEWED, undo: NOT_REVIEWED, destroy: NOT_REVIEWED },
    ...{ "env up": NOT_REVIEWED, "env down": NOT_REVIEWED, adopt: NOT_REVIEWED },
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

async function heldAgainst(saved: SavedPlan, look: Look, report: Report): Promise<Found> {
  const { session, intent, ran } = look;
  const { reviewed } = intent;
  const isUndo = intent.kind === "undo --plan";
  if (!isUndo) refuseOtherAccounts(saved, look.accounts);
  if (ran.report.result !== "succeeded") return {};
  const now = isUndo ? (intent.undoing?.shown(report) ?? report) : ran.report;
  const expected = await checkSamePlan(saved, { report: now, plan: ran.plan }, session, {
    inCi: reviewed !== undefined,
  });
  if (!isUndo && intent.refresh === true) refuseGoingEdits(saved, report, ran.preview.told);
  const unknown = isUndo || intent.refresh === true ? undefined : await refuseHandEdits(session, report);
  if (unknown !== undefined) return { report: unknown };
  // What moved since the review is told as that, also where the plan has failed by itself.
  if (report.result !== "succeeded") return {};
  refuseDraftEdits(saved, report);
  if (!isUndo) await refuseOtherHoldings(saved, session, ran.preview.told);
  if (!isUndo && reviewed !== undefined) await refuseOvertaken(session, ran.report, saved, reviewed);
  return { expected };
}
