import type { Command } from "commander";
import { exitCodes, type ExitCode } from "../exit.ts";
import { failureCode, Operation } from "../operation.ts";
import { detailedExitcode, operationOptions, type OperationOptions } from "../options.ts";
import { renderDrift } from "../render/drift.ts";
import { troubleLines } from "../render/messages.ts";
import { exiting } from "./action.ts";

interface DriftFlags {
  full?: true;
  detailedExitcode?: true;
}

export function addDrift(program: Command): void {
  operationOptions(program.command("drift"))
    .description("compare what exists with the last run and with the code; changes nothing")
    .option("--full", "read every page's content, also where nothing seems to have changed")
    .option(...detailedExitcode)
    .action(exiting(drift));
}

function drift(options: OperationOptions & DriftFlags): Promise<ExitCode> {
  return Operation.with(options, (operation) => showDrift(operation, options));
}

/** A preview that looks at what exists first knows all three sides. */
export async function showDrift(
  operation: Operation,
  { full, detailedExitcode: detailed }: DriftFlags,
): Promise<ExitCode> {
  const { output } = operation;
  const { report } = await operation.run("drift", { kind: "preview", refresh: true, full }, { quiet: true });
  for (const line of troubleLines(report, output.canvas)) output.line(line);
  if (report.result === "succeeded") output.line(renderDrift(report, output.canvas));
  operation.write(report);
  if (report.result !== "succeeded") return failureCode(report, { sent: false });
  return detailed === true && (report.drift ?? []).length > 0 ? exitCodes.changes : exitCodes.done;
}
