/** Lints the source of a plan: a manifest, or the resources that a program registers. */
import type { Diagnostic } from "../../manifest/source/diagnostics.ts";
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import { failureCode } from "../exit/report.ts";
import type { FailOn, OperationOptions } from "../options.ts";
import type { ProjectFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";
import type { Report } from "../report/model.ts";
import { changedPlaces } from "../report/written-in.ts";
import { StackSession } from "../run/session.ts";
import type { Teller } from "../run/teller.ts";
import { failing, findingsIn, manifestBeside, UNASKED } from "./findings.ts";
import { registered } from "./registered.ts";

export function findingsOf(
  folder: ProjectFolder,
  { told, changes }: Pick<Planned, "told" | "changes">,
  failOn?: FailOn,
): Diagnostic<string>[] {
  const beside = folder.manifest ?? manifestBeside(folder.root);
  const isAsked = failOn !== undefined || (beside?.lint.size ?? 0) > 0;
  if (beside !== undefined && beside.entries.length > 0)
    return findingsIn(beside, failOn ?? [], {
      changed: changedPlaces(changes, beside),
      ...(!isAsked && { only: UNASKED }),
    });
  // A program has no translations to tell of unasked.
  return isAsked
    ? findingsIn(registered(folder, told, beside?.lint ?? new Map()), failOn ?? [], { in: folder.root })
    : [];
}

interface Showing {
  readonly teller: Teller;
  readonly show: (findings: readonly Diagnostic<string>[], name: string) => void;
  readonly showFailed: (report: Report) => void;
}

export function lintProgram(
  { C, stack, engine, verbose }: Pick<OperationOptions, "C" | "stack" | "engine" | "verbose">,
  failOn: FailOn,
  { teller, show, showFailed }: Showing,
): Promise<ExitCode> {
  return StackSession.with(
    { C, stack, engine, ...(verbose && { verbose }), target: [] },
    async (session) => {
      const { folder, redactor } = session;
      const { report, preview } = await session.run("preview", { kind: "preview" }, { quiet: true });
      if (report.result !== "succeeded") {
        showFailed(report);
        return failureCode(report, { sent: false });
      }
      const findings = redactor.value(findingsOf(folder, preview, failOn));
      show(findings, folder.project.name);
      return failing(findings, failOn).length > 0 ? exitCodes.failed : exitCodes.done;
    },
    { makesStack: "for a look", teller },
  );
}
