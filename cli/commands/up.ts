import type { Command } from "commander";
import { foreignEditsOf, withAlsoLive, wordsOf, type ForeignEditsOptions } from "../../stack/checks/also-live.ts";
import { withAwaiting } from "../../stack/run/awaiting-release.ts";
import { withReleased } from "../../stack/run/after-release.ts";
import { confirmed } from "../../stack/run/confirm.ts";
import { exitCodes, RefusedError, type ExitCode } from "../../stack/exit/codes.ts";
import { failureCode, finish } from "../../stack/run/ended.ts";
import { summaryOf, type PlanSummary } from "../../stack/plan/plan-summary.ts";
import { StackSession, type Ran } from "../../stack/run/session.ts";
import type { RunRequest } from "../../stack/engines/types.ts";
import {
  continueOption,
  foreignEditsOption,
  fullOption,
  operationOptions,
  safetyOptions,
  verifyOption,
} from "../options.ts";
import type { OperationOptions, SafetyOptions } from "../../stack/options.ts";
import { verifyInForce } from "../../provider/pulumi/settings-in-force.ts";
import { isSeen, outcomeText } from "../../provider/seen/seen-live.ts";
import { hasChanges, LEGEND } from "../../story/words.ts";
import { Leftovers } from "../../stack/run/leftovers.ts";
import { linted } from "../../stack/lint/in-preview.ts";
import { withMentions } from "../../stack/checks/mentions.ts";
import type { Counts, Failure, Report } from "../../stack/report/model.ts";
import { emptiedBy } from "../../stack/checks/emptied.ts";
import { doubledRefusal, madeBefore, withDoubled } from "../../stack/checks/made-before.ts";
import { refusal } from "../../stack/checks/safety.ts";
import { refuseOtherHoldings } from "../../stack/plan/holdings.ts";
import { refuseDraftEdits, refuseGoingEdits, refuseHandEdits } from "../../stack/plan/edited-since.ts";
import { refuseOvertaken, type Reviewed } from "../../stack/plan/overtaken.ts";
import {
  checkPlan,
  checkSamePlan,
  readPlan,
  refuseOtherAccount,
  refuseOtherAccounts,
  refuseOtherStack,
} from "../../stack/plan/saved-plan.ts";
import { showOutcome, showPlan } from "../output/show.ts";
import { Spares } from "../../engine/index.ts";
import { exiting } from "./action.ts";

export interface UpOptions extends OperationOptions, SafetyOptions, ForeignEditsOptions {
  yes?: true;
  create?: true;
  plan?: string;
  refresh?: true;
  verify?: true | "strict";
  /** Whose plan is applied, where a request was reviewed for it. */
  reviewed?: Reviewed;
}

export function addUp(program: Command): void {
  safetyOptions(operationOptions(program.command("up")))
    .description("preview, ask, and bring the account to what the code says")
    .option(
      "--create",
      "with --yes: make the stack where there is none, also where its name is nearly that of another one",
    )
    .option("--refresh", "look at what exists first")
    .option(...continueOption)
    .option(...fullOption)
    .option("--plan <file>", "apply the plan that preview --save saved, or exit with 3; doesn't ask")
    .addOption(foreignEditsOption())
    .addOption(verifyOption())
    .addHelpText("after", LEGEND)
    .action(exiting(up));
}

async function up(options: UpOptions): Promise<ExitCode> {
  // Before a stack is made for a file that isn't there.
  const saved = options.plan === undefined ? undefined : readPlan(options.plan);
  if (saved) refuseOtherStack(saved, options.stack);
  // The processes that apply the program start while the plan is shown.
  const spares = new Spares({ forTwo: true });
  try {
    return await StackSession.with(options, (session) => apply(session, options, saved), {
      makesStack: true,
      // The plan was made for the stack.
      unattended: options.yes === true && options.create !== true && saved === undefined,
      runsProgram: true,
      spares,
    });
  } finally {
    spares.close();
  }
}

