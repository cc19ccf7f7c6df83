import type { Command } from "commander";
import { exitCodes, RefusedError, type ExitCode } from "../../stack/exit/codes.ts";
import { failureCode } from "../../stack/run/ended.ts";
import { continueOption, detailedExitcode, foreignEditsOption, fullOption, operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { failOnOption } from "../fail-on.ts";
import { checkFile, writePrivate } from "../../stack/project/named-files.ts";
import { makePlan } from "../../stack/plan/make.ts";
import { hasChanges, type Ended, type Intent } from "../../stack/plan/plan.ts";
import type { SavedPlan } from "../../stack/plan/saved-plan.ts";
import { shellWord } from "../../stack/advice/shell.ts";
import { showPlan } from "../output/show.ts";
import { jsonText } from "../../stack/report/printable.ts";
import { LEGEND } from "../../stack/report/words.ts";
import { onStack, type Desk } from "../session.ts";
import { exiting } from "./action.ts";

interface PreviewOptions extends OperationOptions, Pick<Intent, "refresh" | "foreignEdits" | "failOn"> {
  detailedExitcode?: true;
  save?: string;
}

type PreviewChoice = Pick<PreviewOptions, "refresh" | "foreignEdits" | "failOn" | "detailedExitcode"> &
  Pick<Intent, "maxDeletes" | "force">;

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

interface Keeping {
  /** What becomes of a plan that can be applied. */
  keep?: ((plan: SavedPlan) => Promise<void> | void) | undefined;
  /** What is said then. */
  next?: string | undefined;
  /** It is made for an apply that nobody attends: where that is sure to refuse it, this is refused. The way out, beside those of the refusal. */
  wayOut?: string;
}

export async function previewed(
  desk: Desk,
  { refresh, foreignEdits, failOn, maxDeletes, force, detailedExitcode: detailed }: PreviewChoice,
  { keep, next, wayOut }: Keeping,
): Promise<Ended> {
  const { output, session } = desk;
  const allowed = { ...(maxDeletes && { maxDeletes }), ...(force && { force }) };
  const intent: Intent = { kind: "preview", refresh, foreignEdits, failOn, keeps: keep !== undefined, ...allowed };
  const { report, saved, findings } = await makePlan(session, intent);
  showPlan(desk, report);
  const held = wayOut === undefined ? undefined : findings.find(({ weight }) => weight === "hold");
  if (held !== undefined && report.result === "succeeded") {
    const error = new RefusedError(
      session.advised(`the apply is sure to refuse this, and no plan is kept: ${held.text}\n${wayOut}`),
    );
    return { report, exit: error.exitCode, error };
  }
  if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
  if (saved !== undefined) await keep?.(saved);
  const { advised } = session;
  if (next !== undefined) output.line(advised(next));
  else if (hasChanges(report)) output.line(output.canvas.styles.faint(advised("Apply it with npx landform up.")));
  return { report, exit: detailed === true && hasChanges(report) ? exitCodes.changes : exitCodes.done };
}
