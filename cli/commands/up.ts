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
import type { Ended, Intent } from "../../stack/plan/plan.ts";
import { readPlan, refuseOtherStack } from "../../stack/plan/saved-plan.ts";
import type { Report } from "../../stack/report/model.ts";
import { LEGEND } from "../../stack/report/words.ts";
import { Spares } from "../../engine/index.ts";
import { carryOut } from "../carry-out.ts";
import { onStack, type Desk } from "../session.ts";
import { exiting } from "./action.ts";

/** What is chosen for the way from the code to the account. */
export type UpChoice = Pick<Intent, "yes" | "force" | "maxDeletes" | "foreignEdits" | "refresh" | "verify">;

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

/** `reviewed`: what was reviewed, and whose; nobody is asked then. */
export function broughtUp(
  desk: Desk,
  { yes, force, maxDeletes, foreignEdits, refresh, verify }: UpChoice,
  { saved, reviewed }: Pick<Intent, "saved" | "reviewed"> = {},
): Promise<Ended> {
  const choice: UpChoice = {
    ...{ foreignEdits, refresh, verify },
    ...(yes && { yes }),
    ...(force && { force }),
    ...(maxDeletes && { maxDeletes }),
  };
  const intent: Intent = saved
    ? { ...choice, kind: "up --plan", yes: true, saved, reviewed }
    : { ...choice, kind: "up" };
  return carryOut(desk, intent, { question: "Apply these changes?", next: nextStep });
}

function nextStep({ result, counts, failures, held = [] }: Report): string | undefined {
  if (failures.some(({ cause }) => cause === "locked")) return undefined;
  if (failures.length > 0 && failures.every(({ cause }) => cause === "unseen"))
    return "All of it was done, and is public as far as the service tells: npx landform drift --public looks again.";
  if (result !== "succeeded") return "Run npx landform up again: it carries on where this one stopped.";
  if (held.length > 0)
    return "What is held back stays a draft until those edits are published or undone: then run npx landform up again.";
  if (counts.same + counts.create + counts.adopt + counts.update + counts.replace === 0)
    return "The stack is empty now.";
  return "npx landform drift finds what is changed by hand; npx landform destroy deletes what the API can delete, and names the rest.";
}
