/** `landform undo`: puts the changes of a run back, with a plan that is reviewed like any other. */
import { refuseBlankRun } from "../../stack/history/history.ts";
import type { Command } from "commander";
import { UsageError, type ExitCode } from "../../stack/exit/codes.ts";
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
  wrapped,
} from "../options.ts";
import type { OperationOptions, SafetyOptions } from "../../stack/options.ts";
import { checkFile, writePrivate } from "../../stack/project/files.ts";
import { type Desk, onStack } from "../desk.ts";
import { jsonText } from "../../stack/report/printable.ts";
import { LEGEND } from "../../stack/report/words.ts";
import type { Ended, Intent } from "../../stack/review/plan.ts";
import { readPlan, type SavedPlan } from "../../stack/review/saved-plan.ts";
import type { SettledStep } from "../../stack/undo/undo-plan.ts";
import { sourceLines, writeSource, withNewIds } from "../../stack/undo/source.ts";
import type { Undoes } from "../../stack/undo/undoing.ts";
import { carryOut, previewed } from "../carry-out.ts";

interface UndoOptions extends Omit<OperationOptions, "target">, SafetyOptions, Pick<Intent, "foreignEdits"> {
  preview?: true;
  skipConflicts?: true;
  write?: true;
  save?: string;
  plan?: string;
  detailedExitcode?: true;
}

const NOTES = `
The next up makes the change again, unless you revert the code too, or use --write.`;

export function addUndo(program: Command): void {
  const command = engineOption(
    reportOptions(
      stackOptions(
        program.command("undo").argument("[run]", "id of the run, or the beginning of it (default: the last run)"),
      ),
    ),
  );
  safetyOptions(command.addOption(parallelOption()))
    .description("take back the changes of a run, the last one or one of history; shows a plan first")
    .option("--preview", "show the plan, and change nothing")
    .option(
      "--skip-conflicts",
      "leave values that a person or a later run has changed since, and undo the rest (default: exit with 3)",
    )
    .option("--save <file>", "save the plan, for undo --plan; changes nothing")
    .option("--plan <file>", "apply the plan that undo --save saved, or exit with 3; doesn't ask")
    .option("--write", "put the old values into landform.yaml too; keeps comments")
    .option(...detailedExitcode)
    .option(...fullOption)
    .addOption(foreignEditsOption())
    .addHelpText("after", wrapped(`${NOTES}\n${LEGEND}`))
    .action(exiting(undo));
}

async function undo(id: string | undefined, options: UndoOptions): Promise<ExitCode> {
  const { plan, save, preview } = options;
  refuseBlankRun(id);
  const isLook = preview === true || save !== undefined;
  if (plan !== undefined && isLook)
    throw new UsageError("--plan applies what was reviewed, and --save and --preview change nothing: give one of them");
  if (save !== undefined) checkFile(save, "--save");
  const saved = plan === undefined ? undefined : readPlan(plan, "undo");
  const undoes = { run: id, skipsConflicts: options.skipConflicts === true };
  return onStack({ ...options, target: [] }, "undo", (desk) =>
    isLook ? look(desk, undoes, options) : takeBack(desk, undoes, saved, options),
  );
}

function look(desk: Desk, undoes: Undoes, { foreignEdits, save, detailedExitcode }: UndoOptions): Promise<Ended> {
  const keep = save === undefined ? undefined : (plan: SavedPlan) => writePrivate(save, jsonText(plan));
  const next = save && `The plan is saved: ${desk.session.advised("undo", "--plan", save)} applies it.`;
  return previewed(desk, { foreignEdits, undoes, ...(detailedExitcode && { detailedExitcode }) }, { keep, next });
}

function takeBack(desk: Desk, undoes: Undoes, saved: SavedPlan | undefined, options: UndoOptions): Promise<Ended> {
  const choice = { ...limitsOf(options), undoes, foreignEdits: options.foreignEdits };
  const intent: Intent = saved ? { ...choice, kind: "undo --plan", yes: true, saved } : { ...choice, kind: "undo" };
  return carryOut(desk, intent, {
    question: "Undo this?",
    afterUndo: async ({ steps, isAsCode }, { result }) => {
      if (result === "succeeded") await offerSource(desk, isAsCode ? [] : steps, options);
    },
  });
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
  if (lines.length > 0)
    output.line("The code says something else. Write these values into it, or the next up writes the code's again:");
  for (const line of lines.slice(0, MOST_LINES)) output.line(output.canvas.styles.faint(`  ${redactor.text(line)}`));
  const more = lines.length - MOST_LINES;
  if (more > 0) output.line(output.canvas.styles.faint(`  and ${more} more`));
}

const MOST_LINES = 8;
