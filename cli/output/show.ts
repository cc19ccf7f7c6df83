/** What people are told at the end of a run. */
import type { Desk } from "../session.ts";
import { seenLines } from "../../story/seen.ts";
import { renderPlan, outputLines, summaryLine } from "../../story/plan.ts";
import { troubleLines } from "../../story/messages.ts";
import type { Report } from "../../stack/report/model.ts";

export function showPlan({ output, session: { said } }: Desk, given: Report): void {
  const report = said(given);
  const trouble = troubleLines(report, output.canvas);
  for (const line of trouble) output.line(line);
  if (trouble.length > 0) output.line();
  const stopped = report.result === "cancelled";
  if (stopped) output.line("Stopped before its end. Nothing in the account was changed.");
  else if (report.failures.length === 0 || report.changes.length > 0) output.line(renderPlan(report, output.canvas));
}

/** After a run whose steps were told one by one. */
export function showOutcome({ output, session }: Desk, given: Report, next: string | undefined): void {
  const { said, advised } = session;
  const report = said(given);
  const trouble = troubleLines(report, output.canvas);
  if (trouble.length > 0) output.line();
  for (const line of trouble) output.line(line);
  for (const line of outputLines(report, output.canvas)) output.line(line);
  for (const line of seenLines(report, output.canvas)) output.line(advised(line));
  output.line();
  output.line(`${verdict(report)} ${summaryLine(report, output.canvas)}`);
  if (next !== undefined) output.line(output.canvas.styles.faint(advised(next)));
}

function verdict({ result, held = [] }: Report): string {
  if (result !== "succeeded" || held.length === 0) return VERDICTS[result];
  return `Done, but ${held.length === 1 ? "1 page is" : `${held.length} pages are`} held back (${held.map(({ name }) => name).join(", ")}):`;
}

const VERDICTS: Record<Report["result"], string> = {
  succeeded: "Done:",
  failed: "Failed:",
  cancelled: "Stopped before its end:",
};
