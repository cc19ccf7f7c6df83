import type { Command } from "commander";
import { checkoutIn } from "../../provider/preview/checkout.ts";
import { takeDown } from "../../stack/env/down.ts";
import type { DownOptions, UpOptions } from "../../stack/env/types.ts";
import { bringUp } from "../../stack/env/up.ts";
import { collect, type GcOptions, type Verdict } from "../../stack/env/gc.ts";
import { listEnvironments, type ListOptions } from "../../stack/env/list.ts";
import { collectedLines, listLines } from "../../stack/env/show.ts";
import { hostHere, standingsAt, tellReclaimed } from "../../ci/preview-tell.ts";
import { type ExitCode, exitCodes } from "../../stack/exit/codes.ts";
import { idleReport } from "../../stack/exit/report.ts";
import { checkReportFiles, writeReports } from "../../story/reports.ts";
import { agreed, refuseUnattended, showPictures } from "../desk.ts";
import { environmentOptions, handsOf } from "../environment.ts";
import { Output } from "../output/terminal.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { print, printJson, tellsWhy } from "../../story/print.ts";
import { openProject } from "../../stack/project/open.ts";
import {
  engineOption,
  exiting,
  folderOption,
  jsonOption,
  parallelOption,
  positive,
  reportOptions,
  verboseOption,
  yesOption,
} from "../options.ts";

export function addEnv(program: Command): void {
  const env = engineOption(verboseOption(folderOption(program.command("env")))).description(
    "make, list and remove previews: published copies of what a branch or a pull request describes",
  );
  environmentOptions(applied(env.command("up")))
    .description(
      "make or update an environment: a preview of a branch, with pages of its own; the base stack stays as it is",
    )
    .option("--changed", "copy only the pages that the change touches, and what links to them (default: all of them)")
    .option("--commit <sha>", "commit that is deployed (default: the one that is checked out)")
    .action(exiting(up));
  applied(env.command("down").argument("[name]", "name of the environment, such as pr-12"))
    .description("remove an environment; needs only its state, not the code")
    .action(exiting(down));
  jsonOption(env.command("list"))
    .description("list the environments: branch, age, addresses, expiry, and what they hold")
    .action(exiting(list));
  yesOption(jsonOption(env.command("gc")))
    .description("remove closed, expired and half-made environments")
    .addOption(parallelOption())
    .action(exiting(gc));
}

function applied(command: Command): Command {
  return yesOption(reportOptions(command))
    .addOption(parallelOption())
    .option("--pr <number>", "the environment of this pull or merge request", positive)
    .option("--branch <name>", "the environment of this branch");
}

async function up(options: UpOptions): Promise<ExitCode> {
  checkReportFiles(options);
  const output = new Output(options);
  const brought = await bringUp(options, handsOf(output));
  if (brought.report !== undefined) {
    showPictures(output, brought.report);
    writeReports(brought.report, options);
  }
  return brought.code;
}

async function down(name: string | undefined, options: DownOptions): Promise<ExitCode> {
  checkReportFiles(options);
  const taken = await takeDown({ ...options, ...(name !== undefined && { name }) }, handsOf(new Output(options)));
  const { report, why } = taken;
  if (report !== undefined) writeReports(report, options);
  if (why !== undefined) writeReports(idleReport("destroy", taken.name, why), options);
  return taken.code;
}

interface LookOptions extends ListOptions {
  json?: true;
}

async function list(options: LookOptions): Promise<ExitCode> {
  const environments = await listEnvironments(options);
  if (options.json === true) printJson(environments);
  else print(listLines(environments, new Date(), advisedFor(options, process.cwd())).join("\n"));
  return exitCodes.done;
}

async function gc(options: GcOptions): Promise<ExitCode> {
  const { root, project } = await openProject(options.C, { runs: false });
  const host = hostHere();
  const { repository } = checkoutIn(root);
  const output = new Output(options);
  const mayGo = async (due: readonly Verdict[]): Promise<boolean> => {
    for (const { environment, reason } of due) output.line(`  - ${environment.name}, ${reason ?? ""}`);
    if (options.yes === true) return true;
    refuseUnattended(output, "nothing was removed");
    return agreed({ output }, "Take these down?");
  };
  const asking = { standings: standingsAt(host, root, repository), repository };
  const collected = await collect(options, asking, { ...handsOf(output), mayGo });
  await tellReclaimed(host, project.name, collected);
  if (collected.code !== exitCodes.done) tellsWhy();
  if (options.json === true) printJson(collected);
  else print(collectedLines(collected).join("\n"));
  return collected.code;
}
