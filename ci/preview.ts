/** `ci preview`: deploys the preview of a request or a branch on each push, tells it where the team looks, and removes it at its end. */
import { messageWithAdvice } from "../stack/advice/next-command.ts";
import { branchIn, checkoutIn } from "../provider/preview/checkout.ts";
import { takeDown } from "../stack/env/down.ts";
import { environmentName } from "../stack/env/record.ts";
import type { Hands, UpOptions } from "../stack/env/types.ts";
import { bringUp } from "../stack/env/up.ts";
import { exitCodes, UsageError } from "../stack/exit/codes.ts";
import { wantsPictures } from "../stack/pictures/browser.ts";
import { checkFile } from "../stack/project/files.ts";
import { openProject } from "../stack/project/open.ts";
import type { Ended } from "../stack/review/plan.ts";
import { blankReport, explain, failedReport, idleReport } from "../stack/exit/report.ts";
import type { PreviewOutcome } from "../story/environment.ts";
import { printError } from "../story/print.ts";
import { checkReportFiles } from "../story/reports.ts";
import { ciEnvironment, type CiEnvironment, type CiOptions } from "./environment.ts";
import type { Asked, Forge } from "./forge/forge.ts";
import { asked } from "./forge/http.ts";
import { movedOn, type Origin, standingsOf } from "./forge/open.ts";
import { type PreviewAbout, tellPreview, tellSkipped, writeDotenv } from "./preview-tell.ts";
import { dropPictures, keepPictures } from "./pictures.ts";
import { forkRefusal, lineOf } from "./run.ts";
import { forgeOf } from "./tell.ts";

export interface CiPreviewOptions extends CiOptions, Omit<UpOptions, keyof CiOptions> {
  all?: true;
  /** Removes it, whatever the event says. */
  down?: true;
  dotenv?: string;
}

interface Job {
  readonly options: CiPreviewOptions;
  readonly hands: Hands;
  readonly environment: CiEnvironment;
  readonly forge: Forge | undefined;
  readonly origin: Origin;
  readonly called: string;
  readonly about: PreviewAbout;
}

export async function ciPreview(options: CiPreviewOptions, hands: Hands): Promise<Ended> {
  checkReportFiles(options);
  if (options.dotenv !== undefined) checkFile(options.dotenv, "--dotenv");
  const environment = environmentOf(options);
  const origin = originOf(environment, options);
  const name = environmentName("change" in origin ? { pr: origin.change } : origin);
  const forge = forgeOf(environment);
  const called =
    "branch" in origin ? `branch ${origin.branch}` : (forge?.nameOf(origin.change) ?? `request ${origin.change}`);
  const step = await stepFor(environment, origin, called, forge);
  if (step.act === "nothing") {
    await tellSkipped(environment, name, step.why);
    return { report: idleReport("up", name, step.why), exit: exitCodes.done };
  }
  const { change, commit } = environment;
  const head = change?.head ?? commit;
  const { project } = await openProject(options.C, { runs: false });
  const about: PreviewAbout = {
    project: project.name,
    name,
    base: options.base,
    change: change?.number,
    commit: head,
    line: lineOf({ line: "Preview of", commit: head }, environment),
  };
  const job: Job = { options, hands, environment, forge, origin, called, about };
  return step.act === "up" ? deploy(job, step.note) : takeAway(job, step.why);
}

function environmentOf(options: CiPreviewOptions): CiEnvironment {
  const checkedOut = options.commit ?? checkoutIn(options.C).commit;
  const found = ciEnvironment(options, { checkedOut });
  const named = branchIn(options.branch);
  const closing = options.down === true ? "stopped" : found.closing;
  // A request that is named counts first, both when its preview is made and when it is removed.
  const isOfBranch = named !== undefined && options.pr === undefined;
  return { ...found, branch: named ?? found.branch, closing, change: isOfBranch ? undefined : found.change };
}

function originOf({ change, branch, scheduled }: CiEnvironment, options: CiPreviewOptions): Origin {
  if (change !== undefined) return { change: change.number };
  if (scheduled && branchIn(options.branch) === undefined)
    throw new UsageError("a scheduled job is about no pull request", {
      advice: [{ command: "env gc", arguments: [], reason: "takes away the previews whose time is over." }],
    });
  if (branch === undefined)
    throw new UsageError(
      "Landform can't tell here which request or branch to preview: pass --pr NUMBER --head SHA, or --branch NAME",
    );
  return { branch };
}

