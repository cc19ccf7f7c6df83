import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit.ts";
import { failureCode, Operation } from "../operation.ts";
import { operationOptions, type OperationOptions } from "../options.ts";
import { showPlan } from "../show.ts";
import { exiting } from "./action.ts";

interface RefreshOptions extends OperationOptions {
  full?: true;
}

export function addRefresh(program: Command): void {
  operationOptions(program.command("refresh"))
    .description("take what exists into the state; changes nothing in the account")
    .option("--full", "read every page's content, also where nothing seems to have changed")
    .action(exiting(refresh));
}

function refresh(options: RefreshOptions): Promise<ExitCode> {
  return Operation.with(options, async (operation) => {
    await operation.hold();
    const { report } = await operation.run("refresh", { kind: "refresh", full: options.full }, { quiet: true });
    showPlan(operation, report);
    operation.write(report);
    return report.result === "succeeded" ? exitCodes.done : failureCode(report, { sent: true });
  });
}
