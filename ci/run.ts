/** What `ci plan`, `ci apply` and `ci drift` share: they find out where they are, run, and tell what came of it. */
import { CommandError, exitCodes, type ExitCode } from "../stack/exit/codes.ts";
import { explain } from "../stack/exit/explain.ts";
import { failedReport } from "../stack/exit/report.ts";
import type { OperationOptions } from "../stack/options.ts";
import { advisedFor } from "../stack/advice/next-command.ts";
import { openProject } from "../stack/project/open.ts";
import { stackNamed } from "../stack/project/stack-name.ts";
import type { Report, Verb } from "../stack/report/model.ts";
import type { Opening } from "../stack/run/opened.ts";
import { StackSession } from "../stack/run/session.ts";
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

/**
 * `first`: what has to be found before there is a stack; its error leaves nothing behind. `later`: takes the report of what the
 * work looks at, in place of those who asked for one.
 */
export async function inCi<Found = undefined>(
  verb: CiVerb,
  options: CiRunOptions,
  work: (run: CiRun, found: Found | undefined) => Promise<ExitCode>,
  {
    makesStack = false,
    first,
    later,
  }: Pick<Opening, "makesStack"> & Pick<OperationOptions, "later"> & { first?: (job: CiJob) => Promise<Found> } = {},
): Promise<ExitCode> {
  const environment = ciEnvironment(options);
  const { change, commit } = environment;
  const about: CiRun["about"] = { change: change?.number, commit: change?.head ?? commit, line: LINES[verb] };
  let session: StackSession | undefined;
  let failed: Report | undefined;
  try {
    const refused = await refusedFork(verb, environment, forgeOf(environment), options.pr !== undefined);
    if (refused !== undefined) {
      tellRefused(verb, environment, refused, options);
      return exitCodes.done;
    }
    if (makesStack !== false) await guardState(options, environment);
    const found = first && (await first({ environment, about, ...(await nameOf(options)) }));
    return await StackSession.with(
      { ...options, ...(later && { later }) },
      (opened) => {
        session = opened;
        return work({ environment, session: opened, about }, found);
      },
      { makesStack, runsProgram: true },
    );
  } catch (error) {
    const { message: said, exitCode } = explain(error, { verbose: false });
    const message = advisedFor(options, process.cwd())(said);
    const report = error instanceof CommandError ? (error.report ?? session?.told) : session?.told;
    failed = await named(failedReport(verb, options.stack, { message, exitCode, report }), options);
    throw error;
  } finally {
    const report = failed ?? session?.told;
    const line = lineOf(about, environment);
    if (report !== undefined)
      await tell({ environment, report, ...about, root: session?.folder.root ?? options.C, line });
  }
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
