/** `landform undo`: puts the changes of a run back, with a plan that is reviewed like any other. */
import type { Command } from "commander";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import {
  limitsOf,
  detailedExitcode,
  engineOption,
  exiting,
  foreignEditsOption,
  fullOption,
  parallelOption,
  reportOptions,
  safetyOptions,
  stackOptions,
} from "../options.ts";
import type { OperationOptions, SafetyOptions } from "../../stack/options.ts";
import { checkFile, writePrivate } from "../../stack/project/files.ts";
import { type Desk, onStack, showPlan } from "../desk.ts";
import { jsonText } from "../../stack/report/printable.ts";
import { LEGEND, hasChanges } from "../../stack/report/words.ts";
import type { Report } from "../../stack/report/model.ts";
import { blankReport, failureCode } from "../../stack/exit/report.ts";
import { makePlan } from "../../stack/plan/make.ts";
import type { Ended, Intent } from "../../stack/plan/plan.ts";
import { checkPlan, readPlan, type SavedPlan } from "../../stack/plan/saved-plan.ts";
import type { SettledStep } from "../../stack/undo/undo-plan.ts";
import { sourceLines, writeSource, withNewIds } from "../../stack/undo/source.ts";
import { nothingLeftOf, prepareUndo, withUndoing, type Undoing } from "../../stack/undo/undoing.ts";
import { storyOf } from "../../story/story.ts";
import { findingLines } from "../../story/terminal.ts";
import { carryOut } from "../carry-out.ts";
import { refuseBlankRun } from "../../stack/history/find.ts";

interface UndoOptions extends Omit<OperationOptions, "target">, SafetyOptions, Pick<Intent, "foreignEdits"> {
  preview?: true;
  skipConflicts?: true;
  write?: true;
  save?: string;
  plan?: string;
  detailedExitcode?: true;
}

const NOTES = `
What somebody changed since, by hand or by a later run, is named and never overwritten: exit 3, or with --skip-conflicts
the rest is undone. The code stays as it is: the next up brings the change again, unless the source goes back, too.`;

export function addUndo(program: Command): void {
  const command = engineOption(reportOptions(stackOptions(program.command("undo [run]"))));
  safetyOptions(command.addOption(parallelOption()))
    .description("take back what a run changed, the last one or one of history, as a plan of its own")
    .option("--preview", "show the plan, and change nothing")
    .option("--skip-conflicts", "undo the rest where something was changed since")
    .option("--save <file>", "save the plan, for undo --plan; changes nothing")
    .option("--plan <file>", "apply the plan that undo --save saved, or exit with 3; doesn't ask")
    .option("--write", "put the old values into landform.yaml, too, comments kept")
    .option(...detailedExitcode)
    .option(...fullOption)
    .addOption(foreignEditsOption())
    .addHelpText("after", `${NOTES}\n${LEGEND}`)
    .action(exiting(undo));
}

async function undo(id: string | undefined, options: UndoOptions): Promise<ExitCode> {
  const { plan, save } = options;
  refuseBlankRun(id);
  if (plan !== undefined && (save !== undefined || options.preview === true))
    throw new UsageError("--plan applies what was reviewed, and --save and --preview change nothing: give one of them");
  if (save !== undefined) checkFile(save, "--save");
  const saved = plan === undefined ? undefined : readPlan(plan, "undo");
  return onStack({ ...options, target: [] }, "undo", (desk) => undoRun(desk, id, saved, options));
}

/** Tells if the command changes nothing. */
function isLook({ preview, save }: UndoOptions): boolean {
  return preview === true || save !== undefined;
}

async function undoRun(
  desk: Desk,
  id: string | undefined,
  saved: SavedPlan | undefined,
  options: UndoOptions,
): Promise<Ended> {
  const { session, output } = desk;
  if (saved) checkPlan(saved, session, "undo");
  if (!isLook(options)) await session.hold();
  const prepared = await prepareUndo(session, id, saved?.undoes);
  const how = { skipConflicts: options.skipConflicts === true };
  const ended = await withUndoing(session, prepared, how, (undoing) =>
    isLook(options) ? lookAt(desk, undoing, options) : takeBack(desk, undoing, saved, options),
  );
  if (ended !== undefined) return ended;
  const blank = { ...blankReport(session.folder.stack), project: session.folder.project.name };
  const report: Report = { ...blank, command: "undo", result: "succeeded", undone: prepared.undone };
  for (const line of findingLines(storyOf(report), output.canvas)) output.line(line);
  output.line(nothingLeftOf(prepared.undone));
  return { report, exit: exitCodes.done };
}

async function lookAt(desk: Desk, undoing: Undoing, options: UndoOptions): Promise<Ended> {
  const { foreignEdits, save } = options;
  const keeps = save !== undefined;
  const { report, saved } = await makePlan(desk.session, { kind: "undo --preview", undoing, foreignEdits, keeps });
  showPlan(desk, report);
  if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
  if (save !== undefined) {
    writePrivate(save, jsonText(saved));
    desk.output.line(
      `The plan is saved: ${desk.session.advised("undo", "--plan", save)} applies it.`,
    );
  }
  const changes = options.detailedExitcode === true && hasChanges(report);
  return { report, exit: changes ? exitCodes.changes : exitCodes.done };
}

async function takeBack(
  desk: Desk,
  undoing: Undoing,
  saved: SavedPlan | undefined,
  options: UndoOptions,
): Promise<Ended> {
  const choice = { ...limitsOf(options), undoing, foreignEdits: options.foreignEdits };
  const intent: Intent = saved ? { ...choice, kind: "undo --plan", yes: true, saved } : { ...choice, kind: "undo" };
  const ended = await carryOut(desk, intent, { question: "Undo this?" });
  if (ended.hasRun === true && ended.report.result === "succeeded") await offerSource(desk, undoing.steps, options);
  return ended;
}

async function offerSource(
  { session, output }: Desk,
  settled: readonly SettledStep[],
  { write }: UndoOptions,
): Promise<void> {
  const { engine, redactor } = session;
  const records = (await engine.records()) ?? [];
  const steps = withNewIds(settled, records);
  if (write === true) {
    for (const line of await writeSource(session, steps, records)) output.line(line);
    return;
  }
  const lines = sourceLines(steps, session.folder.manifest);
  if (lines.length > 0) output.line("The next up brings the change again, unless the source says:");
  for (const line of lines.slice(0, MOST_LINES)) output.line(output.canvas.styles.faint(`  ${redactor.text(line)}`));
  const more = lines.length - MOST_LINES;
  if (more > 0) output.line(output.canvas.styles.faint(`  and ${more} more`));
}

const MOST_LINES = 8;
