import type { Command } from "commander";
import { confirmed } from "../run/confirm.ts";
import { exitCodes, RefusedError, type ExitCode } from "../exit/codes.ts";
import { failureCode, finish } from "../run/ended.ts";
import { StackSession } from "../run/session.ts";
import {
  continueOption,
  fullOption,
  operationOptions,
  safetyOptions,
  type OperationOptions,
  type SafetyOptions,
} from "../options.ts";
import { hasChanges } from "../render/words.ts";
import { withMentions } from "../run/mentions.ts";
import { letGo } from "../run/let-go.ts";
import type { Report } from "../report/model.ts";
import { refusal } from "../run/safety.ts";
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
  const planned = await session.run("destroy", { kind: "destroy", dryRun: true }, { quiet: true });
  const leftAlone = await letGo(session);
  const told = (report: Report): Report => ({ ...report, warnings: [...report.warnings, ...leftAlone] });
  const foreseen = await session.withStaying(planned.report, planned.preview);
  const plan = told(await withMentions(session, foreseen, planned.preview));
  showPlan(session, plan);
  if (plan.result !== "succeeded") return finish(session, plan, failureCode(plan, { sent: false }));
  // To destroy is to delete everything, so only a limit that was asked for counts here.
  const refused = options.maxDeletes === undefined ? undefined : refusal(plan, options);
  if (refused !== undefined) throw new RefusedError(refused);
  if (!hasChanges(plan)) {
    await dropStackResource(session, options);
    return finish(session, plan, exitCodes.done);
  }
  if (!(await confirmed(session, options, "Destroy all of this?"))) return finish(session, plan, exitCodes.failed);
  const total = plan.counts.delete + plan.counts.left;
  const { report } = await session.run("destroy", { kind: "destroy" }, { total, preview: planned.preview });
  showOutcome(session, report, undefined);
  const { leaving, looked } = plan;
  const whole = { ...told(report), ...(leaving && { leaving }), ...(looked && { looked }) };
  return finish(session, whole, report.result === "succeeded" ? exitCodes.done : failureCode(report, { sent: true }));
}

/** Where nothing else is left, the stack itself still stands in the state, which then could not be removed. */
async function dropStackResource(session: StackSession, { target }: DestroyOptions): Promise<void> {
  const left = (await session.engine.resources()) ?? [];
  if (left.length > 0 && target.length === 0) await session.run("destroy", { kind: "destroy" }, { quiet: true });
}
