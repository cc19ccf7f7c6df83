/** Carries out every plan. */
import { verbOf } from "../intents.ts";
import { verifyInForce } from "../../provider/pulumi/settings-in-force.ts";
import { isSeen, outcomeText } from "../../provider/seen/seen-live.ts";
import type { RunRequest } from "../engines/contract.ts";
import { exitCodes, UsageError } from "../exit/codes.ts";
import type { Failure, Report } from "../report/model.ts";
import { withReleased, withAwaiting } from "../run/releases.ts";
import { failureCode } from "../exit/report.ts";
import { notCleaned } from "../run/leftovers.ts";
import type { Ran, StackSession } from "../run/session.ts";
import { type Ended, type Plan } from "../review/plan.ts";
import { hasChanges, isWaiting } from "../report/verdict.ts";

/** `agreed`: a person has read the plan. `includes`: the person has agreed to the edits of others that the plan asks about, too. */
export async function apply(
  session: StackSession,
  plan: Plan,
  { agreed = false, includes = false } = {},
): Promise<Ended> {
  const stopped = stoppedBy(plan);
  if (stopped) return stopped;
  if (plan.isDone === true)
    return { report: plan.report, exit: isWaiting(plan.report) ? exitCodes.failed : exitCodes.done };
  if (plan.report.result !== "succeeded")
    return { report: plan.report, exit: failureCode(plan.report, { sent: false }) };
  const more = plan.intent.begin === undefined ? {} : await plan.intent.begin();
  if (more === undefined) return { report: { ...plan.report, result: "cancelled" }, exit: exitCodes.failed };
  const lacking = (await plan.proof?.()) ?? [];
  if (lacking.length > 0) throw new UsageError(lacking.join("\n"));
  return verbOf(plan.intent) === "destroy"
    ? await destroyed(session, plan, more)
    : await brought(session, plan, {
        ...(agreed && plan.ofEngine !== undefined && { expected: plan.ofEngine }),
        ...{ ...more, foreignEdits: draftsSaid(plan, includes) },
      });
}

/** Throws if the plan disagrees with its review. Returns the end of a plan that nobody has allowed: what holds it fails it. */
export function stoppedBy({ conflict, report }: Plan): Ended | undefined {
  if (conflict !== undefined) throw conflict;
  const held = report.result === "succeeded" ? report.findings.filter(({ weight }) => weight === "hold") : [];
  if (held.length === 0) return undefined;
  const failures = held.map(({ check, text: message, urn, source, allowed, advice = [] }): Failure => ({
    ...{ check, cause: "refused", message, urn, source, advice, allowed },
  }));
  const findings = report.findings.filter((one) => !held.includes(one));
  return { report: { ...report, result: "failed", findings, failures }, exit: exitCodes.refused };
}

function draftsSaid({ drafts: { said, asked } }: Plan, includes: boolean): NonNullable<RunRequest["foreignEdits"]> {
  if (!includes || Object.keys(asked).length === 0) return said;
  return { ...said, reviewed: { ...said.reviewed, ...asked } };
}

async function brought(session: StackSession, plan: Plan, more: Partial<RunRequest>): Promise<Ended> {
  const { intent, summary, leftovers, report: planned } = plan;
  const { create, adopt, update, held, replace, delete: deleted, left } = planned.counts;
  const running = {
    total: create + adopt + update + held + deleted + left + 2 * replace,
    forecast: summary,
    reviewed: intent.reviewed?.head,
    planned: planned.changes,
    undoes: plan.undoing?.id,
  };
  const ran =
    plan.idle ??
    (await throughReleases(session, await session.run(verbOf(intent), { ...plan.request, ...more }, running)));
  const settled = await withAwaiting(session, await leftovers.removed(ran.report));
  const seen = isStrict(session, plan) ? strictly(settled) : settled;
  // After the run, all scopes have been used.
  const whole = { ...seen, impact: planned.impact && { ...planned.impact, unproven: undefined } };
  const report = plan.undoing?.shown(whole) ?? whole;
  const about = { report, notices: ran.notices, hasRun: true } as const;
  if (report.result !== "succeeded") return { ...about, exit: failureCode(report, { sent: true }) };
  return { ...about, exit: (report.held ?? []).length === 0 ? exitCodes.done : exitCodes.failed };
}

async function throughReleases(session: StackSession, ran: Ran): Promise<Pick<Ran, "report" | "notices">> {
  return { report: await withReleased(session, ran), notices: ran.notices };
}

async function destroyed(session: StackSession, plan: Plan, more: Partial<RunRequest>): Promise<Ended> {
  const { leftovers, report: planned, summary } = plan;
  const failed = await leftovers.remove();
  // The ledger still has them, so the next destroy looks again.
  if (failed.length > 0) return { report: notCleaned(planned, failed), exit: exitCodes.failed, hasRun: true };
  // The record of an environment is no change, and goes last.
  if (!hasChanges(planned) && plan.intent.kind !== "env down") {
    await dropStackResource(session);
    return { report: await leftovers.removed(planned), exit: exitCodes.done };
  }
  const total = planned.counts.delete + planned.counts.left;
  const { report: ran } = await session.run("destroy", { ...plan.request, ...more }, { total, forecast: summary });
  const lasting = planned.findings.filter(({ lasts }) => lasts === true);
  const report = await leftovers.removed({ ...ran, findings: [...ran.findings, ...lasting] });
  const exit = report.result === "succeeded" ? exitCodes.done : failureCode(report, { sent: true });
  return { report, exit, hasRun: true };
}

/** When nothing else is left, the state still has the stack itself and the creations that a killed run had begun. */
async function dropStackResource(session: StackSession): Promise<void> {
  if (session.options.target.length > 0) return;
  const left = (await session.engine.resources()) ?? [];
  const isOpen = (await session.engine.underWay()).length > 0;
  if (left.length > 0 || isOpen) await session.run("destroy", { kind: "destroy" }, { quiet: true });
}

function isStrict({ folder }: StackSession, { intent: { verify }, undoing }: Plan): boolean {
  if (undoing !== undefined) return false;
  const stack = verifyInForce((key) => folder.config.get(key), process.env);
  return verify === "strict" || (verify === undefined && stack === "strict");
}

/** Fails the run if visitors don't see a publication, even though all of it was done. */
function strictly(report: Report): Report {
  const unseen = (report.seen ?? []).filter((page) => !isSeen(page));
  const failures = unseen.map((page): Failure => {
    const message = `Page ${page.name} was not seen live, and verify: strict requires that: ${outcomeText(page)} (${page.url})`;
    return { message, urn: page.urn, cause: "unseen" };
  });
  return failures.length === 0 ? report : { ...report, result: "failed", failures: [...report.failures, ...failures] };
}
