import type { Command } from "commander";
import { confirmed } from "../../stack/run/confirm.ts";
import { exitCodes, RefusedError, type ExitCode } from "../../stack/exit/codes.ts";
import { failureCode, finish } from "../../stack/run/ended.ts";
import { heldElsewhere } from "../../stack/checks/held-elsewhere.ts";
import { Interrupted, notCleaned, withLeftovers } from "../../stack/run/interrupted.ts";
import { asCreation } from "../../stack/run/left-by-killed.ts";
import type { StateResource } from "../../stack/engines/recorded.ts";
import { summaryOf, type PlanSummary } from "../../stack/plan/plan-summary.ts";
import { StackSession } from "../../stack/run/session.ts";
import { continueOption, fullOption, operationOptions, safetyOptions } from "../options.ts";
import type { OperationOptions, SafetyOptions } from "../../stack/options.ts";
import { hasChanges } from "../../story/words.ts";
import { withMentions } from "../../stack/checks/mentions.ts";
import { letGo } from "../../stack/checks/let-go.ts";
import type { Report } from "../../stack/report/model.ts";
import { refusal } from "../../stack/checks/safety.ts";
import { showOutcome, showPlan } from "../output/show.ts";
import { exiting } from "./action.ts";

type DestroyOptions = OperationOptions & SafetyOptions;

export function addDestroy(program: Command): void {
  safetyOptions(operationOptions(program.command("destroy")))
    .description("delete everything that the stack holds, and say what stays")
    .option(...continueOption)
    .option(...fullOption)
    .action(exiting(destroy));
}

function destroy(options: DestroyOptions): Promise<ExitCode> {
  return StackSession.with(options, (session) => tearDown(session, options));
}

export async function tearDown(session: StackSession, options: DestroyOptions): Promise<ExitCode> {
  await session.hold();
  const destruction = await planned(session, options);
  try {
    return await carryOut(session, options, destruction);
  } finally {
    await destruction.interrupted.close();
  }
}

interface Destruction {
  readonly plan: Report;
  readonly forecast: PlanSummary;
  readonly interrupted: Interrupted;
  /** Warnings of what is left alone, and of what is somebody else's as well. */
  readonly left: readonly string[];
}

/** What it was made from is not held while it is carried out. */
async function planned(session: StackSession, options: DestroyOptions): Promise<Destruction> {
  const { report, preview } = await session.run("destroy", { kind: "destroy", dryRun: true }, { quiet: true });
  const interrupted = await Interrupted.find(session, options.target.length > 0 ? [] : await unfinished(session));
  try {
    const leftAlone = (await letGo(session))
      .filter(({ kind, id }) => !interrupted.has(kind, id))
      .map(({ text }) => text);
    const shared = await heldElsewhere(session, preview);
    const left = [...leftAlone, ...interrupted.warnings, ...shared];
    const foreseen = await session.withStaying(report, preview);
    const going = interrupted.planned("all");
    const warned = warning(await withMentions(session, foreseen, preview), [...left, ...going]);
    const plan = withLeftovers(warned, { count: going.length, removed: false });
    return { plan, forecast: summaryOf(preview), interrupted, left };
  } catch (error) {
    await interrupted.close();
    throw error;
  }
}

/** What the state knows to be under way, and what a run was to remove and did not come to. */
async function unfinished({ engine }: StackSession): Promise<StateResource[]> {
  const { unwanted } = await engine.creations();
  return [...(await engine.underWay()), ...unwanted.map(asCreation)];
}

function warning(report: Report, more: readonly string[]): Report {
  return { ...report, warnings: [...report.warnings, ...more] };
}

async function carryOut(
  session: StackSession,
  options: DestroyOptions,
  { plan, forecast, interrupted, left }: Destruction,
): Promise<ExitCode> {
  showPlan(session, plan);
  if (plan.result !== "succeeded") return finish(session, plan, failureCode(plan, { sent: false }));
  // To destroy is to delete everything, so only a limit that was asked for counts here.
  const refused = options.maxDeletes === undefined ? undefined : refusal(plan, options);
  if (refused !== undefined) throw new RefusedError(refused);
  if (!hasChanges(plan)) {
    // Nothing is there to be removed: what was only told of is crossed out.
    const { kept } = await interrupted.remove("all");
    const isOpen = options.target.length === 0 && (await session.engine.underWay()).length > 0;
    if (isOpen) await session.run("destroy", { kind: "destroy" }, { quiet: true });
    else await dropStackResource(session, options);
    return finish(session, warning(plan, kept), exitCodes.done);
  }
  if (!(await confirmed(session, options, "Destroy all of this?"))) return finish(session, plan, exitCodes.failed);
  const total = plan.counts.delete + plan.counts.left;
  const { removed, kept, failed } = await interrupted.remove("all");
  if (failed.length > 0) {
    // The state still tells of them: the next destroy looks again.
    const stopped = notCleaned(plan, failed);
    showOutcome(session, stopped, undefined);
    return finish(session, stopped, exitCodes.failed);
  }
  const ran = await session.run("destroy", { kind: "destroy" }, { total, forecast });
  const report = withLeftovers(ran.report, { count: removed.length, removed: true });
  showOutcome(session, warning(report, [...removed, ...kept]), undefined);
  const { leaving, looked } = plan;
  const whole = {
    ...warning(report, [...left, ...removed, ...kept]),
    ...(leaving && { leaving }),
    ...(looked && { looked }),
  };
  return finish(session, whole, report.result === "succeeded" ? exitCodes.done : failureCode(report, { sent: true }));
}

/** Where nothing else is left, the stack itself still stands in the state, which then could not be removed. */
async function dropStackResource(session: StackSession, { target }: DestroyOptions): Promise<void> {
  const left = (await session.engine.resources()) ?? [];
  if (left.length > 0 && target.length === 0) await session.run("destroy", { kind: "destroy" }, { quiet: true });
}
