/** The commands that run a stack: `up`, `preview`, `drift`, `refresh` and `destroy`. */
import { type Command, Option } from "commander";
import { Spares } from "../../engine/index.ts";
import { type ExitCode, exitCodes, UsageError } from "../../stack/exit/codes.ts";
import type { OperationOptions, SafetyOptions } from "../../stack/options.ts";
import type { Ended } from "../../stack/review/plan.ts";
import { readPlan, refuseOtherStack, type SavedPlan } from "../../stack/review/saved-plan.ts";
import { checkFile, writePrivate } from "../../stack/project/files.ts";
import { jsonText } from "../../stack/report/printable.ts";
import { LEGEND } from "../../stack/report/words.ts";
import { failureCode } from "../../stack/exit/report.ts";
import {
  broughtUp,
  carryOut,
  type DriftFlags,
  type LookOptions,
  previewed,
  showDrift,
  type UpChoice,
} from "../carry-out.ts";
import { type Desk, onStack, showPlan } from "../desk.ts";
import { failOnOption } from "../fail-on.ts";
import {
  limitsOf,
  continueOption,
  detailedExitcode,
  exiting,
  foreignEditsOption,
  fullOption,
  fullRead,
  operationOptions,
  safetyOptions,
  verifyOption,
  wrapped,
} from "../options.ts";

interface UpOptions extends OperationOptions, UpChoice {
  create?: true;
  plan?: string;
}

export function addUp(program: Command): void {
  safetyOptions(operationOptions(program.command("up")))
    .description("preview, ask, and make the account equal to the code")
    .option("--create", "with --yes: make a new stack, even if its name looks like a typo of another one")
    .option("--refresh", "read the account first")
    .option(...continueOption)
    .option(...fullOption)
    .option("--plan <file>", "apply the plan that preview --save saved, or exit with 3; doesn't ask")
    .addOption(foreignEditsOption())
    .addOption(verifyOption())
    .addHelpText("after", wrapped(LEGEND))
    .action(exiting(up));
}

async function up(options: UpOptions): Promise<ExitCode> {
  // Reads the plan first, so that no stack is made for a file that doesn't exist.
  const saved = options.plan === undefined ? undefined : readPlan(options.plan);
  if (saved) refuseOtherStack(saved, options.stack);
  // The processes that apply the program start while the plan is shown.
  const spares = new Spares({ forTwo: true });
  try {
    return await onStack(options, "up", (desk) => broughtUp(desk, options, { saved }), {
      makesStack: true,
      // The plan already names the stack.
      unattended: options.yes === true && options.create !== true && saved === undefined,
      runsProgram: true,
      spares,
    });
  } finally {
    spares.close();
  }
}

interface PreviewOptions extends OperationOptions, LookOptions {
  save?: string;
}

export function addPreview(program: Command): void {
  operationOptions(program.command("preview"))
    .description("show what up would change, field by field, and what that touches; changes nothing")
    .option("--refresh", "read the account first")
    .option(...continueOption)
    .option(...fullOption)
    .option("--save <file>", "save the plan, for up --plan")
    .addOption(foreignEditsOption())
    .addOption(failOnOption("exit with 1, and save no plan, on these findings of check"))
    .option(...detailedExitcode)
    .addHelpText("after", wrapped(LEGEND))
    .action(exiting(preview));
}

function preview(options: PreviewOptions): Promise<ExitCode> {
  const { save } = options;
  const keep = save === undefined ? undefined : (plan: SavedPlan) => writePrivate(save, jsonText(plan));
  if (save !== undefined) checkFile(save, "--save");
  const opening = { makesStack: "for a plan", runsProgram: true } as const;
  const work = (desk: Desk): Promise<Ended> => {
    const next = save && `The plan is saved: ${desk.session.advised("up", "--plan", save)} applies it.`;
    return previewed(desk, options, { keep, next });
  };
  return onStack(options, "preview", work, opening);
}

export function addDrift(program: Command): void {
  operationOptions(program.command("drift"))
    .description("compare the account with the last run and with the code; changes nothing")
    .option(...fullRead)
    .option("--write", "put the edits made in the app into landform.yaml or the program; keeps comments")
    .addOption(
      new Option(
        "--shared <way>",
        "with --write, for cells that several pages use: change the cell for all, or give this page a value of its own",
      ).choices(["all", "own"]),
    )
    .option(...detailedExitcode)
    .action(exiting(drift));
}

function drift(options: OperationOptions & DriftFlags): Promise<ExitCode> {
  if (options.shared !== undefined && options.write !== true)
    throw new UsageError("--shared says how --write writes, so give --write as well");
  return onStack(options, "drift", (desk) => showDrift(desk, options), { runsProgram: true });
}

export function addRefresh(program: Command): void {
  operationOptions(program.command("refresh"))
    .description("update the state from the account; changes nothing in the account")
    .option("-y, --yes", "no effect: this command, unlike pulumi refresh, never asks")
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

type DestroyOptions = OperationOptions & SafetyOptions;

export function addDestroy(program: Command): void {
  safetyOptions(operationOptions(program.command("destroy")))
    .description("delete everything that the stack holds, and say what stays")
    .option(...continueOption)
    .option(...fullOption)
    .action(exiting(destroy));
}

function destroy(options: DestroyOptions): Promise<ExitCode> {
  const kind = options.maxDeletes === undefined ? "destroy" : "destroy --max-deletes";
  const intent = { ...limitsOf(options), kind } as const;
  return onStack(options, "destroy", (desk) => carryOut(desk, intent, { question: "Destroy all of this?" }));
}
