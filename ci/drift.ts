/** Tells the findings of `ci drift` on the code host, because nobody reads the log of a night that went well. */
import { reasonOf } from "../provider/values/wording.ts";
import { CommandError, exitCodes, UsageError } from "../stack/exit/codes.ts";
import type { Drift, Report } from "../stack/report/model.ts";
import { code } from "../story/markdown-text.ts";
import { LARGEST, printMarkdown } from "../story/markdown.ts";
import { storyOf } from "../story/story.ts";
import type { Forge, Issue } from "./forge/forge.ts";
import { tokenVariable } from "./forge/http.ts";
import { markerOf } from "./note.ts";
import { type CiRun, lineOf } from "./run.ts";
import { attempt, forgeOf } from "./tell.ts";

/** Refuses if every declared resource waits for its first apply. The state may also be in another place. */
export function refuseNeverApplied({ drift = [], counts, project, stack }: Report): void {
  if (drift.length === 0 || counts.same > 0 || drift.some(({ kind }) => kind !== "absent")) return;
  throw new UsageError(
    `the state at PULUMI_BACKEND_URL has no run of ${project}/${stack}, so Landform can't tell what was edited, and opens no issue. ` +
      "If the stack was applied before, its state is in another place: set PULUMI_BACKEND_URL to that place",
    { advice: [{ command: "ci apply", arguments: [], reason: "applies it, if it was not applied before." }] },
  );
}

/** `isSaid`: the exit code of the job tells of drift. Without it, drift that nobody hears about fails the job. */
export async function tellFound(run: CiRun, report: Report, { isSaid }: { isSaid: boolean }): Promise<void> {
  const { environment } = run;
  const forge = forgeOf(environment);
  const found = (report.drift ?? []).length;
  if (isSaid || found === 0) {
    if (forge !== undefined) await attempt("the issue", () => issue(forge, run, report));
    return;
  }
  if (forge === undefined) {
    if (environment.forge !== undefined) throw untold(found, `${tokenVariable(environment.forge.kind)} is not set`);
    return;
  }
  try {
    await issue(forge, run, report);
  } catch (error) {
    throw untold(found, reasonOf(error));
  }
}

function untold(found: number, why: string): CommandError {
  const what = found === 1 ? "1 resource has" : `${found} resources have`;
  return new CommandError(exitCodes.failed, `${what} drifted, and Landform could not write the issue about it: ${why}`);
}

async function issue(forge: Forge, { environment, session, about }: CiRun, report: Report): Promise<void> {
  const told = {
    line: lineOf(about, environment),
    keep: session.advised("drift", "--write"),
    apply: session.advised("up", "--refresh"),
  };
  const url = await tellDrift(forge, report, told);
  if (url !== undefined) session.teller.line(`The drift is in the issue ${url}`);
}

// Shows drift as a choice. Each stack has one issue, which is opened, updated and closed automatically.

const LABEL = "landform-drift";

/** `keep` and `apply`: the commands that write the edits into the code, and the code's values into the account. */
export async function tellDrift(
  forge: Forge,
  report: Report,
  { line, keep, apply }: { line: string; keep: string; apply: string },
): Promise<string | undefined> {
  const marker = markerOf("drift", report.project, report.stack);
  const known = await ourIssue(forge, marker);
  if ((report.drift ?? []).length === 0) {
    if (known !== undefined) await forge.closeIssue(known, GONE);
    return undefined;
  }
  const start = [marker, choices(forge, report.drift ?? [], keep, apply), line, "", ""].join("\n");
  const body = start + printMarkdown(storyOf(report), { largest: LARGEST - start.length });
  if (known !== undefined) {
    if (known.body !== body) await forge.editIssue(known, body);
    return known.url;
  }
  const title = `Drift of ${report.project}/${report.stack}`;
  return (await forge.openIssue(title, body, LABEL)).url;
}

const GONE = "The account is as the last run left it, and as the code says.";

async function ourIssue(forge: Forge, marker: string): Promise<Issue | undefined> {
  for await (const issue of forge.openIssues(LABEL)) if (issue.ours && issue.body.startsWith(marker)) return issue;
  return undefined;
}

const BY_HAND: Readonly<Record<Forge["kind"], string>> = {
  github: "start the workflow by hand",
  gitlab: "start the manual job of the main branch's pipeline",
};

/** Work that an earlier run left undone is nobody's edit. */
function causes(drift: readonly Drift[]): string {
  const left =
    "An earlier run has not done all that the code says: it failed, was killed, or held a page back. Applying the code does the rest, once no edits of others are in the way.";
  const unfinished = drift.filter(({ kind }) => kind === "unfinished").length;
  if (unfinished === drift.length) return left;
  const edited =
    "The account is not as the last run left it, or not as the code says. Most often, somebody has changed it in the app.";
  return unfinished === 0 ? edited : `${edited} ${left}`;
}

function choices({ kind }: Forge, drift: readonly Drift[], keep: string, apply: string): string {
  return [
    `${causes(drift)} Choose for each difference:`,
    "",
    `- **keep it**: change the code (${code(keep)} does that where it can)`,
    `- **put it back**: apply the code (run ${code(apply)}, or ${BY_HAND[kind]})`,
    "",
    "Landform closes this issue as soon as it finds no drift.",
    "",
  ].join("\n");
}
