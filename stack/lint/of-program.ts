/** Lint of a program: it is run as by preview, and what it registers is looked at. Nothing is sent. */
import type { Diagnostic } from "../../manifest/index.ts";
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import type { OperationOptions } from "../options.ts";
import { failureCode } from "../run/ended.ts";
import { StackSession } from "../run/session.ts";
import type { Teller } from "../run/teller.ts";
import type { Report } from "../report/model.ts";
import { failing, type FailOn } from "./fail-on.ts";
import { findingsOf } from "./of-plan.ts";

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
