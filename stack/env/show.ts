/** Words about preview environments. Pure. */
import { counted, oneLine } from "../../provider/values/wording.ts";
import type { Advised } from "../advice/next-command.ts";
import type { Collected } from "./gc.ts";
import type { ListedEnvironment } from "./list.ts";
import type { LeftOut, PreviewPage } from "./types.ts";

const HOUR_MS = 3_600_000;

export function listLines(environments: readonly ListedEnvironment[], now: Date, advised: Advised): string[] {
  if (environments.length === 0)
    return [`There are no preview environments. ${advised("env up", "--pr", "NUMBER")} brings one up.`];
  return environments.flatMap(({ pages, ...environment }) => [headOf(environment, now), ...pages.map(pageLine)]);
}

function headOf(environment: Omit<ListedEnvironment, "pages">, now: Date): string {
  const { name, condition, record, objects, holder, problem } = environment;
  const parts = [
    ...(record?.branch === undefined ? [] : [`branch ${oneLine(record.branch)}`]),
    ...(record === undefined ? [] : [`pushed ${age(record.pushedAt, now)} ago`]),
    counted(objects, "object"),
    ...(condition === "live" && record !== undefined ? [`expires ${record.expiresAt.slice(0, 10)}`] : [condition]),
    ...(holder === undefined ? [] : [`in use by ${holder}`]),
    ...(problem === undefined ? [] : [oneLine(problem)]),
  ];
  return `${name}  ${parts.join(", ")}`;
}

function pageLine({ type, name, url, editUrl }: PreviewPage): string {
  return `  ${type} ${oneLine(name)}  ${url ?? `${editUrl ?? ""} (draft)`}`;
}

function age(since: string, now: Date): string {
  const hours = Math.floor((now.getTime() - Date.parse(since)) / HOUR_MS);
  return hours >= 24 ? counted(Math.floor(hours / 24), "day") : counted(hours, "hour");
}

export function collectedLines({ reclaimed, left, passed, kept }: Collected): string[] {
  return [
    ...reclaimed.map(({ name, reason }) => `reclaimed  ${name}, ${reason}`),
    ...left.flatMap(({ name, what, why }) => [
      `left       ${name}${why === undefined ? "" : `: ${oneLine(why)}`}`,
      ...what.map((one) => `             ${one.type} ${oneLine(one.name)}: ${oneLine(one.why)}`),
    ]),
    ...passed.map((name) => `skipped    ${name}, which is in use`),
    ...kept.map(keptLine),
    ...(reclaimed.length + left.length + passed.length + kept.length === 0
      ? ["There are no preview environments."]
      : []),
  ];
}

function keptLine({ name, unasked, repository }: Collected["kept"][number]): string {
  if (repository !== undefined) return `kept       ${name}, of another repository: ${oneLine(repository)}`;
  return `kept       ${name}${unasked === undefined ? "" : `: ${oneLine(unasked)}`}`;
}

const WHY: Record<LeftOut["why"], string> = {
  shared: "other pages use it, too",
  hook: "webhooks are off in a preview; --hooks turns them on",
  draft: "nothing is published with --drafts",
  protect: "its option protect, since a preview is deleted later",
  retainOnDelete: "its option retainOnDelete, since a preview is deleted later",
};

export function leftOutText({ type, name, why }: LeftOut): string {
  return `${type} ${oneLine(name)}: ${WHY[why]}`;
}

export const NOTHING_TOUCHED = "The change touches nothing that a preview could show";

export function stayingText(count: number): string {
  return count === 1 ? "1 other page stays the public one" : `${count} other pages stay the public ones`;
}

export function pagesText(pages: readonly PreviewPage[]): string {
  const drafts = pages.filter(({ url }) => url === undefined).length;
  const count = pages.length === 1 ? "1 page" : `${pages.length} pages`;
  if (drafts === 0) return count;
  return drafts === pages.length
    ? `${count}, as drafts`
    : `${count}, ${drafts} of them ${drafts === 1 ? "a draft" : "drafts"}`;
}
