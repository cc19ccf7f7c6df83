/** Tells a run in a CI: to the runner, at the lines of the code, and in the change's note. A failure of these fails no run. */
import { reasonOf } from "../provider/values/wording.ts";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Failure, Report } from "../stack/report/model.ts";
import { printMarkdown } from "../story/markdown.ts";
import { printError } from "../story/print.ts";
import { storyOf } from "../story/story.ts";
import type { CiEnvironment, ForgeAccess } from "./environment.ts";
import type { Forge } from "./forge/forge.ts";
import { asked, tokenVariable } from "./forge/http.ts";
import { movedOn, openForge } from "./forge/open.ts";
import { headed, LATER_ROOM, withLater } from "./later-runs.ts";
import { markerOf, tellOn } from "./note.ts";

interface Telling {
  readonly environment: CiEnvironment;
  readonly report: Report;
  readonly change?: number | undefined;
  readonly root: string;
  readonly line: string;
}

export async function tell(telling: Telling): Promise<void> {
  const { environment, report, line } = telling;
  await tellRunner(environment, outputsOf(report), `${line}\n\n${summaryOf(report)}`);
  if (environment.forge?.kind === "github" && environment.passing !== "no")
    for (const one of annotationsOf(report, folderIn(environment, telling.root), telling.root))
      // This is a command to the runner, which reads both streams. No other output can start like one, because printed text is escaped.
      process.stderr.write(`${commandOf(one)}\n`);
  const forge = forgeOf(environment);
  if (forge === undefined) return;
  await attempt("the note", () => note(forge, telling));
}

/** GitHub takes 1 MiB for each step of a job's page. */
const LARGEST_SUMMARY = 900_000;
const MOST_BYTES = 1_000_000;

/** Makes the text for the job's page, which has room for more than a comment. */
function summaryOf(report: Report): string {
  const large = printMarkdown(storyOf(report), { largest: LARGEST_SUMMARY });
  return Buffer.byteLength(large) <= MOST_BYTES ? large : printMarkdown(storyOf(report));
}

function elsewhere({ summaryFile, runUrl }: CiEnvironment): string {
  const report = "the JSON report (`--json FILE`)";
  return summaryFile === undefined || runUrl === undefined ? report : `the page of [the run](${runUrl}), or ${report},`;
}

/** Undefined if this is no CI of a code host, or if the job got no token. */
export function forgeOf({ forge: access }: CiEnvironment): Forge | undefined {
  if (access === undefined) return undefined;
  const { token } = access;
  if (token !== undefined) return openForge({ ...access, token });
  if (WITHOUT_TOKEN.has(access)) return undefined;
  WITHOUT_TOKEN.add(access);
  printError(`note: ${tokenVariable(access.kind)} is not set, so Landform posts nothing on the code host.`);
  return undefined;
}

const WITHOUT_TOKEN = new WeakSet<ForgeAccess>();

async function note(forge: Forge, { environment, report, change, line }: Telling): Promise<void> {
  // Without a project's name nobody would find the note again.
  if (change === undefined || report.project === "") return;
  const later = report.command === "preview" ? await laterCommit(forge, environment) : undefined;
  if (later !== undefined) {
    printError(`note: ${forge.nameOf(change)} is at ${later} by now, so Landform leaves its comment as it is.`);
    return;
  }
  const marker = markerOf("plan", report.project, report.stack);
  const about = { elsewhere: elsewhere(environment) };
  const head = headed(line, report);
  const taken = head.length + 2 + (report.command === "up" ? LATER_ROOM : 0);
  const whole = (room: number): string =>
    `${head}\n\n${printMarkdown(storyOf(report), { ...about, largest: room - taken })}`;
  const write = (room: number, before: string): string => withLater(before, line, report, room) ?? whole(room);
  await tellOn(forge, { change, marker, part: "plan", write });
}

