/** Tells a preview to the runner and in its part of the change's note. A failure of these fails no run. */
import { appendFileSync } from "node:fs";
import { type Collected, type Standings, standingsByGit } from "../stack/env/gc.ts";
import type { EnvironmentRecord } from "../stack/env/record.ts";
import { previewMarkdown, type PreviewOutcome } from "../story/environment.ts";
import { linked } from "../story/markdown-text.ts";
import { printError } from "../story/print.ts";
import { type CiEnvironment, ciEnvironment } from "./environment.ts";
import type { Forge, Note } from "./forge/forge.ts";
import { tokenVariable } from "./forge/http.ts";
import { type Origin, standingsOf } from "./forge/open.ts";
import { markerOf, partsOf, tellOn, withoutPart } from "./note.ts";
import { dropPictures } from "./pictures.ts";
import { lineOf } from "./run.ts";
import { attempt, forgeOf, outputsOf, type StepOutput, tellRunner } from "./tell.ts";

export interface PreviewAbout {
  readonly project: string;
  readonly name: string;
  /** The stack whose plan the note has; undefined if it is not known. */
  readonly base?: string | undefined;
  readonly change?: number | undefined;
  readonly commit?: string | undefined;
  readonly line: string;
}

export async function tellPreview(
  forge: Forge | undefined,
  environment: CiEnvironment,
  about: PreviewAbout,
  outcome: PreviewOutcome,
): Promise<void> {
  await tellRunner(environment, previewOutputs(about.name, outcome), previewMarkdown({ ...about, outcome }));
  await tellForge(forge, about, outcome);
}

async function tellForge(forge: Forge | undefined, about: PreviewAbout, outcome: PreviewOutcome): Promise<void> {
  if (forge === undefined) return;
  await attempt("the note", () => note(forge, about, outcome));
  if (outcome.end === "down" && about.change !== undefined) await dropPictures(forge, about);
}

async function note(forge: Forge, about: PreviewAbout, outcome: PreviewOutcome): Promise<void> {
  const { change, project, name, base } = about;
  if (change === undefined) return;
  const notes = await notesOf(forge, change, project);
  const told = notes.filter(({ parts }) => parts.preview !== undefined);
  // A preview that never existed has nothing to tell.
  if (outcome.end === "down" && outcome.down.environment === undefined && base === undefined && told.length === 0)
    return;
  // Without a base, there is no plan to stand beside. The next run knows it.
  const apart = markerOf("plan", project, name);
  const ofPlan = [...told, ...notes].find((one) => one.marker !== apart)?.marker;
  const marker = base === undefined ? (ofPlan ?? apart) : markerOf("plan", project, base);
  const write = (room: number): string => previewMarkdown({ ...about, outcome }, room);
  await tellOn(forge, { change, marker, part: "preview", write });
  for (const one of told) if (one.marker !== marker) await withoutPart(forge, change, one.note, "preview");
}

interface ProjectNote {
  readonly note: Note;
  readonly marker: string;
  readonly parts: ReturnType<typeof partsOf>;
}

async function notesOf(forge: Forge, change: number, project: string): Promise<ProjectNote[]> {
  const start = markerOf("plan", project, "").replace(/ -->$/, "");
  const found: ProjectNote[] = [];
  for await (const note of forge.notes(change)) {
    const [marker = ""] = note.body.split(/\r?\n/);
    if (note.ours && marker.startsWith(start)) found.push({ note, marker, parts: partsOf(note.body) });
  }
  return found;
}

/** The first address of the preview: the program's first output, or else its first page. */
function firstUrl(outcome: PreviewOutcome): string | undefined {
  if (outcome.end !== "up") return undefined;
  const { pages, report } = outcome.up;
  const urls = pages.flatMap(({ url }) => (url === undefined || linked(url) !== url ? [] : [url]));
  return (
    (Object.values(report?.outputs ?? {}).find((value) => urls.some((url) => url === value)) as string | undefined) ??
    urls[0]
  );
}

function previewOutputs(name: string, outcome: PreviewOutcome): StepOutput[] {
  const { report } = outcome.end === "up" ? outcome.up : outcome.end === "down" ? outcome.down : {};
  const { pages = [] } = outcome.end === "up" ? outcome.up : {};
  const urls = pages.flatMap(({ url }) => url ?? []);
  const own = {
    ...{ result: resultOf(outcome), environment: name, url: firstUrl(outcome) ?? "", urls: urls.join("\n") },
    left: String(outcome.end === "down" ? outcome.down.left.length : 0),
  };
  const others = report === undefined ? [] : outputsOf(report).filter(([output]) => !(output in own));
  return [...Object.entries(own), ...others];
}

function resultOf(outcome: PreviewOutcome): "succeeded" | "failed" | "gone" | "skipped" {
  if (outcome.end === "error") return "failed";
  const { code } = outcome.end === "up" ? outcome.up : outcome.down;
  if (code !== 0) return "failed";
  if (outcome.end !== "up") return "gone";
  return outcome.up.emptyOf === undefined ? "succeeded" : "skipped";
}

/** Writes GitLab's report of the same name, from which an environment takes its address. Each line is a variable without quotes. */
export function writeDotenv(file: string, name: string, outcome: PreviewOutcome): void {
  const url = firstUrl(outcome);
  const lines = [`LANDFORM_PREVIEW_STACK=${name}`, ...(url === undefined ? [] : [`LANDFORM_PREVIEW_URL=${url}`])];
  appendFileSync(file, lines.map((line) => `${line}\n`).join(""));
}

export async function tellSkipped(environment: CiEnvironment, name: string, why: string): Promise<void> {
  printError(`note: ${why}.`);
  const outputs = Object.entries({ result: "skipped", environment: name, url: "" });
  await tellRunner(environment, outputs, `### Preview \`${name}\`: none\n\n${why}.`);
}

interface Host {
  readonly environment: CiEnvironment;
  readonly forge: Forge | undefined;
}

/** The forge is undefined if this is no CI of a code host, or if the job got no token. */
export function hostHere(): Host {
  const environment = ciEnvironment({});
  return { environment, forge: forgeOf(environment) };
}

/** Asks the code host, which knows requests and branches, or else git. `repository`: the folder's repository. */
export function standingsAt({ environment, forge }: Host, folder: string, repository: string | undefined): Standings {
  const originOf = ({ pr, branch = "" }: EnvironmentRecord): Origin => (pr === undefined ? { branch } : { change: pr });
  if (forge !== undefined) return (records) => standingsOf(forge, records.map(originOf));
  const { forge: access } = environment;
  const instead = access && `${tokenVariable(access.kind)} is not set, so Landform can't tell if its request is open`;
  return standingsByGit(folder, { repository, instead });
}

export async function tellReclaimed(
  { environment, forge }: Host,
  project: string,
  { reclaimed }: Collected,
): Promise<void> {
  for (const { name, reason, record } of reclaimed) {
    if (record === undefined) continue;
    const { pr: change, base, commit } = record;
    const about = { project, name, base, change, commit, line: lineOf({ line: "Preview of", commit }, environment) };
    const down = { code: 0, name, environment: record, report: undefined, left: [] } as const;
    await tellForge(forge, about, { end: "down", down, why: WHY[reason] });
  }
}

const WHY: Readonly<Record<Collected["reclaimed"][number]["reason"], string>> = {
  closed: "its request was closed, or its branch was deleted",
  expired: "it had expired",
  "half-made": "it was never finished",
};
