import type { Command } from "commander";
import type { ExitCode } from "../../stack/exit/codes.ts";
import { continueOption, fullOption, operationOptions, safetyOptions } from "../options.ts";
import type { OperationOptions, SafetyOptions } from "../../stack/options.ts";
import { carryOut } from "../carry-out.ts";
import { onStack } from "../session.ts";
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
  const { yes, force, maxDeletes } = options;
  const intent = {
    kind: "destroy",
    ...(yes && { yes }),
    ...(force && { force }),
    ...(maxDeletes && { maxDeletes }),
  } as const;
  return onStack(options, "destroy", (desk) => carryOut(desk, intent, { question: "Destroy all of this?" }));
}
