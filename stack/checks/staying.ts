/** What a planned destruction has to leave in the account, where that can tell. */
import { hasChanges } from "../report/words.ts";
import { withStays } from "../report/stays.ts";
import { toPlan } from "./account.ts";
import type { Check } from "./check.ts";
import { stayingIn } from "./preflight.ts";

const ASKED = "the check of the account says so of whatever the plan deletes";

export const staying: Check = {
  name: "staying",
  not: {
    ...{ preview: ASKED, up: ASKED, "up --plan": ASKED, "env up": ASKED },
    ...{ undo: ASKED, "undo --preview": ASKED, "undo --plan": ASKED },
    "env down": "what it can't remove is told at its end, and kept for the next try",
    adopt: "nothing is deleted by it",
  },
  run: async (look, report) => {
    if (report.result !== "succeeded" || !hasChanges(report)) return {};
    return { report: withStays(report, await stayingIn(await look.session.settings(), toPlan(look))) };
  },
};
