/**
 * Drift as a choice: one issue a stack, opened, kept up to date and closed by itself. For what the code declares word for
 * word, a request that writes the edits into it is offered beside; reverting changes no code, and is an apply.
 */
import { LARGEST, printMarkdown } from "../story/markdown.ts";
import { storyOf } from "../story/story.ts";
import { within } from "../story/markdown-text.ts";
import { code, inertLine } from "../story/markdown-text.ts";
import type { Drift, Report } from "../stack/report/model.ts";
import type { Forge, Issue, ProposalName } from "./forge/forge.ts";
import { markerOf } from "./marker.ts";

export const LABEL = "landform-drift";

/** A request that keeps the edits; why there is none, where there can't be. */
export type Offer = { readonly url: string } | { readonly reasons: readonly string[] };

/** `apply`: the command that puts the account back to what the code says. */
export async function tellDrift(
  forge: Forge,
  report: Report,
  offer: Offer,
  { line, apply }: { line: string; apply: string },
): Promise<string | undefined> {
  const marker = markerOf("drift", report.project, report.stack);
  const known = await ourIssue(forge, marker);
  if ((report.drift ?? []).length === 0) {
    if (known === undefined) return undefined;
    await forge.closeIssue(known, GONE);
    // Who merged it later would bring back what was put right.
    await forge.withdraw(proposalFor(report), GONE);
    return undefined;
  }
  const start = [marker, choices(forge, report.drift ?? [], apply, offer), line, "", ""].join("\n");
  const body = start + printMarkdown(storyOf(report), { largest: LARGEST - start.length });
  if (known !== undefined) {
    if (known.body !== body) await forge.editIssue(known, body);
    return known.url;
  }
  const title = `Drift of ${report.project}/${report.stack}`;
  return (await forge.openIssue(title, body, LABEL)).url;
}

const GONE = "What exists is what the last run left and what the code says.";

/** The request that keeps the edits, one a stack. */
export function proposalFor({ project, stack }: Pick<Report, "project" | "stack">): ProposalName {
  return {
    branch: `landform/drift-${project}-${stack}`.replace(/[^\w./-]/g, "-"),
    title: `Keep what was edited in the app (${project}/${stack})`,
  };
}

async function ourIssue(forge: Forge, marker: string): Promise<Issue | undefined> {
  for await (const issue of forge.openIssues(LABEL)) if (issue.ours && issue.body.startsWith(marker)) return issue;
  return undefined;
}

/** What starts a job of the main branch. */
const BY_HAND: Readonly<Record<Forge["kind"], string>> = {
  github: "the workflow's dispatch",
  gitlab: "the manual job of the main branch's pipeline",
};

/** What an earlier run left undone is nobody's edit. */
function causes(drift: readonly Drift[]): string {
  const left = "A run that failed, or was killed, has not done all that the code says: to put that back is to do it.";
  const unfinished = drift.filter(({ kind }) => kind === "unfinished").length;
  if (unfinished === drift.length) return left;
  const edited =
    "What exists is not what the last run left, or not what the code declares: most often, somebody has changed it in the app.";
  return unfinished === 0 ? edited : `${edited} ${left}`;
}

function choices({ kind }: Forge, drift: readonly Drift[], apply: string, offer: Offer): string {
  const keep =
    "url" in offer ? [`- **keep it**: merge ${offer.url}`] : ["- **keep it**: change the code:", ...listed(offer)];
  return [
    `${causes(drift)} For each of these there are two ways on:`,
    "",
    ...keep,
    `- **put it back**: run the apply by hand (${code(apply)}, or ${BY_HAND[kind]})`,
    "",
    "This issue is closed as soon as no drift is found.",
    "",
  ].join("\n");
}

/** Characters of the reasons, which may be as many as what has drifted. */
const ROOM = 6_000;

function listed({ reasons }: { reasons: readonly string[] }): string[] {
  const lines = reasons.map((reason) => `  - ${inertLine(reason)}`);
  return within(lines, ROOM, (count) => `  - … and ${count} more`);
}
