/** A person is told a plan, or the end of a run. */
import type { Desk } from "../session.ts";
import type { Report } from "../../stack/report/model.ts";
import { storyOf } from "../../story/story.ts";
import { outcomeLines, planLines } from "../../story/terminal.ts";

export function showPlan({ output, session: { said } }: Desk, given: Report): void {
  for (const line of planLines(storyOf(said(given)), output.canvas)) output.line(line);
}

/** After a run whose steps were told one by one. */
export function showOutcome({ output, session: { said, advised } }: Desk, given: Report): void {
  for (const line of outcomeLines(storyOf(said(given)), output.canvas)) output.line(advised(line));
}
