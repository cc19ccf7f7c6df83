/** `landform undo`: what a run changed is put back, as a plan that is reviewed like any other. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { nameOf } from "../../engine/index.ts";
import { newKey, seal } from "../../provider/history/sealing.ts";
import { REPLAY_VARIABLE, type Replay } from "../../provider/pulumi/replayed.ts";
import type { RunRequest } from "../../stack/engines/types.ts";
import { exitCodes, NothingLeftError, RefusedError, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import {
  detailedExitcode,
  engineOption,
  foreignEditsOption,
  fullOption,
  parallelOption,
  reportOptions,
  safetyOptions,
  stackOptions,
} from "../options.ts";
import type { OperationOptions, SafetyOptions } from "../../stack/options.ts";
import { checkFile } from "../../stack/project/named-files.ts";
import { shellWord } from "../../stack/advice/shell.ts";
import { showOutcome, showPlan } from "../output/show.ts";
import { ownModule } from "../package.ts";
import { hasChanges, LEGEND } from "../../story/words.ts";
import type { Report, UndoneRun } from "../../stack/report/model.ts";
import { foreignEditsOf, withAlsoLive, wordsOf, type ForeignEditsOptions } from "../../stack/checks/also-live.ts";
import { withReleased } from "../../stack/run/after-release.ts";
import { Leftovers } from "../../stack/run/leftovers.ts";
import { confirmed } from "../../stack/run/confirm.ts";
import { doubledRefusal, madeBefore, withDoubled } from "../../stack/checks/made-before.ts";
import { refusal } from "../../stack/checks/safety.ts";
import { refuseDraftEdits } from "../../stack/plan/edited-since.ts";
import { withUnasked } from "../../stack/run/unasked.ts";
import { checkPlan, checkSamePlan, readPlan, savedPlan, type SavedPlan } from "../../stack/plan/saved-plan.ts";
import { failureCode, finish } from "../../stack/run/ended.ts";
import { summaryOf } from "../../stack/plan/plan-summary.ts";
import { StackSession } from "../../stack/run/session.ts";
import { prepare, type Prepared } from "../../stack/undo/prepare.ts";
import { UNKEPT, type SettledStep } from "../../stack/undo/undo-plan.ts";
import { withNewIds } from "../../stack/undo/new-ids.ts";
import { sourceLines, writeSource } from "../../stack/undo/source.ts";
import { conflictText, shownUndo, undoneRun } from "../../stack/undo/shown.ts";
import { exiting } from "./action.ts";
import { refuseBlankRun } from "../../stack/history/find.ts";
import { stepsOf } from "./up.ts";

interface UndoOptions extends Omit<OperationOptions, "target">, SafetyOptions, ForeignEditsOptions {
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
  return StackSession.with({ ...options, target: [] }, (session) => undoRun(session, id, saved, options));
}

async function undoRun(
  session: StackSession,
  id: string | undefined,
  saved: SavedPlan | undefined,
  options: UndoOptions,
): Promise<ExitCode> {
  if (saved) checkPlan(saved, session, "undo");
  if (!isLook(options)) await session.hold();
  const prepared = await prepare(session, saved?.undoes ?? id).catch((error: unknown) => {
    // A run that the history no longer has is no fault of who applies what was reviewed.
    throw saved && error instanceof UsageError ? new RefusedError(error.message) : error;
  });
  if (id !== undefined && saved !== undefined && !prepared.run.start.id.startsWith(id))
    throw new RefusedError(`the plan takes back the run ${prepared.run.start.id}, and not ${id}`);
  const { run, plan, undo: settled } = prepared;
  const lost = plan.lost.map((one) => ({ ...one, text: session.advised(one.text) }));
  const undone = session.redactor.value(undoneRun(run, settled.conflicts, lost));
  tell(session, undone);
  if (undone.conflicts.length > 0 && options.skipConflicts !== true) throw new RefusedError(conflictsText(undone));
  if (settled.steps.length === 0) return await nothingLeft(session, undone, saved);
  const folder = mkdtempSync(join(tmpdir(), "landform-undo-"));
  try {
    return await planAndApply(session, prepared, undone, replayIn(folder, prepared), { ...options, saved });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function nothingLeft(
  { output, engine, advised }: StackSession,
  { id }: UndoneRun,
  saved: SavedPlan | undefined,
): Promise<ExitCode> {
  const nothing = `There is nothing left of run ${id} to undo.`;
  const creations = await engine.underWay();
  const open = creations.map(({ urn }) => nameOf(urn));
  const adopted = creations.filter(({ inputs }) => typeof inputs?.["adoptId"] === "string");
  if (adopted.length > 0) {
    const ways = advised(
      "npx landform up carries on with it, and npx landform undo then gives back what was there before.",
    );
    const names = adopted.map(({ urn }) => nameOf(urn)).join(", ");
    throw new RefusedError(
      `${nothing.replace("nothing left", "nothing in the state")} But a killed run was taking over ${names}, and may have written to it: ${ways}`,
    );
  }
  if (open.length > 0) {
    const ways = advised(
      "npx landform up carries on with it, or removes it where the code no longer declares it; npx landform destroy takes it along.",
    );
    throw new RefusedError(
      `${nothing} But a killed run was creating ${open.join(", ")}, and no state tells what became of it: ${ways}`,
    );
  }
  if (saved) throw new NothingLeftError(`${nothing} Nothing was sent`);
  output.line(nothing);
  return exitCodes.done;
}

async function planAndApply(
  session: StackSession,
  { undo: settled, findings }: Prepared,
  undone: UndoneRun,
  request: Pick<RunRequest, "program" | "targets" | "restore">,
  { saved, ...given }: UndoOptions & { saved: SavedPlan | undefined },
): Promise<ExitCode> {
  // What was reviewed needs no second yes.
  const options = saved === undefined ? given : { ...given, yes: true as const };
  const whole = (report: Report): Report => session.redactor.value({ ...shownUndo(report, settled, findings), undone });
  const forgotten = await forgetGone(session, settled.gone, options);
  if (forgotten && forgotten.result !== "succeeded") {
    showOutcome(session, forgotten, undefined);
    return finish(session, forgotten, failureCode(forgotten, { sent: false }));
  }
  // Without targets it would be all of the stack.
  if (settled.targets.length === 0) return nothingLeft(session, undone, saved);
  const leftovers = await Leftovers.begin(session, "undo");
  const wantsPlan = saved !== undefined || options.save !== undefined;
  const planned = await session.run("undo", { kind: "preview", wantsPlan, ...request }, { quiet: true });
  const foreseen = await session.foresee(planned.report, planned.preview, wordsOf(session, options));
  const doubled = await madeBefore(session, foreseen, planned.preview);
  const foretold = await leftovers.foretold(withDoubled(foreseen, doubled), planned.preview);
  const foreknown = whole(await withAlsoLive(session, { ...planned, report: foretold }, options));
  const plan = isLook(options) ? withUnasked(session, foreknown) : foreknown;
  showPlan(session, plan);
  if (plan.result !== "succeeded") return finish(session, plan, failureCode(plan, { sent: false }));
  if (isLook(options)) {
    if (options.save !== undefined)
      save(session, savedPlan(session, plan, planned.plan, { undoes: undone.id }), options.save);
    const changes = options.detailedExitcode === true && hasChanges(plan);
    return finish(session, plan, changes ? exitCodes.changes : exitCodes.done);
  }
  const expected = saved && (await checkSamePlan(saved, { report: plan, plan: planned.plan }, session));
  if (saved) refuseDraftEdits(saved, plan);
  const refused = refusal(plan, options) ?? doubledRefusal(doubled, options);
  if (refused !== undefined) throw new RefusedError(refused);
  if (!(await confirmed(session, options, "Undo this?"))) return finish(session, plan, exitCodes.failed);
  const foreignEdits = await foreignEditsOf(session, plan, planned, options);
  const total = stepsOf(plan.counts);
  await leftovers.keepInSight();
  const ran = await session.run(
    "undo",
    { kind: "up", ...request, expected, foreignEdits },
    { total, forecast: summaryOf(planned.preview), undoes: undone.id },
  );
  const report = { ...whole(await leftovers.removed(await withReleased(session, ran))), impact: plan.impact };
  showOutcome(session, report, nextStep(report, sourceLines(settled.steps).length > 0));
  if (report.result === "succeeded") await offerSource(session, settled.steps, options);
  if (report.result !== "succeeded") return finish(session, report, failureCode(report, { sent: true }));
  return finish(session, report, (report.held ?? []).length > 0 ? exitCodes.failed : exitCodes.done);
}

/** Nothing is changed by it. */
function isLook({ preview, save }: UndoOptions): boolean {
  return preview === true || save !== undefined;
}

