/** One round of a watch: what `up --yes` does, with each of its guards, told in fewer lines. */
import type { Spares } from "../../engine/index.ts";
import type { Ended, Intent } from "../../stack/plan/plan.ts";
import { carryOut, type Telling } from "../carry-out.ts";
import type { Desk } from "../session.ts";
import { explain } from "../../stack/exit/explain.ts";
import type { EngineChoice, SafetyOptions, StackOptions } from "../../stack/options.ts";
import type { Output } from "../output/terminal.ts";
import { storyOf } from "../../story/story.ts";
import { findingLines, sectionLines, verdictLine } from "../../story/terminal.ts";
import { StackSession } from "../../stack/run/session.ts";
import type { ProjectFiles } from "./files.ts";
import { Meanwhile } from "./meanwhile.ts";
import { obstacleIn, obstacleOf, OBSTACLE_TEXTS, type Obstacle } from "./obstacle.ts";
import type { OwnFiles } from "./own-files.ts";

export interface RoundOptions extends StackOptions, SafetyOptions {
  engine: EngineChoice;
}

export interface RoundAbout {
  readonly output: Output;
  readonly spares: Spares;
  readonly files: ProjectFiles;
  readonly own: OwnFiles;
  /** A preview whose code is another one by now may be given up. */
  readonly mayGiveUp: boolean;
  /** Another run held the stack a moment ago: that it still does is no news. */
  readonly isAgain: boolean;
}

export interface Round {
  /** What has changed while it was under way. */
  readonly during: readonly string[];
  readonly obstacle?: Obstacle | undefined;
  /** The code was another one before anything was sent. */
  readonly isOvertaken: boolean;
  readonly hasApplied: boolean;
}

export async function round(options: RoundOptions, about: RoundAbout): Promise<Round> {
  const { files, own, spares, mayGiveUp, output } = about;
  const seen: { meanwhile?: Meanwhile; ended?: Ended } = {};
  const work = async (session: StackSession): Promise<Ended> => {
    const meanwhile = (seen.meanwhile = new Meanwhile(files, { own, mayGiveUp, tell: output.aside }));
    const desk = { session, output };
    return (seen.ended = await carryOut(desk, intentOf(options, meanwhile), tellingOf(desk)));
  };
  const thrown = await attempted(options, work, { spares, teller: output });
  const error = thrown === undefined ? seen.ended?.error : thrown.error;
  const report = seen.ended?.report;
  const obstacle = error === undefined ? report && obstacleOf(report) : obstacleIn(error);
  const isNews = !(obstacle === "locked" && about.isAgain);
  if (error !== undefined && isNews) tellError(error, options, output);
  if (obstacle !== undefined && isNews) output.line(output.canvas.styles.faint(OBSTACLE_TEXTS[obstacle]));
  return {
    during: (await seen.meanwhile?.all()) ?? files.changed().filter((path) => !own.has(path)),
    obstacle,
    isOvertaken: seen.meanwhile?.overtaken.aborted === true,
    hasApplied: report?.changes.some(({ status }) => status === "done") === true,
  };
}

async function attempted(
  { C, stack, engine, verbose }: RoundOptions,
  work: (session: StackSession) => Promise<Ended>,
  about: { readonly spares: Spares; readonly teller: Output },
): Promise<{ error: unknown } | undefined> {
  try {
    const options = { C, stack, engine, ...(verbose && { verbose }), target: [] };
    await StackSession.with(options, work, { makesStack: true, runsProgram: true, ...about });
    return undefined;
  } catch (error) {
    return { error };
  }
}

function tellError(error: unknown, { verbose }: RoundOptions, { line, canvas }: Output): void {
  line(`${canvas.styles.bad("error:")} ${explain(error, { verbose: verbose === true }).message}`);
}

const MOST_URLS = 5;

function intentOf({ force, maxDeletes }: RoundOptions, meanwhile: Meanwhile): Intent {
  return {
    ...{ kind: "up", yes: true, isWatch: true, overtaken: meanwhile.overtaken },
    begin: async () => ((await meanwhile.isOvertaken()) ? undefined : {}),
    ...(force && { force }),
    ...(maxDeletes && { maxDeletes }),
  };
}

function tellingOf({ session: { said, advised }, output }: Desk): Telling {
  const told = new Set<string>();
  return {
    question: "",
    showPlan: (given) => {
      const plan = said(given);
      if (plan.result === "cancelled") return;
      for (const warning of plan.warnings) told.add(warning);
      const story = storyOf(plan);
      const mentions = story.sections.filter(({ id }) => id === "mentions");
      tell(output, findingLines(story, output.canvas));
      tell(
        output,
        mentions.flatMap((one) => sectionLines(one, output.canvas)),
      );
      if (plan.result === "failed") output.line(verdictLine(story, output.canvas));
    },
    showOutcome: (given) => {
      const report = said(given);
      const news = { ...report, warnings: report.warnings.filter((warning) => !told.has(warning)) };
      const urls = report.urls.slice(0, MOST_URLS).map((url) => `  ${output.canvas.styles.link(url)}`);
      const story = storyOf(news);
      const seen = story.sections.filter(({ id }) => id === "seen").flatMap((one) => sectionLines(one, output.canvas));
      tell(output, [
        ...urls,
        ...seen.map(advised),
        ...findingLines(story, output.canvas),
        verdictLine(story, output.canvas),
      ]);
    },
  };
}

function tell({ line }: Output, lines: readonly string[]): void {
  for (const text of lines) line(text);
}
