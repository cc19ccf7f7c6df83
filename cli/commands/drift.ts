import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { failureCode } from "../../stack/run/ended.ts";
import { detailedExitcode, fullRead, operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import type { Advice } from "../../stack/report/model.ts";
import { withDrafts } from "../../stack/run/drafts.ts";
import { withPublic } from "../../stack/run/public-pages.ts";
import { withUndeclared } from "../../stack/run/undeclared.ts";
import { withUnfinishedReleases } from "../../stack/run/unfinished-releases.ts";
import { writeDrift } from "../../stack/run/write-drift.ts";
import type { Ended } from "../../stack/plan/plan.ts";
import { showPlan } from "../output/show.ts";
import { onStack, reporting, type Desk } from "../session.ts";
import { exiting } from "./action.ts";

interface DriftFlags {
  full?: true;
  public?: true;
  write?: true;
  unmanaged?: true;
  detailedExitcode?: true;
}

export function addDrift(program: Command): void {
  operationOptions(program.command("drift"))
    .description("compare what exists with the last run and with the code; changes nothing")
    .option(...fullRead)
    .option("--public", "look at the public pages, too, and name those that don't show what was published")
    .option("--unmanaged", "list what the account holds and nobody declares, with an entry for each")
    .option("--write", "put what was changed in the app into landform.yaml or the program, comments kept")
    .option(...detailedExitcode)
    .action(exiting(drift));
}

function drift(options: OperationOptions & DriftFlags): Promise<ExitCode> {
  return onStack(options, "drift", (desk) => showDrift(desk, options), { runsProgram: true });
}

/** A preview that looks at what exists first knows all three sides. */
export async function showDrift(
  desk: Desk,
  { full, write, unmanaged, public: looksAtPublic, detailedExitcode: detailed }: DriftFlags,
): Promise<Ended> {
  const { session, output } = desk;
  const planned = await session.run("drift", { kind: "preview", refresh: true, full }, { quiet: true });
  const ran = { ...planned, report: await withUnfinishedReleases(session, planned) };
  const drafts = await withDrafts(session, ran, { full });
  const visited = looksAtPublic === true ? await withPublic(session, { ...ran, report: drafts }) : drafts;
  return reporting({ session, report: visited }, async () => {
    const found =
      unmanaged === true && visited.result === "succeeded" ? await withUndeclared(session, visited) : visited;
    const report = (found.drift ?? []).length === 0 ? found : { ...found, advice: [PUTS_BACK] };
    showPlan(desk, report);
    if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
    const written = write === true ? await writeDrift(session, report, ran.preview.told) : [];
    for (const line of written) output.line(line);
    const count = (report.drift ?? []).length + (report.public ?? []).length;
    return { report, exit: detailed === true && count > 0 ? exitCodes.changes : exitCodes.done };
  });
}

const PUTS_BACK: Advice = { command: "up", arguments: ["--refresh"], reason: "puts back what the code says." };
