/** The shared parts of `ci plan`, `ci apply` and `ci drift`: they find out where they run, run, and tell the result. */
import { checkoutIn } from "../provider/preview/checkout.ts";
import { CommandError, RefusedError, UsageError } from "../stack/exit/codes.ts";
import { failedReport, reportOf, blankReport, explain, idleReport } from "../stack/exit/report.ts";
import { isJob } from "../stack/settings/settings.ts";
import type { OperationOptions, ReportOptions } from "../stack/options.ts";
import type { Ended } from "../stack/review/plan.ts";
import { openProject, stackNamed } from "../stack/project/open.ts";
import type { Report, Verb } from "../stack/report/model.ts";
import type { Opening } from "../stack/run/opened.ts";
import { StackSession } from "../stack/run/session.ts";
import type { Teller } from "../stack/run/teller.ts";
import { withStacks } from "../stack/stacks/stacks.ts";
import { printError } from "../story/print.ts";
import { checkReportFiles, writeReports } from "../story/reports.ts";
import { ciEnvironment, type CiEnvironment, type CiOptions } from "./environment.ts";
import type { ChangeNow, Forge } from "./forge/forge.ts";
import { asked } from "./forge/http.ts";
import { notify, webhookIn } from "./notify.ts";
import type { Reviewed } from "./plans.ts";
import { forgeOf, tell, tellRunner } from "./tell.ts";

export interface CiRunOptions extends OperationOptions, CiOptions {
  /** The webhook that hears of the result: a secret. */
  notify?: string;
}

interface About {
  readonly change?: number | undefined;
  readonly commit?: string | undefined;
  readonly line: string;
}

export interface CiRun {
  readonly environment: CiEnvironment;
  readonly session: StackSession;
  readonly about: About;
}

/** A job before its stack is opened, or made. */
export interface CiJob extends Pick<CiRun, "environment"> {
  readonly project: string;
  readonly stack: string;
  readonly reviewed: Reviewed | undefined;
}

type CiVerb = Extract<Verb, "preview" | "up" | "drift">;

const LINES: Readonly<Record<CiVerb, string>> = {
  preview: "Plan for commit",
  up: "Apply of commit",
  drift: "Drift at commit",
};

interface CiOpening<Found> extends Pick<Opening, "makesStack"> {
  /** Finds the change that the commit came from. */
  readonly whose?: (environment: CiEnvironment) => Promise<Reviewed | undefined>;
  /** Finds what the job needs before there is a stack. An error leaves nothing behind. */
  readonly first?: (job: CiJob) => Promise<Found>;
  /** Adds to a refusal what is next for this job. */
  readonly refusal?: (error: RefusedError, environment: CiEnvironment) => Promise<RefusedError>;
  readonly teller: Teller;
}

/** Returns undefined if the job is a fork's and may do nothing. */
export async function inCi<Found = undefined>(
  verb: CiVerb,
  options: CiRunOptions,
  work: (run: CiRun, found: Found | undefined) => Promise<Ended>,
  { makesStack = false, whose, first, refusal, teller }: CiOpening<Found>,
): Promise<Ended | undefined> {
  const webhook = webhookIn(options.notify);
  // In a CI the job names the commit. Elsewhere it is the commit that is checked out.
  const environment = ciEnvironment(options, { checkedOut: isJob() ? undefined : checkoutIn(options.C).commit });
  let about = aboutOf(verb, environment);
  let root = options.C;
  let report: Report | undefined;
  const said = async <Told>(error: Told): Promise<Told | RefusedError> =>
    refusal !== undefined && error instanceof RefusedError ? refusal(error, environment) : error;
  try {
    const refused = await refusedFork(verb, environment, forgeOf(environment), options.pr !== undefined);
    if (refused !== undefined) {
      await tellRefused(verb, environment, refused, options);
      return undefined;
    }
    if (makesStack !== false) await guardState(options, environment);
    const reviewed = await whose?.(environment);
    if (reviewed) about = { ...about, commit: reviewed.head, change: reviewed.number ?? about.change };
    const found = first && (await first({ environment, reviewed, ...(await nameOf(options)) }));
    const ended = await StackSession.with(
      options,
      async (session) => {
        root = session.folder.root;
        const done = await work({ environment, session, about }, found);
        return { ...done, report: session.said(done.report), error: await said(done.error) };
      },
      { makesStack, runsProgram: true, teller },
    );
    report = reportOf(ended, verb, options);
    return ended;
  } catch (caught) {
    const error = await said(caught);
    report = await named(failedReport(verb, options.stack, explain(error, { ...options, verbose: false })), options);
    if (!(error instanceof CommandError)) throw error;
    const blank: Report = { ...blankReport(options.stack), command: verb, result: "failed" };
    return { report: await named(blank, options), error, exit: error.exitCode };
  } finally {
    if (report !== undefined) {
      await tell({ environment, report, ...about, root, line: lineOf(about, environment) });
      await notify(webhook, report, environment.runUrl);
    }
  }
}

