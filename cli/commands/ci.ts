import { type Command, InvalidArgumentError, Option } from "commander";
import { READ_ONLY_VARIABLE } from "../../provider/api/config.ts";
import { mergedBy } from "../../provider/preview/checkout.ts";
import {
  ALLOW_DELETES,
  allowsDeletes,
  artifactsOf,
  NoReviewError,
  olderThanBranch,
  type Reviewed,
  reviewedFor,
  StoredPlans,
} from "../../ci/plans.ts";
import { isVerifySaid } from "../../provider/pulumi/settings-in-force.ts";
import type { SavedPlan } from "../../stack/review/saved-plan.ts";
import type { Ended, Intent } from "../../stack/review/plan.ts";
import { checkReportFiles } from "../../story/reports.ts";
import type { StackSession } from "../../stack/run/session.ts";
import type { CiEnvironment } from "../../ci/environment.ts";
import { inCi, type CiJob, type CiRun, type CiRunOptions } from "../../ci/run.ts";
import { refuseNeverApplied, tellFound } from "../../ci/drift.ts";
import { folderIn, forgeOf } from "../../ci/tell.ts";
import { type ExitCode, exitCodes, NothingLeftError, RefusedError, UsageError } from "../../stack/exit/codes.ts";
import {
  detailedExitcode,
  exiting,
  foreignEditsOption,
  fullRead,
  limitOptions,
  runOptions,
  safetyOptions,
  stackOption,
  targetOption,
  verifyOption,
  yesOption,
  wrapped,
} from "../options.ts";
import type { SafetyOptions, StackOptions } from "../../stack/options.ts";
import type { Advice } from "../../stack/report/model.ts";
import { type Conflict, PlanConflictError } from "../../stack/review/agreement.ts";
import { finish, reporting } from "../desk.ts";
import { Output } from "../output/terminal.ts";
import type { CiPreviewOptions } from "../../ci/preview.ts";
import { environmentOptions, handsOf } from "../environment.ts";
import { failOnOption } from "../fail-on.ts";
import { broughtUp, previewed, showDrift } from "../carry-out.ts";

interface PlanOptions extends CiRunOptions, Pick<Intent, "foreignEdits" | "failOn" | "maxDeletes" | "force"> {
  plans?: string;
  refresh?: true;
  detailedExitcode?: true;
}

interface ApplyOptions extends CiRunOptions, SafetyOptions, Pick<Intent, "foreignEdits"> {
  plans?: string;
  replan?: true;
  refresh?: true;
  verify?: true | "strict";
}

interface DriftOptions extends CiRunOptions {
  full?: true;
  detailedExitcode?: true;
}

/** Adds the next steps to the refusal of a plan. In an old job that runs again, they are others. */
async function refusedApply(error: RefusedError, environment: CiEnvironment): Promise<RefusedError> {
  const isConflict = error instanceof PlanConflictError;
  if (!isConflict && !(error instanceof NoReviewError)) return error;
  const older = await olderThanBranch(environment);
  if (older !== undefined) return new RefusedError(`${error.what}${isConflict ? "\n" : ". "}${older}`);
  return isConflict ? new RefusedError(`${error.message}\n${NEW_REQUEST}`, { advice: [afterMerge(error)] }) : error;
}

function afterMerge({ conflicts }: PlanConflictError): Advice {
  const isEdited = conflicts.some(({ code }) => OF_PEOPLE.has(code));
  return {
    command: "ci apply",
    arguments: ["--replan", "--refresh", ...(isEdited ? ["--foreign-edits", "include"] : [])],
    reason: `applies the code as it is now${isEdited ? " over the edits in the app" : ""}, without a review.`,
  };
}

const OF_PEOPLE: ReadonlySet<string> = new Set<Conflict["code"]>([
  "changed by hand",
  "edited in its draft",
  "edited since the review",
]);

const NEW_REQUEST = "Already merged? Open a new request: its plan is made against the account as it is now.";

const PLACE = "a folder, a bucket as s3://BUCKET/PREFIX, or artifact:FOLDER, which the job of ci plan uploads";

const plansOption = ["--plans <place>", `place where plans wait for the merge: ${PLACE}`] as const;