async function deploy(job: Job, note: string | undefined): Promise<Ended> {
  const { options, hands, environment, forge, origin, called, about } = job;
  if (note !== undefined) printError(`note: ${note}.`);
  const commit = about.commit === undefined ? {} : { commit: about.commit };
  const isPictured = forge !== undefined && about.change !== undefined && (await wantsPictures());
  const up = await toldWhereItEnds(job, "deployed", () =>
    bringUp(
      {
        ...{ ...options, ...which(job), ...commit, yes: true },
        ...(options.all !== true && { changed: true }),
        ...(isPictured && { pictures: true }),
      },
      hands,
    ),
  );
  const whole = { ...about, base: up.environment?.base ?? up.emptyOf ?? about.base };
  const closed = await closedSince(forge, origin, called);
  if (closed !== undefined) return takeAway({ ...job, about: whole }, closed);
  const { pictures } = up.report ?? {};
  const shown = pictures && isPictured ? await keepPictures(forge, about, pictures) : undefined;
  if (up.emptyOf !== undefined && isPictured) await dropPictures(forge, about);
  const outcome: PreviewOutcome = { end: "up", up, pictures: shown };
  if (options.dotenv !== undefined) writeDotenv(options.dotenv, about.name, outcome);
  await tellPreview(forge, environment, whole, outcome);
  return { report: up.report ?? { ...blankReport(about.name), command: "up", result: "failed" }, exit: up.code };
}

async function takeAway(job: Job, why: string): Promise<Ended> {
  const { options, hands, environment, forge, about } = job;
  try {
    const down = await toldWhereItEnds(job, "taken away", () =>
      takeDown({ ...options, ...which(job), yes: true }, hands),
    );
    const whole = { ...about, base: down.environment?.base ?? about.base };
    await tellPreview(forge, environment, whole, { end: "down", down, why });
    return { report: down.report ?? idleReport("destroy", down.name, down.why ?? why), exit: down.code };
  } catch (error) {
    const end = explain(error, options);
    return { report: failedReport("destroy", about.name, end), exit: end.exitCode };
  }
}

/** The branch of a request stands in the environment's record, and never chooses the environment. */
function which({ origin, environment: { branch } }: Job): { pr?: number; branch?: string } {
  if ("branch" in origin) return origin;
  return { pr: origin.change, ...(branch !== undefined && { branch }) };
}

async function toldWhereItEnds<Done>(
  { environment, forge, about }: Job,
  doing: "deployed" | "taken away",
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    const message = messageWithAdvice(explain(error, { verbose: false }));
    await tellPreview(forge, environment, about, { end: "error", doing, message });
    throw error;
  }
}

type PreviewStep =
  | { readonly act: "up"; readonly note?: string }
  | { readonly act: "down"; readonly why: string }
  | { readonly act: "nothing"; readonly why: string };

/** The present state of the preview's request or branch. `open` is undefined if the code host doesn't know it. */
interface Now {
  readonly open: boolean | undefined;
  readonly head?: string;
  readonly fork?: string;
}

/** Jobs come late, twice, and in any order, so the code host's present answer counts more than the event. */
async function stepFor(
  environment: CiEnvironment,
  origin: Origin,
  name: string,
  forge: Forge | undefined,
): Promise<PreviewStep> {
  const now = forge === undefined ? undefined : await nowOf(forge, origin);
  const known = now !== undefined && "answer" in now ? now.answer : undefined;
  const ofFork = forkRefusal(environment, known, name, "gets no preview");
  if (ofFork !== undefined) return { act: "nothing", why: ofFork };
  const { closing } = environment;
  if (closing === "stopped") return { act: "down", why: "asked for" };
  if (closing === "closed")
    return known?.open === true
      ? { act: "nothing", why: `${name} is open again: its preview stays` }
      : { act: "down", why: `${name} was closed` };
  if (known?.open === false) return { act: "down", why: `${name} is closed` };
  if (environment.inTrain)
    return { act: "nothing", why: "a merge train or queue tries what was reviewed: there is no preview of it" };
  const later = laterThan(environment, known);
  if (later !== undefined)
    return { act: "nothing", why: `${name} is at ${later} by now, and the job of that commit deploys it` };
  const unasked = now !== undefined && "unasked" in now ? now.unasked : undefined;
  return unasked === undefined
    ? { act: "up" }
    : { act: "up", note: `Landform could not ask if ${name} is still open: ${unasked}` };
}

/** A person who names a request may name any commit, such as a merge of it. */
function laterThan({ change, unmerged }: CiEnvironment, now: Now | undefined): string | undefined {
  if (change === undefined || !unmerged || now?.head === undefined) return undefined;
  return movedOn(change, { head: now.head });
}

/** Returns the reason why the new deployment has to go again: the request was closed meanwhile, and its own job found nothing to remove. */
async function closedSince(forge: Forge | undefined, origin: Origin, name: string): Promise<string | undefined> {
  const now = forge === undefined ? undefined : await nowOf(forge, origin);
  return now !== undefined && "answer" in now && now.answer.open === false ? `${name} was closed meanwhile` : undefined;
}

async function nowOf(forge: Forge, origin: Origin): Promise<Asked<Now>> {
  if ("change" in origin) {
    // The token may not see the request of this number.
    const change = await asked(() => forge.change(origin.change));
    return "answer" in change ? { answer: change.answer ?? { open: undefined } } : change;
  }
  const [standing] = await standingsOf(forge, [origin]);
  if (standing === undefined || !("answer" in standing)) return standing ?? { answer: { open: undefined } };
  return { answer: { open: standing.answer === "open" } };
}