/** Returns the request's present commit if it is a later one: the merge applies the plan of the last commit. */
async function laterCommit(forge: Forge, { change, unmerged }: CiEnvironment): Promise<string | undefined> {
  if (change === undefined || !unmerged) return undefined;
  const now = await asked(() => forge.change(change.number));
  return "answer" in now && now.answer !== undefined ? movedOn(change, now.answer) : undefined;
}

/** Returns the project's folder within the repository; empty if they are the same. */
export function folderIn({ workspace }: CiEnvironment, root: string): string {
  const folder = relative(workspace, resolve(root)).replaceAll("\\", "/");
  return folder.startsWith("..") ? "" : folder;
}

/** Reports a message that can't be written, and fails nothing: the run counts. */
export async function attempt(what: string, work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    printError(`note: ${what} could not be written: ${reasonOf(error)}`);
  }
}

interface Annotation {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** `folder`: the project's folder in its repository. `root`: its path. */
function annotationsOf({ failures, findings }: Report, folder: string, root: string): Annotation[] {
  const stops = findings.flatMap(({ refusedBy, source, text: message }) =>
    refusedBy === undefined ? [] : [{ source, message }],
  );
  return [...failures, ...stops]
    .flatMap((failure) => placesOf(failure, root))
    .filter(({ file }) => !file.startsWith("/") && !file.startsWith(".."))
    .map((one) => ({ ...one, file: folder === "" ? one.file : `${folder}/${one.file}` }));
}

/** Returns the places of a failure. A message with several problems starts a line for each with its place, as compilers do. */
function placesOf({ source, message }: Pick<Failure, "source" | "message">, root: string): Annotation[] {
  const [, file, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(source ?? "") ?? [];
  // A program names its files relative to its folder, and check names them as a message does.
  if (file !== undefined)
    return [{ file: existsSync(join(root, file)) ? file : fromHere(file, root), line: Number(line), message }];
  return [...message.matchAll(/^(?:error: )?([^\s:][^:\n]*):(\d+):\d+: (?:error: )?(.+)$/gm)].map(
    ([, named = "", at, said = ""]) => ({ file: fromHere(named, root), line: Number(at), message: said }),
  );
}

/** Messages name files relative to the folder where the command was typed. */
function fromHere(file: string, root: string): string {
  return existsSync(file) ? relative(root, resolve(file)).replaceAll("\\", "/") : file;
}

/** Writes the line by which GitHub's runner shows a message beside the code, with or without a token. */
function commandOf({ file, line, message }: Annotation): string {
  const escaped = (text: string, more: string): string =>
    text.replace(new RegExp(`[%\\r\\n${more}]`, "g"), (sign) => encodeURIComponent(sign));
  return `::error file=${escaped(file, ":,")},line=${line}::${escaped(message, "")}`;
}

export type StepOutput = readonly [name: string, value: string];

export async function tellRunner(
  { outputFile, summaryFile }: CiEnvironment,
  outputs: readonly StepOutput[],
  markdown: string,
): Promise<void> {
  if (summaryFile !== undefined) await attempt("the job's summary", () => appendFileSync(summaryFile, `${markdown}\n`));
  if (outputFile !== undefined)
    await attempt("the step's outputs", () => appendFileSync(outputFile, outputs.map(outputLine).join("")));
}

export function outputsOf(report: Report): StepOutput[] {
  const { counts, leftovers, urls, result, drift, held = [] } = report;
  const made = counts.create + counts.adopt + counts.update + counts.replace;
  const changed = made + counts.held + counts.delete + counts.left + (leftovers?.count ?? 0);
  return [
    ["result", result],
    ["changes", String(changed)],
    ...(["create", "adopt", "update", "replace", "delete"] as const).map((op): StepOutput => [op, String(counts[op])]),
    ["drift", String((drift ?? []).length)],
    ["held", String(held.length)],
    ["urls", urls.join("\n")],
  ];
}

/** Writes the value between delimiters that no value can contain, as GitHub reads them. */
function outputLine([name, value]: StepOutput): string {
  const end = `end-${randomUUID()}`;
  return `${name}<<${end}\n${value}\n${end}\n`;
}
