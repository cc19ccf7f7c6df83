/** What `ci plan`, `ci apply` and `ci drift` share: they find out where they are, run, and tell what came of it. */
import { checkoutIn } from "../provider/preview/checkout.ts";
import { explain } from "../stack/exit/explain.ts";
import { failedReport, reportOf } from "../stack/exit/report.ts";
import type { OperationOptions } from "../stack/options.ts";
import { advisedFor } from "../stack/advice/next-command.ts";
import { openProject } from "../stack/project/open.ts";
import { stackNamed } from "../stack/project/stack-name.ts";
import type { Report, Verb } from "../stack/report/model.ts";
import type { Opening } from "../stack/run/opened.ts";
import type { Ended } from "../stack/plan/plan.ts";
import { StackSession } from "../stack/run/session.ts";
import type { Teller } from "../stack/run/teller.ts";
import { ciEnvironment, type CiEnvironment, type CiOptions } from "./environment.ts";
import { refusedFork, tellRefused } from "./fork.ts";
import { guardState } from "./lost-state.ts";
import { forgeOf, tell } from "./tell.ts";

export interface CiRunOptions extends OperationOptions, CiOptions {}

/** What a run is about, as far as it is known; it is told whatever comes of it. */
export interface CiRun {
  readonly environment: CiEnvironment;
  readonly session: StackSession;
  /** The change that the run turns out to be about. */
  about: { change?: number | undefined; commit?: string | undefined; line: string };
}

/** What is known before the stack is opened, which is made where there is none. */
export interface CiJob extends Pick<CiRun, "environment" | "about"> {
  readonly project: string;
  readonly stack: string;
}

type CiVerb = Extract<Verb, "preview" | "up" | "drift">;

const LINES: Readonly<Record<CiVerb, string>> = { preview: "Plan for", up: "Apply of", drift: "Drift at" };

interface CiOpening<Found> extends Pick<Opening, "makesStack"> {
  /** It finds what is needed before there is a stack; its error leaves nothing behind. */
  readonly first?: (job: CiJob) => Promise<Found>;
  readonly teller: Teller;
}

/** Undefined where a fork's job may do nothing. */
export async function inCi<Found = undefined>(
  verb: CiVerb,
  options: CiRunOptions,
  work: (run: CiRun, found: Found | undefined) => Promise<Ended>,
  { makesStack = false, first, teller }: CiOpening<Found>,
): Promise<Ended | undefined> {
  const environment = ciEnvironment(options, { checkedOut: isInCi() ? undefined : checkoutIn(options.C).commit });
  const { change, commit } = environment;
  const about: CiRun["about"] = { change: change?.number, commit: change?.head ?? commit, line: LINES[verb] };
  let root = options.C;
  let report: Report | undefined;
  try {
    const refused = await refusedFork(verb, environment, forgeOf(environment), options.pr !== undefined);
    if (refused !== undefined) {
      tellRefused(verb, environment, refused, options);
      return undefined;
    }
    if (makesStack !== false) await guardState(options, environment);
    const found = first && (await first({ environment, about, ...(await nameOf(options)) }));
    const ended = await StackSession.with(
      options,
      async (session) => {
        root = session.folder.root;
        const done = await work({ environment, session, about }, found);
        return { ...done, report: session.said(done.report) };
      },
      { makesStack, runsProgram: true, teller },
    );
    report = reportOf(ended, verb, options);
    return ended;
  } catch (error) {
    const { message: said, exitCode } = explain(error, { verbose: false });
    const message = advisedFor(options, process.cwd())(said);
    report = await named(failedReport(verb, options.stack, { message, exitCode }), options);
    throw error;
  } finally {
    if (report !== undefined) await tell({ environment, report, ...about, root, line: lineOf(about, environment) });
  }
}

/** There the job says which commit it is about; elsewhere it is the one that is checked out. */
function isInCi(): boolean {
  return process.env["GITHUB_ACTIONS"] === "true" || process.env["GITLAB_CI"] === "true";
}

/** A run that ended before its report was made still has a project, also where nothing of it could be opened but its name. */
async function named(report: Report, options: CiRunOptions): Promise<Report> {
  if (report.project !== "") return report;
  return nameOf(options).then(
    (name) => ({ ...report, ...name }),
    () => report,
  );
}

async function nameOf({ C, stack }: CiRunOptions): Promise<Pick<CiJob, "project" | "stack">> {
  const { name: project } = (await openProject(C, { runs: false })).project;
  return { project, stack: stackNamed(stack, project) };
}

export function lineOf({ line, commit }: Pick<CiRun["about"], "line" | "commit">, { runUrl }: CiEnvironment): string {
  const of = commit === undefined ? "" : ` \`${commit.slice(0, 12)}\``;
  const run = runUrl === undefined ? "" : ` · [the run](${runUrl})`;
  return `${line}${of}${run}`;
}
