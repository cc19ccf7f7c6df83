/** One round of a watch: does what `up --yes` does, with all its guards, in fewer lines. */
import { limitsOf } from "../options.ts";
import { LockedError, type Spares } from "../../engine/index.ts";
import { LandformApi, NetworkError, ServerError, TimeoutError } from "../../provider/api/index.ts";
import { anchorOf } from "../../provider/messages/failures.ts";
import { explain } from "../../stack/exit/explain.ts";
import type { EngineChoice, SafetyOptions, StackOptions } from "../../stack/options.ts";
import type { Ended, Intent } from "../../stack/plan/plan.ts";
import { accountOf } from "../../stack/project/settings.ts";
import type { Failure, Report } from "../../stack/report/model.ts";
import { StackSession } from "../../stack/run/session.ts";
import { storyOf } from "../../story/story.ts";
import { findingLines, sectionLines, verdictLine } from "../../story/terminal.ts";
import { carryOut, type Telling } from "../carry-out.ts";
import type { Desk } from "../desk.ts";
import type { Output } from "../output/terminal.ts";
import { isSource, namesOf, type OwnFiles, pause, type ProjectFiles } from "./files.ts";

export interface RoundOptions extends StackOptions, SafetyOptions {
  engine: EngineChoice;
}

interface RoundAbout {
  readonly output: Output;
  readonly spares: Spares;
  readonly files: ProjectFiles;
  readonly own: OwnFiles;
  /** True if a preview may be given up once its code has changed. */
  readonly mayGiveUp: boolean;
  /** True if another run held the stack a moment ago, so that it is no news. */
  readonly isAgain: boolean;
}

interface Round {
  /** The files that changed during the round. */
  readonly during: readonly string[];
  readonly obstacle?: Obstacle | undefined;
  /** True if the code changed before anything was sent. */
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

function intentOf(options: RoundOptions, meanwhile: Meanwhile): Intent {
  return {
    ...limitsOf(options),
    ...{ kind: "up", yes: true, isWatch: true, overtaken: meanwhile.overtaken },
    begin: async () => ((await meanwhile.isOvertaken()) ? undefined : {}),
  };
}

function tellingOf({ session: { said }, output }: Desk): Telling {
  const told = new Set<string>();
  return {
    question: "",
    showPlan: (given) => {
      const plan = said(given);
      if (plan.result === "cancelled") return;
      for (const { text } of plan.findings) told.add(text);
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

/** `locked`: another run holds the stack. `service`: the service can't be reached, or has a failure of its own. */
export type Obstacle = "locked" | "service";

const OBSTACLE_TEXTS: Record<Obstacle, string> = {
  locked: "Tried again until it is free.",
  service: "Tried again once the service answers.",
};

const SERVICE = [NetworkError, TimeoutError, ServerError];
const SERVICE_CODES: ReadonlySet<string> = new Set(SERVICE.map(({ name }) => anchorOf(name)));

function obstacleIn(error: unknown): Obstacle | undefined {
  if (error instanceof LockedError) return "locked";
  return SERVICE.some((one) => error instanceof one) ? "service" : undefined;
}

/** Returns undefined if the run has another error, too. That error has to be mended first, and the next save is tried anyway. */
export function obstacleOf({ result, failures }: Pick<Report, "result" | "failures">): Obstacle | undefined {
  if (result !== "failed" || failures.length === 0) return undefined;
  if (failures.every(({ cause }) => cause === "locked")) return "locked";
  return failures.every(isOfService) ? "service" : undefined;
}

function isOfService({ cause, step }: Failure): boolean {
  return cause === "operation" && step !== undefined && SERVICE_CODES.has(step.code);
}

const LOOK_MS = 3_000;

/** Tells if the service answers again. It is also true if only a run can tell. */
export async function isServiceThere(options: StackOptions): Promise<boolean> {
  let api: LandformApi | undefined;
  try {
    api = new LandformApi({ ...(await accountOf(options)), timeoutMs: LOOK_MS });
    await api.account.me();
    return true;
  } catch (error) {
    return obstacleIn(error) !== "service";
  } finally {
    await api?.close();
  }
}

// Watches for saves while the program runs for its plan. Nothing is sent yet, so if the code changes, the plan is given up and made anew.
// Without this, nobody could mend a program in an endless loop.

/** Most previews end sooner than a new one would. */
const GRACE_MS = 2_000;

interface About {
  readonly own: OwnFiles;
  readonly mayGiveUp: boolean;
  readonly tell: (line: string) => void;
}

class Meanwhile {
  readonly #files: ProjectFiles;
  readonly #about: About;
  readonly #changed = new Set<string>();
  readonly #stop = new AbortController();
  readonly #overtaken = new AbortController();
  readonly #watching: Promise<void>;

  constructor(files: ProjectFiles, about: About) {
    this.#files = files;
    this.#about = about;
    this.#watching = this.#watch();
  }

  /** Aborted if the code changes during the preview. */
  get overtaken(): AbortSignal {
    return this.#overtaken.signal;
  }

  /** Called after the preview: tells if its code has changed. It stops watching. */
  async isOvertaken(): Promise<boolean> {
    this.#add(await this.#end());
    if (this.#isOtherCode()) this.#overtaken.abort();
    return this.overtaken.aborted;
  }

  /** All files that have changed since the run began. */
  async all(): Promise<string[]> {
    this.#add(await this.#end());
    return [...this.#changed].sort();
  }

  async #end(): Promise<string[]> {
    this.#stop.abort();
    await this.#watching;
    return this.#files.changed();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    for (let isTold = false; !signal.aborted;) {
      this.#add((await this.#files.nextChange(signal)) ?? []);
      if (await this.#endsWithin(GRACE_MS)) return;
      if (this.#isOtherCode()) {
        this.#overtaken.abort();
        return;
      }
      if (isTold || this.#changed.size === 0) continue;
      this.#about.tell(`${namesOf([...this.#changed])}: applied once the run that is under way has ended.`);
      isTold = true;
    }
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    await pause(milliseconds, this.#stop.signal);
    return this.#stop.signal.aborted;
  }

  #add(paths: readonly string[]): void {
    for (const path of paths) if (!this.#about.own.has(path)) this.#changed.add(path);
  }

  #isOtherCode(): boolean {
    return this.#about.mayGiveUp && [...this.#changed].some(isSource);
  }
}
