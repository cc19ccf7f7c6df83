/** From an intent to its end, with people: the plan is shown, somebody agrees, and it is told what came of it. */
import { apply, refuse } from "../stack/plan/apply.ts";
import { makePlan } from "../stack/plan/make.ts";
import type { Ended, Intent } from "../stack/plan/plan.ts";
import { hasChanges } from "../stack/report/words.ts";
import { exitCodes } from "../stack/exit/codes.ts";
import type { Advice, Report } from "../stack/report/model.ts";
import { agreed, confirmed } from "./output/confirm.ts";
import { showOutcome, showPlan } from "./output/show.ts";
import { reporting, type Desk } from "./session.ts";

export interface Telling {
  /** It asks a person if the run may carry out the plan. */
  readonly question: string;
  /** The commands that help next. */
  readonly next?: (report: Report) => Advice[];
  readonly showPlan?: (plan: Report) => void;
  readonly showOutcome?: (report: Report) => void;
}

export async function carryOut(desk: Desk, intent: Intent, telling: Telling): Promise<Ended> {
  const { session } = desk;
  const plan = await makePlan(session, intent);
  const { report } = plan;
  (telling.showPlan ?? ((shown) => showPlan(desk, shown)))(report);
  return reporting({ session, report }, async () => {
    refuse(plan);
    const isAsked = report.result === "succeeded" && hasChanges(report) && intent.saved === undefined;
    if (isAsked && !(await confirmed(desk, intent, telling.question))) return { report, exit: exitCodes.failed };
    const includes = Object.keys(plan.drafts.asked).length > 0 && (await agreed(desk, DRAFTS));
    const ended = await apply(session, plan, { includes });
    if (ended.hasRun !== true) return ended;
    const told = { ...ended.report, advice: telling.next?.(ended.report) ?? [] };
    (telling.showOutcome ?? ((shown) => showOutcome(desk, shown)))(told);
    return { ...ended, report: told };
  });
}

const DRAFTS = "Publish the edits of others, too? Otherwise these pages stay as they are published.";
