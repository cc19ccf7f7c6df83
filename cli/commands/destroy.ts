import type { Command } from "commander";
import { confirmed } from "../confirm.ts";
import { exitCodes, RefusedError, type ExitCode } from "../exit.ts";
import { failureCode, finish, Operation } from "../operation.ts";
import { operationOptions, safetyOptions, type OperationOptions, type SafetyOptions } from "../options.ts";
import { hasChanges } from "../render/words.ts";
import { refusal } from "../safety.ts";
import { showOutcome, showPlan } from "../show.ts";
import { exiting } from "./action.ts";

type DestroyOptions = OperationOptions & SafetyOptions;

export function addDestroy(program: Command): void {
  safetyOptions(operationOptions(program.command("destroy")))
    .description("delete everything that the stack holds, and say what stays")
    .action(exiting(destroy));
}

function destroy(options: DestroyOptions): Promise<ExitCode> {
  return Operation.with(options, (operation) => tearDown(operation, options));
}

export async function tearDown(operation: Operation, options: DestroyOptions): Promise<ExitCode> {
  await operation.hold();
  const planned = await operation.run("destroy", { kind: "destroy", dryRun: true }, { quiet: true });
  const plan = planned.report;
  showPlan(operation, plan);
  if (plan.result !== "succeeded") return finish(operation, plan, failureCode(plan, { sent: false }));
  // To destroy is to delete everything, so only a limit that was asked for counts here.
  const refused = options.maxDeletes === undefined ? undefined : refusal(plan, options);
  if (refused !== undefined) throw new RefusedError(refused);
  if (!hasChanges(plan)) return finish(operation, plan, exitCodes.done);
  if (!(await confirmed(operation, options, "Destroy all of this?"))) return finish(operation, plan, exitCodes.failed);
  const total = plan.counts.delete + plan.counts.left;
  const { report } = await operation.run("destroy", { kind: "destroy" }, { total, preview: planned.preview });
  showOutcome(operation, report, undefined);
  return finish(
    operation,
    report,
    report.result === "succeeded" ? exitCodes.done : failureCode(report, { sent: true }),
  );
}
