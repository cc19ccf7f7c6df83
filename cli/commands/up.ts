import type { Command } from "commander";
import type { ExitCode } from "../../stack/exit/codes.ts";
import {
  continueOption,
  foreignEditsOption,
  fullOption,
  operationOptions,
  safetyOptions,
  verifyOption,
} from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { readPlan, refuseOtherStack } from "../../stack/plan/saved-plan.ts";
import { LEGEND } from "../../stack/report/words.ts";
import { Spares } from "../../engine/index.ts";
import { broughtUp, type UpChoice } from "../bring-up.ts";
import { onStack } from "../session.ts";
import { exiting } from "./action.ts";

interface UpOptions extends OperationOptions, UpChoice {
  create?: true;
  plan?: string;
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
    return await onStack(options, "up", (desk) => broughtUp(desk, options, { saved }), {
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