/** How the way from the code to the account is shown, and what ends it before anything is sent. */
export interface Course {
  readonly showPlan: (session: StackSession, plan: Report) => void;
  readonly showOutcome: (session: StackSession, report: Report) => void;
  /** What a person is asked, in place of whether to apply these changes. */
  readonly question?: string;
  /** Of what was run through to some end, the report as it is to be kept. `notices`: what the provider told. */
  readonly closing?: (report: Report, notices: Ran["notices"]) => Promise<Report>;
  /** Ends the preview: the code is another one by now. */
  readonly overtaken?: AbortSignal;
  /** Each save is applied: one that is empty for a moment is none that was meant, whatever was said of limits. */
  readonly isWatch?: true;
  /** Asked once, when the plan may be applied and nothing is sent yet. */
  readonly isOvertaken?: () => Promise<boolean>;
}

const AS_UP: Course = {
  showPlan,
  showOutcome: (session, report) => showOutcome(session, report, nextStep(report)),
};

/** `saved`: what was reviewed; nobody is asked then. */
export async function apply(
  session: StackSession,
  options: UpOptions,
  saved?: ReturnType<typeof readPlan>,
  course = AS_UP,
): Promise<ExitCode> {
  await session.hold();
  if (saved) {
    checkPlan(saved, session, "up");
    await refuseOtherAccount(saved, session);
  }
  const leftovers = await Leftovers.begin(session, "up");
  const reviewed = await review(session, { ...options, leftovers }, saved, course);
  if (typeof reviewed === "number") return reviewed;
  const { plan, request, forecast, idle } = reviewed;
  const total = stepsOf(plan.counts);
  if (idle === undefined) await leftovers.keepInSight();
  const about = { total, forecast, reviewed: options.reviewed?.head };
  const ran = idle ?? (await throughReleases(session, await session.run("up", request, about)));
  const settled = await withAwaiting(session, await leftovers.removed(ran.report));
  const report = isStrict(session, options) ? strictly(settled) : settled;
  course.showOutcome(session, report);
  const { impact, leaving, looked } = plan;
  const kept = { ...report, impact: withoutDoubts(impact), ...(leaving && { leaving }), ...(looked && { looked }) };
  const whole = (await course.closing?.(kept, ran.notices)) ?? kept;
  if (report.result !== "succeeded") return finish(session, whole, failureCode(report, { sent: true }));
  return finish(session, whole, (report.held ?? []).length === 0 ? exitCodes.done : exitCodes.failed);
}

async function throughReleases(session: StackSession, ran: Ran): Promise<Ended> {
  return { report: await withReleased(session, ran), notices: ran.notices };
}

type Ended = Pick<Ran, "report" | "notices">;

interface Ready {
  readonly plan: Report;
  readonly request: RunRequest;
  readonly forecast: PlanSummary;
  /** What would be left as it is, and recorded as it is, need not be run through again. */
  readonly idle: Ended | undefined;
}