/** Nobody reviews a merge train's try, so the reviewed plan stays on the request. */
function aboutOf(verb: CiVerb, { change, commit, inTrain }: CiEnvironment): About {
  const isTried = verb === "preview" && inTrain;
  return { change: isTried ? undefined : change?.number, commit: change?.head ?? commit, line: LINES[verb] };
}

/** Adds the project's name to the report of a run that ended early, even if only the name could be read. */
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

export function lineOf({ line, commit }: Pick<About, "line" | "commit">, { runUrl }: CiEnvironment): string {
  const of = commit === undefined ? "" : ` \`${commit.slice(0, 12)}\``;
  const run = runUrl === undefined ? "" : ` · [the run](${runUrl})`;
  return `${line}${of}${run}`;
}

/** `none`: the work that is not done for it. `known`: the request on the code host. Returns undefined if it comes from no fork. */
export function forkRefusal(
  { change }: Pick<CiEnvironment, "change">,
  known: Pick<ChangeNow, "fork"> | undefined,
  called: string,
  none: string,
): string | undefined {
  const fork = change?.fork ?? known?.fork;
  return (
    fork &&
    `${called} comes from ${fork}, and ${none}: a key opens the whole account, so it is for code of this repository alone`
  );
}

const NONE: Readonly<Record<CiVerb, string>> = {
  preview: "gets no plan",
  drift: "gets no look for drift",
  up: "is not applied",
};

/** Returns undefined if the code may run. Merged code belongs to the repository, and may be applied. */
async function refusedFork(
  verb: CiVerb,
  environment: CiEnvironment,
  forge: Forge | undefined,
  isNamed: boolean,
): Promise<string | undefined> {
  const { change, unmerged } = environment;
  if (change === undefined || (verb === "up" && !unmerged && !isNamed)) return undefined;
  // If a request is named by hand, no event tells where it comes from.
  const answer = isNamed && forge !== undefined ? await asked(() => forge.change(change.number)) : undefined;
  const known = answer !== undefined && "answer" in answer ? answer.answer : undefined;
  if (verb === "up" && isNamed && known?.open !== true) return undefined;
  const called = forge?.nameOf(change.number) ?? `request ${change.number}`;
  return forkRefusal(environment, known, called, NONE[verb]);
}

/** Tells that a fork's job may do nothing. That fails only an apply, because its changes were not applied. */
async function tellRefused(
  verb: CiVerb,
  environment: CiEnvironment,
  why: string,
  options: ReportOptions & { stack: string },
): Promise<void> {
  if (verb === "up") throw new RefusedError(`${why}. Nothing was sent`);
  checkReportFiles(options);
  printError(`note: ${why}.`);
  await tellRunner(environment, [["result", "skipped"]], `${why}.`);
  writeReports(idleReport(verb, options.stack, why), options);
}

/**
 * Guards against a state that the next job would not have: that job would make everything a second time. It refuses if the job's machine is
 * surely deleted, and warns if nobody knows. A stack that already exists was brought along.
 */
async function guardState(
  { C, stack, engine }: OperationOptions,
  { passing }: Pick<CiEnvironment, "passing">,
): Promise<void> {
  if (passing === "no" || process.env["PULUMI_BACKEND_URL"]) return;
  const folder = await openProject(C, { runs: false });
  if (folder.project.backendUrl !== undefined) return;
  const name = stackNamed(stack, folder.project.name);
  await withStacks(engine, folder, async (stacks) => {
    if (stacks.place !== `${folder.root}/.pulumi`) return;
    if ((await stacks.list()).some((one) => one.name === name)) return;
    const where = `PULUMI_BACKEND_URL is not set, so the state of ${folder.project.name}/${name} would be in the folder of this job`;
    const remedy =
      "Set it among the variables of the repository: a bucket, PostgreSQL, Pulumi Cloud, or file:///FOLDER for one that stays";
    const again = "the next job would make everything a second time";
    if (passing === "surely")
      throw new UsageError(`${where} and be lost with it: ${again}. Nothing was sent. ${remedy}`);
    printError(`note: ${where}. If that folder is deleted after the job, ${again}. ${remedy}.`);
  });
}
