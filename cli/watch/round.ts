/** One round of a watch: does what `up --yes` does, with all its guards, in fewer lines. */
import { explain } from "../../stack/exit/report.ts";
import { messageWithAdvice } from "../../stack/advice/next-command.ts";
import { limitsOf } from "../options.ts";
import type { Spares } from "../../engine/index.ts";
import type { SafetyOptions, StateOptions } from "../../stack/options.ts";
import type { Ended, Intent } from "../../stack/review/plan.ts";
import { StackSession } from "../../stack/run/session.ts";
import { storyOf } from "../../story/story.ts";
import { findingLines, sectionLines, verdictLine } from "../../story/terminal.ts";
import { carryOut, type Telling } from "../carry-out.ts";
import type { Desk } from "../desk.ts";
import type { Output } from "../output/terminal.ts";

export interface RoundOptions extends StateOptions, SafetyOptions {}

export async function round(options: RoundOptions, output: Output, spares: Spares): Promise<void> {
  const { C, stack, engine, verbose } = options;
  const tellError = (error: unknown): void =>
    output.line(`${output.canvas.styles.bad("error:")} ${messageWithAdvice(explain(error, options))}`);
  const work = (session: StackSession): Promise<Ended> => {
    const desk = { session, output };
    const intent: Intent = { ...limitsOf(options), kind: "up", yes: true, isWatch: true };
    return carryOut(desk, intent, tellingOf(desk));
  };
  try {
    const session = { C, stack, engine, ...(verbose && { verbose }), target: [] };
    const opening = { makesStack: true, runsProgram: true, spares, teller: output } as const;
    const { error } = await StackSession.with(session, work, opening);
    if (error !== undefined) tellError(error);
  } catch (error) {
    tellError(error);
  }
}

const MOST_URLS = 5;

function tellingOf({ session: { said }, output }: Desk): Telling {
  const told = new Set<string>();
  return {
    question: "",
    showPlan: (given) => {
      const plan = said(given);
      if (plan.result === "cancelled") return;
      for (const { text } of plan.findings) told.add(text);
      const story = storyOf(plan);
      tell(output, findingLines(story, output.canvas));
      if (plan.result === "failed") output.line(verdictLine(story, output.canvas));
    },
    showOutcome: (given) => {
      const report = said(given);
      const news = { ...report, findings: report.findings.filter(({ text }) => !told.has(text)) };
      const urls = report.urls.slice(0, MOST_URLS).map((url) => `  ${output.canvas.styles.link(url)}`);
      const story = storyOf(news);
      const seen = story.sections.filter(({ id }) => id === "seen").flatMap((one) => sectionLines(one, output.canvas));
      tell(output, [...urls, ...seen, ...findingLines(story, output.canvas), verdictLine(story, output.canvas)]);
    },
  };
}

function tell({ line }: Output, lines: readonly string[]): void {
  for (const text of lines) line(text);
}
