/** What `ci plan`, `ci apply` and `ci drift` share: they find out where they are, run, and tell what came of it. */
import { CommandError, type ExitCode } from "../exit/codes.ts";
import { explain } from "../exit/explain.ts";
import { failedReport } from "../exit/report.ts";
import type { OperationOptions } from "../options.ts";
import { advisedFor } from "../output/next-command.ts";
import type { Report, Verb } from "../report/model.ts";
import { StackSession } from "../run/session.ts";
import { ciEnvironment, type CiEnvironment, type CiOptions } from "./environment.ts";
import { tell } from "./tell.ts";

export interface CiRunOptions extends OperationOptions, CiOptions {}

/** What a run is about, as far as it is known; it is told whatever comes of it. */
export interface CiRun {
  readonly environment: CiEnvironment;
  readonly session: StackSession;
  /** The change that the run turns out to be about. */
  about: { change?: number | undefined; commit?: string | undefined; line: string };
}

export async function inCi(
  verb: Verb,
  options: CiRunOptions,
  work: (run: CiRun) => Promise<ExitCode>,
  { makesStack = false } = {},
): Promise<ExitCode> {
  const environment = ciEnvironment(options);
  const { change, commit } = environment;
  const about: CiRun["about"] = { change: change?.number, commit: change?.head ?? commit, line: "" };
  let session: StackSession | undefined;
  let failed: Report | undefined;
  try {
    return await StackSession.with(
      options,
      (opened) => {
        session = opened;
        return work({ environment, session: opened, about });
      },
      { makesStack },
    );
  } catch (error) {
    const { message: said, exitCode } = explain(error, { verbose: false });
    const message = advisedFor(options, process.cwd())(said);
    const report = error instanceof CommandError ? (error.report ?? session?.told) : session?.told;
    failed = named(failedReport(verb, options.stack, { message, exitCode, report }), session);
    throw error;
  } finally {
    const report = failed ?? session?.told;
    const line = lineOf(about, environment);
    if (report !== undefined)
      await tell({ environment, report, ...about, root: session?.folder.root ?? options.C, line });
  }
}

/** A run that ended before its report was made still has a project. */
function named(report: Report, session: StackSession | undefined): Report {
  if (session === undefined || report.project !== "") return report;
  return { ...report, project: session.folder.project.name, stack: session.folder.stack };
}

export function lineOf({ line, commit }: Pick<CiRun["about"], "line" | "commit">, { runUrl }: CiEnvironment): string {
  const of = commit === undefined ? "" : ` \`${commit.slice(0, 12)}\``;
  const run = runUrl === undefined ? "" : ` · [the run](${runUrl})`;
  return `${line}${of}${run}`;
}
