/** Lint of a program: it is run as by preview, and what it registers is looked at. Nothing is sent. */
import type { Diagnostic } from "../../manifest/index.ts";
import { exitCodes, type ExitCode } from "../exit/codes.ts";
import type { OperationOptions } from "../options.ts";
import { troubleLines } from "../../story/messages.ts";
import { failureCode } from "../run/ended.ts";
import { StackSession } from "../run/session.ts";
import { failing, type FailOn } from "./fail-on.ts";
import { findingsOf } from "./in-preview.ts";

export function lintProgram(
  options: Omit<OperationOptions, "target" | "json"> & { json?: true | undefined },
  failOn: FailOn,
  show: (findings: readonly Diagnostic<string>[], name: string) => void,
): Promise<ExitCode> {
  const { json, ...rest } = options;
  return StackSession.with(
    { ...rest, ...(json && { json }), target: [] },
    async (session) => {
      const { output, folder, redactor } = session;
      const { report, preview } = await session.run("preview", { kind: "preview" }, { quiet: true });
      if (report.result !== "succeeded") {
        for (const line of troubleLines(report, output.canvas)) output.line(line);
        return failureCode(report, { sent: false });
      }
      const findings = redactor.value(findingsOf(folder, preview, failOn));
      show(findings, folder.project.name);
      return failing(findings, failOn).length > 0 ? exitCodes.failed : exitCodes.done;
    },
    { makesStack: "for a look" },
  );
}
