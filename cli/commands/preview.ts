import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { failureCode, finish } from "../../stack/run/ended.ts";
import { StackSession } from "../../stack/run/session.ts";
import { continueOption, detailedExitcode, foreignEditsOption, fullOption, operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { failOnOption } from "../fail-on.ts";
import type { FailOn } from "../../stack/lint/fail-on.ts";
import { linted } from "../../stack/lint/in-preview.ts";
import { checkFile } from "../../stack/project/named-files.ts";
import { withAlsoLive, wordsOf, type ForeignEditsOptions } from "../../stack/checks/also-live.ts";
import { Leftovers } from "../../stack/run/leftovers.ts";
import { holdings } from "../../stack/plan/holdings.ts";
import { madeBefore, withDoubled } from "../../stack/checks/made-before.ts";
import { withMentions } from "../../stack/checks/mentions.ts";
import { savedPlan, type SavedPlan } from "../../stack/plan/saved-plan.ts";
import { shellWord } from "../../stack/advice/shell.ts";
import { withUnasked } from "../../stack/run/unasked.ts";
import { showPlan } from "../output/show.ts";
import { hasChanges, LEGEND } from "../../story/words.ts";
import { emptiedBy } from "../../stack/checks/emptied.ts";
import { withRefusal } from "../../stack/checks/safety.ts";
import { exiting } from "./action.ts";

interface PreviewOptions extends OperationOptions, ForeignEditsOptions {
  detailedExitcode?: true;
  save?: string;
  refresh?: true;
  failOn?: FailOn;
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
  const keep = save === undefined ? undefined : (plan: SavedPlan) => writeFileSync(save, JSON.stringify(plan));
  const next =
    save === undefined ? undefined : `The plan is saved: npx landform up --plan ${shellWord(save)} applies it.`;
  if (save !== undefined) checkFile(save, "--save");
  return StackSession.with(options, (session) => plan(session, options, { keep, next }), {
    makesStack: "for a plan",
    runsProgram: true,
  });
}

interface Keeping {
  /** What becomes of a plan that can be applied. */
  keep?: ((plan: SavedPlan) => Promise<void> | void) | undefined;
  /** What is said then. */
  next?: string | undefined;
}

export async function plan(
  session: StackSession,
  options: Pick<PreviewOptions, "refresh" | "detailedExitcode" | "foreignEdits" | "failOn">,
  { keep, next }: Keeping,
): Promise<ExitCode> {
  const { refresh } = options;
  const { output, advised } = session;
  const leftovers = await Leftovers.begin(session, "up");
  const request = { kind: "preview", refresh, wantsPlan: keep !== undefined } as const;
  const ran = await session.run("preview", request, { quiet: true });
  const foreseen = await session.foresee(ran.report, ran.preview, wordsOf(session, options));
  const doubled = await madeBefore(session, foreseen, ran.preview);
  const mentioned = await withMentions(session, withDoubled(foreseen, doubled), ran.preview);
  const foretold = await leftovers.foretold(mentioned, ran.preview);
  const due = await withAlsoLive(session, { ...ran, report: foretold }, options);
  const whole = withRefusal(due, emptiedBy(session, due));
  const report = withUnasked(session, linted(session, ran.preview, whole, options.failOn));
  showPlan(session, report);
  if (report.result !== "succeeded") return finish(session, report, failureCode(report, { sent: false }));
  if (keep !== undefined) {
    const { told } = ran.preview;
    const holds = await holdings(session, told);
    await keep(savedPlan(session, { ...ran.report, impact: report.impact }, ran.plan, { told, holds }));
  }
  if (next !== undefined) output.line(advised(next));
  else if (hasChanges(report)) output.line(output.canvas.styles.faint(advised("Apply it with npx landform up.")));
  const changes = options.detailedExitcode === true && hasChanges(report);
  return finish(session, report, changes ? exitCodes.changes : exitCodes.done);
}