function save({ output, advised }: StackSession, plan: SavedPlan, file: string): void {
  writeFileSync(file, JSON.stringify(plan));
  output.line(advised(`The plan is saved: npx landform undo --plan ${shellWord(file)} applies it.`));
}

async function offerSource(
  session: StackSession,
  settled: readonly SettledStep[],
  { write }: UndoOptions,
): Promise<void> {
  const { engine, output, redactor } = session;
  const records = (await engine.records()) ?? [];
  const steps = withNewIds(settled, records);
  if (write === true) return writeSource(session, steps, records);
  const lines = sourceLines(steps, session.folder.manifest);
  for (const line of lines.slice(0, MOST_LINES)) output.line(output.canvas.styles.faint(`  ${redactor.text(line)}`));
  const more = lines.length - MOST_LINES;
  if (more > 0) output.line(output.canvas.styles.faint(`  and ${more} more`));
}

const MOST_LINES = 8;

/** A run that was killed may have deleted what the state still holds. That is no change of the account. */
async function forgetGone(
  session: StackSession,
  gone: readonly string[],
  options: UndoOptions,
): Promise<Report | undefined> {
  if (gone.length === 0) return undefined;
  const request: RunRequest = { kind: "refresh", targets: [...gone], dryRun: isLook(options) };
  return (await session.run("refresh", request, { quiet: true })).report;
}

