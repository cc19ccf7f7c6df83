import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { failureCode } from "../../stack/run/ended.ts";
import { detailedExitcode, fullRead, operationOptions } from "../options.ts";
import type { OperationOptions } from "../../stack/options.ts";
import { renderDrift } from "../../story/drift.ts";
import { troubleLines } from "../../story/messages.ts";
import { withDrafts } from "../../stack/run/drafts.ts";
import { withPublic } from "../../stack/run/public-pages.ts";
import { withUndeclared } from "../../stack/run/undeclared.ts";
import { withUnfinishedReleases } from "../../stack/run/unfinished-releases.ts";
import { writeDrift } from "../../stack/run/write-drift.ts";
import type { Ended } from "../../stack/plan/plan.ts";
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
  { session, output }: Desk,
  { full, write, unmanaged, public: looksAtPublic, detailedExitcode: detailed }: DriftFlags,
): Promise<Ended> {
  const { said, advised } = session;
  const planned = await session.run("drift", { kind: "preview", refresh: true, full }, { quiet: true });
  const ran = { ...planned, report: await withUnfinishedReleases(session, planned) };
  const drafts = await withDrafts(session, ran, { full });
  const visited = looksAtPublic === true ? await withPublic(session, { ...ran, report: drafts }) : drafts;
  return reporting({ session, report: visited }, async () => {
    const report =
      unmanaged === true && visited.result === "succeeded" ? await withUndeclared(session, visited) : visited;
    for (const line of troubleLines(said(report), output.canvas)) output.line(line);
    if (report.result !== "succeeded") return { report, exit: failureCode(report, { sent: false }) };
    output.line(renderDrift(report, output.canvas, advised));
    const written = write === true ? await writeDrift(session, report, ran.preview.told) : [];
    for (const line of written) output.line(line);
    const found = (report.drift ?? []).length + (report.public ?? []).length;
    return { report, exit: detailed === true && found > 0 ? exitCodes.changes : exitCodes.done };
  });
}