/** The plan that is to be applied, or why there is nothing more to do. What it was made from is not held while it is applied. */
async function review(
  session: StackSession,
  { leftovers, ...options }: UpOptions & { leftovers: Leftovers },
  saved: ReturnType<typeof readPlan> | undefined,
  course: Course,
): Promise<Ready | ExitCode> {
  const { refresh } = options;
  const cancel = cancelledBy(session, course);
  const planned = await session.run(
    "preview",
    { kind: "preview", refresh, wantsPlan: true, ...cancel },
    { quiet: true },
  );
  const foreseen = await session.foresee(planned.report, planned.preview, wordsOf(session, options));
  const asking = saved === undefined ? options : { ...options, yes: true as const, includes: saved.includes };
  const doubled = await madeBefore(session, foreseen, planned.preview);
  const mentioned = await withMentions(session, withDoubled(foreseen, doubled), planned.preview);
  const foretold = await withAlsoLive(session, { ...planned, report: mentioned }, asking);
  const plan = linted(session, planned.preview, await leftovers.foretold(foretold, planned.preview));
  course.showPlan(session, plan);
  if (saved) refuseOtherAccounts(saved, session);
  const isHeld = saved !== undefined && planned.report.result === "succeeded";
  const expected = isHeld
    ? await checkSamePlan(saved, planned, session, { inCi: options.reviewed !== undefined })
    : undefined;
  if (isHeld && refresh === true) refuseGoingEdits(saved, plan, planned.preview.told);
  const unknown = isHeld && refresh !== true ? await refuseHandEdits(session, plan) : undefined;
  if (unknown !== undefined) return finish(session, unknown, failureCode(unknown, { sent: false }));
  // What moved since the review is told as that, also where it keeps the plan from being carried out.
  if (plan.result !== "succeeded") return finish(session, plan, failureCode(plan, { sent: false }));
  if (saved) refuseDraftEdits(saved, plan);
  if (isHeld) await refuseOtherHoldings(saved, session, planned.preview.told);
  if (saved && options.reviewed !== undefined) await refuseOvertaken(session, planned.report, saved, options.reviewed);
  const mayEmpty = options.force === true && course.isWatch !== true;
  const refused =
    (mayEmpty ? undefined : emptiedBy(session, plan, course)) ??
    refusal(plan, options) ??
    doubledRefusal(doubled, asking);
  if (refused !== undefined) throw new RefusedError(refused);
  const asks = hasChanges(plan) && saved === undefined;
  if (asks && !(await confirmed(session, options, course.question ?? "Apply these changes?"))) {
    return finish(session, plan, exitCodes.failed);
  }
  if ((await course.isOvertaken?.()) === true)
    return finish(session, { ...plan, result: "cancelled" }, exitCodes.failed);
  await session.proveScopes(plan, planned.preview);
  const foreignEdits = await foreignEditsOf(session, plan, planned, asking);
  const verify = options.verify === undefined ? undefined : true;
  const request = { kind: "up", refresh, expected, foreignEdits, verify } as const;
  const unchanged = saved === undefined && !hasChanges({ counts: plan.counts }) ? planned.idle : undefined;
  const idle = unchanged && { report: unchanged, notices: planned.notices };
  return { plan, request, forecast: summaryOf(planned.preview), idle };
}

function cancelledBy({ interruption }: StackSession, { overtaken }: Course): Pick<RunRequest, "cancel"> {
  return overtaken === undefined ? {} : { cancel: AbortSignal.any([interruption.cancel, overtaken]) };
}

function isStrict({ folder }: StackSession, { verify }: UpOptions): boolean {
  const stack = verifyInForce((key) => folder.config.get(key), process.env);
  return verify === "strict" || (verify === undefined && stack === "strict");
}

/** A publication that visitors don't see fails the run, though all of it was done. */
function strictly(report: Report): Report {
  const unseen = (report.seen ?? []).filter((page) => !isSeen(page));
  const failures = unseen.map((page): Failure => {
    const message = `Page ${page.name} is not seen live, which verify: strict asks for: ${outcomeText(page)} (${page.url})`;
    return { message, urn: page.urn, cause: "unseen" };
  });
  return failures.length === 0 ? report : { ...report, result: "failed", failures: [...report.failures, ...failures] };
}

/** Afterwards, what was not proven has been used. */
function withoutDoubts(impact: Report["impact"]): Report["impact"] {
  const { unproven: _, ...proven } = impact ?? { urls: [], funnels: [], scopes: [] };
  return impact && proven;
}

export function stepsOf(counts: Counts): number {
  return counts.create + counts.adopt + counts.update + counts.delete + counts.left + 2 * counts.replace;
}

function nextStep({ result, counts, failures, held = [] }: Report): string | undefined {
  if (failures.some(({ cause }) => cause === "locked")) return undefined;
  if (failures.length > 0 && failures.every(({ cause }) => cause === "unseen"))
    return "All of it was done, and is public as far as the service tells: npx landform drift --public looks again.";
  if (result !== "succeeded") return "Run npx landform up again: it carries on where this one stopped.";
  if (held.length > 0)
    return "What is held back stays a draft until those edits are published or undone: then run npx landform up again.";
  if (counts.same + counts.create + counts.adopt + counts.update + counts.replace === 0)
    return "The stack is empty now.";
  return "npx landform drift finds what is changed by hand; npx landform destroy deletes what the API can delete, and names the rest.";
}
