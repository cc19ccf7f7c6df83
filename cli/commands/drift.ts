import type { Command } from "commander";
import type { ExitCode } from "../../stack/exit/codes.ts";
import { detailedExitcode, fullRead, operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { showDrift, type DriftFlags } from "../looks.ts";
import { onStack } from "../session.ts";
import { exiting } from "./action.ts";

export function addDrift(program: Command): void {
  operationOptions(program.command("drift"))
    .description("compare what exists with the last run and with the code; changes nothing")
    .option(...fullRead)
    .option("--public", "look at the public pages, too, and name those that don't show what was published")
    .option("--unmanaged", "list what the account holds and nobody declares, with an entry for each")
    .option("--write", "put what was changed in the app into landform.yaml or the program, comments kept")
    .option(...detailedExitcode)
    .action(exiting(drift));
}

function drift(options: OperationOptions & DriftFlags): Promise<ExitCode> {
  return onStack(options, "drift", (desk) => showDrift(desk, options), { runsProgram: true });
}
