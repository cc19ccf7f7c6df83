import type { Command } from "commander";
import type { ExitCode } from "../../stack/exit/codes.ts";
import { continueOption, detailedExitcode, foreignEditsOption, fullOption, operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { failOnOption } from "../fail-on.ts";
import { checkFile, writePrivate } from "../../stack/project/files.ts";
import type { SavedPlan } from "../../stack/plan/saved-plan.ts";
import { shellWord } from "../../stack/advice/shell.ts";
import { jsonText } from "../../stack/report/printable.ts";
import { LEGEND } from "../../stack/report/words.ts";
import { previewed, type LookOptions } from "../looks.ts";
import { onStack } from "../session.ts";
import { exiting } from "./action.ts";

interface PreviewOptions extends OperationOptions, LookOptions {
  save?: string;
}

export function addPreview(program: Command): void {
  operationOptions(program.command("preview"))
    .description("show what up would change, field by field, and what that touches; changes nothing")
    .option("--refresh", "look at what exists first")
    .option(...continueOption)
    .option(...fullOption)
    .option("--save <file>", "save the plan, for up --plan")
    .addOption(foreignEditsOption())
    .addOption(failOnOption("exit with 1 on these findings of check"))
    .option(...detailedExitcode)
    .addHelpText("after", LEGEND)
    .action(exiting(preview));
}

export function preview(options: PreviewOptions): Promise<ExitCode> {
  const { save } = options;
  const keep = save === undefined ? undefined : (plan: SavedPlan) => writePrivate(save, jsonText(plan));
  const next =
    save === undefined ? undefined : `The plan is saved: npx landform up --plan ${shellWord(save)} applies it.`;
  if (save !== undefined) checkFile(save, "--save");
  const opening = { makesStack: "for a plan", runsProgram: true } as const;
  return onStack(options, "preview", (desk) => previewed(desk, options, { keep, next }), opening);
}