export function addCi(program: Command): void {
  const ci = codeHostOptions(runOptions(stackOption(program.command("ci"))))
    .description("plan, apply, preview and look for drift in a CI, and post the result on the code host")
    .addHelpText("after", wrapped(ABOUT));
  const ofStack = (name: string): Command =>
    targetOption(ci.command(name)).option(
      "--notify <url>",
      "tell changes, drift and failures in one line to this webhook of Slack or Teams; nothing if it is empty",
    );
  limitOptions(ofStack("plan"))
    .description("preview, keep the plan for the merge, and post it on the pull request; changes nothing")
    .option(...plansOption)
    .option("--refresh", "read the account first")
    .addOption(foreignEditsOption())
    .addOption(failOnOption("exit with 1, and save no plan, on these findings of check"))
    .option(...detailedExitcode)
    .addHelpText("after", wrapped(ALLOWED))
    .action(exiting(ciPlan));
  safetyOptions(ofStack("apply"))
    .description("apply the reviewed plan of the merged commit, or exit with 3")
    .option(...plansOption)
    .option("--replan", "apply the code as it is now, without a reviewed plan")
    .option("--refresh", "read the account first")
    .addOption(foreignEditsOption())
    .addOption(verifyOption())
    .addHelpText("after", wrapped(VERIFIED))
    .action(exiting(ciApply));
  ofStack("drift")
    .description("compare the account with the last run and with the code, and post the drift; changes nothing")
    .option(...fullRead)
    .option(...detailedExitcode)
    .action(exiting(ciDrift));
  environmentOptions(yesOption(ci.command("preview")))
    .description(
      "deploy the preview of a pull request or a branch, and post its addresses; remove it when the request is closed",
    )
    .option("--branch <name>", "the branch, if there is no pull request")
    .option("--all", "copy the whole campaign, and not only the pages that the change touches")
    .option("--down", "remove the preview, even if the request is open")
    .option(
      "--dotenv <file>",
      "write the preview's address into this file as LANDFORM_PREVIEW_URL, for GitLab's dotenv report",
    )
    .addHelpText("after", wrapped(OF_STACK))
    .action(
      exiting(async ({ stack, ...given }: CiPreviewOptions & StackOptions) => {
        const { ciPreview } = await import("../../ci/preview.ts");
        const isNamed = ci.getOptionValueSource("stack") === "cli";
        const options = { ...given, ...(isNamed && given.base === undefined && { base: stack }) };
        const ended = await ciPreview(options, handsOf(new Output(options)));
        return finish(ended, ended.report.command, { ...options, stack: ended.report.stack });
      }),
    );
}

const ABOUT = `
Landform knows GitHub Actions and GitLab CI by their variables. Elsewhere, pass --commit and --head.
Comments and checks on the code host need GITHUB_TOKEN or GITLAB_TOKEN. If a comment can't be written, the run goes on.`;

const OF_STACK = `
--stack names the stack that it is a preview of, as --base does.`;

const ALLOWED = `
It exits with 3 if the plan has more deletions than ci apply allows. To allow them, give the request the label ${ALLOW_DELETES}, or give
both commands the same --max-deletes or --force.`;

const VERIFIED = `
It reads the public pages as up --verify does, unless LANDFORM_VERIFY or landform:verify is false.`;

function codeHostOptions(command: Command): Command {
  return command
    .addOption(new Option("--forge <name>", "the code host, if its variables don't tell").choices(["github", "gitlab"]))
    .option("--repository <name>", "OWNER/NAME, or a GitLab project")
    .option("--pr <number>", "the pull or merge request", number)
    .option("--head <sha>", "the last commit of its branch", sha)
    .option("--commit <sha>", "the commit that is checked out", sha);
}

function number(text: string): number {
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError("It has to be the number of a pull or merge request.");
}

function sha(text: string): string {
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/i.test(text)) return text;
  throw new InvalidArgumentError("It has to be the whole hash of a commit.");
}

function ciPlan(options: PlanOptions): Promise<ExitCode> {
  process.env[READ_ONLY_VARIABLE] = "true";
  refuseNoPlace(options);
  return onCi("preview", options, { makesStack: "for a plan" }, async ({ environment, session }, output) => {
    const { change, commit, inTrain, forge } = environment;
    const kind = "ci plan";
    const desk = { session, output };
    if (inTrain) {
      const train = forge?.kind === "github" ? "queue" : "train";
      const next = `This is a merge ${train}: the plan that was reviewed stays the one to apply.`;
      return previewed(desk, options, { next, kind });
    }
    const head = options.head ?? change?.head ?? commit;
    if (options.plans !== undefined && head === undefined)
      throw new UsageError("--plans keeps a plan for a commit, and none is known here: name it with --head SHA");
    const { project, stack } = session.folder;
    const plans =
      options.plans === undefined ? undefined : await StoredPlans.open(options.plans, options.C, project.name, stack);
    const keep = plans && head !== undefined ? (made: SavedPlan) => plans.keep(head, made) : undefined;
    const next = head === undefined || keep === undefined ? undefined : `The plan is kept for ${head.slice(0, 12)}.`;
    const allowed = options.force ?? (await allowsDeletes(environment));
    const wayOut = `To allow it, give the request the label ${ALLOW_DELETES}, and run this job again.`;
    return previewed(desk, { ...options, ...(allowed && { force: allowed }) }, { keep, next, wayOut, kind });
  });
}

