import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { failureCode } from "../../stack/exit/report.ts";
import { fullRead, operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { showPlan } from "../output/show.ts";
import { onStack } from "../session.ts";
import { exiting } from "./action.ts";

export function addRefresh(program: Command): void {
  operationOptions(program.command("refresh"))
    .description("take what exists into the state; changes nothing in the account")
    .option("-y, --yes", "as pulumi refresh takes it; nothing is asked here")
    .option(...fullRead)
    .action(exiting(refresh));
}

function refresh(options: OperationOptions): Promise<ExitCode> {
  return onStack(options, "refresh", async (desk) => {
    await desk.session.hold();
    const { report } = await desk.session.run("refresh", { kind: "refresh", full: options.full }, { quiet: true });
    showPlan(desk, report);
    return { report, exit: report.result === "succeeded" ? exitCodes.done : failureCode(report, { sent: true }) };
  });
}