/** One key for the replay, for what is put back, and for the history of the undo itself. */
function replayIn(folder: string, { undo: { replay, restore, targets } }: Prepared) {
  const key = newKey();
  const file = join(folder, "replay");
  writeFileSync(file, seal(key, replay satisfies Replay), { mode: 0o600 });
  const program = { entry: ownModule("provider/pulumi/replay"), typescript: false, env: { [REPLAY_VARIABLE]: file } };
  return { program, targets: [...targets], restore: { values: restore, key } };
}

function tell({ output }: StackSession, { id, command, at, by, lost, conflicts }: UndoneRun): void {
  const { styles } = output.canvas;
  output.line(`${styles.strong(`Undo of run ${id}`)} (${command} by ${by}, ${at.slice(0, 16).replace("T", " ")} UTC)`);
  for (const { type, name, text } of lost) output.line(`  ${styles.warn("can't come back:")} ${type} ${name}: ${text}`);
  for (const conflict of conflicts)
    output.line(`  ${styles.warn("changed since, left alone:")} ${conflictText(conflict)}`);
  output.line();
}

function conflictsText({ conflicts }: UndoneRun): string {
  const lines = conflicts.map((conflict) => `  - ${conflictText(conflict)}`);
  const unkept = conflicts.filter(({ why }) => why === UNKEPT);
  return [
    "what is to be undone was changed since, and nothing was sent:",
    ...lines,
    ...(unkept.length > 0 ? [NOT_IN_HISTORY] : []),
    unkept.length === conflicts.length
      ? "Or undo the rest with --skip-conflicts."
      : "Undo that first (npx landform history tells of later runs), or undo the rest with --skip-conflicts.",
  ].join("\n");
}

const NOT_IN_HISTORY =
  "Plain pulumi keeps no history, and a run with another place for it (LANDFORM_HISTORY, landform:history) has it there: undo can't take that back from here. " +
  "Put the values that are to be into the code, and npx landform up brings them.";

function nextStep({ result, failures, held = [] }: Report, hasSource: boolean): string | undefined {
  if (failures.some(({ cause }) => cause === "locked")) return undefined;
  if (result !== "succeeded") return "Run npx landform undo again: it carries on where this one stopped.";
  if (held.length > 0)
    return "What is held back stays a draft until those edits are published or undone: then run npx landform undo again.";
  const next = hasSource ? " The next up brings the change again, unless the source says:" : "";
  return `npx landform undo takes back this undo.${next}`;
}
