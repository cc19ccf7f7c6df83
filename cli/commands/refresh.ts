import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import { failureCode, StackSession } from "../run/session.ts";
import { operationOptions, type OperationOptions } from "../options.ts";
import { showPlan } from "../output/show.ts";
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
  return StackSession.with(options, async (session) => {
    await session.hold();
    const { report } = await session.run("refresh", { kind: "refresh", full: options.full }, { quiet: true });
    showPlan(session, report);
    session.write(report);
    return report.result === "succeeded" ? exitCodes.done : failureCode(report, { sent: true });
  });
}