async function onCi<Found>(
  verb: "preview" | "up" | "drift",
  options: CiRunOptions,
  opening: Pick<Parameters<typeof inCi<Found>>[3], "makesStack" | "first" | "whose" | "refusal">,
  work: (run: CiRun, output: Output, found: Found | undefined) => Promise<Ended>,
): Promise<ExitCode> {
  checkReportFiles(options);
  const output = new Output(options);
  const around = { ...opening, teller: output };
  const ended = await inCi<Found>(verb, options, (run, found) => work(run, output, found), around);
  return ended === undefined ? exitCodes.done : finish(ended, verb, options);
}

function ciApply(options: ApplyOptions): Promise<ExitCode> {
  if (options.plans === undefined && options.replan !== true)
    throw new UsageError(
      "ci apply needs --plans PLACE, where ci plan keeps what was reviewed; --replan applies unreviewed",
    );
  refuseNoPlace(options);
  const { plans: place, replan, head } = options;
  const whose = async (environment: CiEnvironment): Promise<Reviewed | undefined> => {
    if (place === undefined || replan === true) return undefined;
    return head === undefined ? reviewedFor(environment, forgeOf(environment)) : { head, name: "the commit of --head" };
  };
  const first = (job: CiJob): Promise<ReviewedPlan | undefined> => findReviewed(options, job);
  return onCi<ReviewedPlan | undefined>(
    "up",
    options,
    { makesStack: true, whose, first, refusal: refusedApply },
    async ({ session }, output, found) => {
      const desk = { session, output };
      const kind = "ci apply";
      const choice = { ...options, ...verified(session, options) };
      if (found === undefined) return broughtUp(desk, { ...choice, yes: true }, { kind });
      output.line(`Applying the plan that was reviewed as ${found.name}.`);
      const { force = found.saved.force } = choice;
      const ended = await broughtUp(
        desk,
        { ...choice, ...(force && { force }) },
        { saved: found.saved, reviewed: found, kind },
      );
      const { error, report } = ended;
      // A job that runs again finds its work done.
      if (!(error instanceof NothingLeftError)) return ended;
      output.line("Nothing is left to do: all that was reviewed has been applied.");
      return { report: { ...report, command: "up" }, exit: exitCodes.done };
    },
  );
}

interface ReviewedPlan extends Pick<Reviewed, "name" | "head"> {
  readonly saved: SavedPlan;
}

async function findReviewed(
  { plans: place = "", C }: ApplyOptions,
  { environment, reviewed, project, stack }: CiJob,
): Promise<ReviewedPlan | undefined> {
  if (reviewed === undefined) return undefined;
  const found = artifactsOf(place, folderIn(environment, C), () => forgeOf(environment), reviewed);
  const plans = found
    ? new StoredPlans(found, place, project, stack)
    : await StoredPlans.open(place, C, project, stack);
  const { name, head } = environment.forge === undefined ? await mergedFor(reviewed, plans, C) : reviewed;
  return { name, head: head.toLowerCase(), saved: await plans.find(head, name) };
}

/** Without a code host, git knows the reviewed commit behind a merge. A branch that was moved on is its own. */
async function mergedFor(reviewed: Reviewed, plans: StoredPlans, folder: string): Promise<Reviewed> {
  if (await plans.has(reviewed.head)) return reviewed;
  const head = mergedBy(reviewed.head, folder);
  return head === undefined ? reviewed : { head, name: `the commit that ${reviewed.head.slice(0, 12)} merged` };
}

/** Refuses a place from a variable that this job did not get. */
function refuseNoPlace({ plans }: { plans?: string }): void {
  if (plans?.trim() === "") throw new UsageError(`--plans is empty (a variable that is not set?): name ${PLACE}`);
}

/** Nobody is there to look at the page, so the run looks at it, unless the stack says otherwise. */
function verified({ folder }: StackSession, { verify }: ApplyOptions): Pick<ApplyOptions, "verify"> {
  const said = isVerifySaid((key) => folder.config.get(key), process.env);
  return verify === undefined && !said ? { verify: true } : {};
}

function ciDrift(options: DriftOptions): Promise<ExitCode> {
  process.env[READ_ONLY_VARIABLE] = "true";
  return onCi("drift", options, {}, async (run, output) => {
    const { session } = run;
    const ended = await showDrift({ session, output }, options);
    const { report, exit } = ended;
    // A look that failed doesn't prove that there is no drift, so the issue stays as it is.
    if (report.result !== "succeeded" || ended.error !== undefined) return ended;
    return reporting({ session, report }, async () => {
      refuseNeverApplied(report);
      await tellFound(run, report, { isSaid: exit !== exitCodes.done });
      return ended;
    });
  });
}
