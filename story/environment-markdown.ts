/** What is told of a preview environment on its change: addresses side by side, and what is otherwise than in the base. Pure. */
import { formatPath } from "../engine/index.ts";
import type { EnvironmentDown, EnvironmentUp, LeftOut, PreviewPage } from "../stack/env/types.ts";
import type { Difference } from "../stack/report/model.ts";
import type { Report } from "../stack/report/model.ts";
import { leftOutText } from "./environment-words.ts";
import { CELL, details, quoted, sideCell, table, valueCell } from "./markdown-blocks.ts";
import { madeWithin, within } from "./markdown-fit.ts";
import { code, inertLine, linked } from "./markdown-text.ts";
import { printableValue } from "./printable.ts";
import { valueSides } from "./values.ts";
import { totalsText, titleOf } from "./words.ts";

/** What came of it. */
export type PreviewOutcome =
  | { readonly end: "up"; readonly up: EnvironmentUp }
  | { readonly end: "down"; readonly down: EnvironmentDown; readonly why: string }
  /** By an error, before anything else was known. */
  | { readonly end: "error"; readonly doing: "deployed" | "taken away"; readonly message: string };

export interface PreviewTold {
  readonly project: string;
  /** Of the environment. */
  readonly name: string;
  readonly outcome: PreviewOutcome;
  /** About the run. */
  readonly line: string;
}

/** The other part of the note needs most of it. */
const LONGEST = 20_000;

export function renderPreview({ outcome, line, ...names }: PreviewTold, most = LONGEST): string {
  const room = Math.min(most, LONGEST);
  const shown = printableValue({ outcome, ...names });
  return [...bodyOf(shown.outcome, shown, room - line.length - 2), "", line].join("\n");
}

type Names = Pick<PreviewTold, "project" | "name">;

function bodyOf(outcome: PreviewOutcome, names: Names, room: number): string[] {
  switch (outcome.end) {
    case "up":
      return upLines(outcome.up, names, room);
    case "down":
      return downLines(outcome.down, outcome.why, names, room);
    case "error":
      return [
        `### ❌ Preview ${code(names.name)} could not be ${outcome.doing}`,
        "",
        code(names.project),
        ...messages([outcome.message], "CAUTION", room),
      ];
  }
}

/** What the pieces may take; the differences get what is left. */
const SHARES = { messages: 0.25, rows: 0.4, leftOut: 0.1 };

function upLines(up: EnvironmentUp, { name, project }: Names, room: number): string[] {
  const { code: exitCode, environment, report, pages, leftOut, differences } = up;
  const verdict = exitCode === 0 ? pagesText(pages) : failedText(report);
  const base = environment?.base;
  const start = [
    `### ${exitCode === 0 ? "🔎" : "❌"} Preview ${code(name)}: ${verdict}`,
    "",
    [code(project), ...(base === undefined ? [] : [`base ${code(base)}`]), ...termText(environment)].join(" · "),
    ...messages(
      (report?.failures ?? []).map(({ message, source }) => [source, message].filter(Boolean).join(": ")),
      "CAUTION",
      room * SHARES.messages,
    ),
    ...table(room * SHARES.rows, ["| page | preview | base |", "|---|---|---|"], pages.map(pageRow)),
    ...leftOutLines(leftOut, room * SHARES.leftOut),
  ];
  const used = start.join("\n").length;
  return [...start, ...differenceLines(differences, base, room - used - 1)];
}

function failedText(report: Report | undefined): string {
  return report === undefined ? "failed" : `failed, ${totalsText(report)}`;
}

export function pagesText(pages: readonly PreviewPage[]): string {
  const drafts = pages.filter(({ url }) => url === undefined).length;
  const count = pages.length === 1 ? "1 page" : `${pages.length} pages`;
  if (drafts === 0) return count;
  return drafts === pages.length ? `${count}, as drafts` : `${count}, ${drafts} of them drafts`;
}

function termText(environment: EnvironmentUp["environment"]): string[] {
  if (environment === undefined) return [];
  const { expiresAt, hooks } = environment;
  return [`until ${expiresAt.slice(0, 10)} at the latest`, ...(hooks ? ["with hooks"] : [])];
}

function pageRow(page: PreviewPage): string {
  const draft = page.editUrl === undefined ? "draft" : `draft, ${linked(page.editUrl)}`;
  const base = page.baseUrl === undefined ? "" : linked(page.baseUrl);
  return `| ${inertLine(titleOf(page))} | ${page.url === undefined ? draft : linked(page.url)} | ${base} |`;
}

function leftOutLines(leftOut: readonly LeftOut[], room: number): string[] {
  if (leftOut.length === 0) return [];
  const lines = leftOut.map((one) => `- ${inertLine(leftOutText(one))}`);
  const listed = within(lines, room, (count) => `- … and ${count} more, which are in the run's log`);
  return ["", `Left out of the preview:`, "", ...listed];
}

/** So many changed texts can be read at once; the others are folded away with the rest. */
const MOST_SENTENCES = 10;
/** What is missing first. */
const ORDER = ["removed", "changed", "added"];

function differenceLines(differences: EnvironmentUp["differences"], base: string | undefined, room: number): string[] {
  if (differences === undefined) return [];
  const of = base === undefined ? "the base" : code(base);
  if (differences.length === 0) return ["", `✅ No differences to ${of}, but for addresses and names.`];
  const ordered = differences.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const start = ["", `**Differences to ${of}**: ${differencesText(differences)}`, ...sentences(ordered, room / 2)];
  const left = (count: number): string => `\n… and ${count} more, which did not fit here.`;
  return [...start, ...madeWithin(ordered, section, room - start.join("\n").length - 1, left)];
}

export function differencesText(differences: readonly Difference[]): string {
  const counts = (["added", "changed", "removed"] as const).flatMap((kind) => {
    const count = differences.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return counts.length === 0 ? "none" : counts.join(", ");
}

function sentences(differences: readonly Difference[], room: number): string[] {
  const texts = differences.flatMap((one) =>
    one.fields.flatMap(({ path, base, preview }) =>
      typeof base === "string" && typeof preview === "string" ? [{ one, path, base, preview }] : [],
    ),
  );
  if (texts.length === 0) return [];
  const lines = texts.slice(0, MOST_SENTENCES).map(({ one, path, base, preview }) => {
    const sides = valueSides(base, preview, CELL);
    return `- ${inertLine(titleOf(one))} ${code(formatPath(path))}: ${sideCell(sides.old)} → ${sideCell(sides.new)}`;
  });
  const more = texts.length - lines.length;
  const rest = more > 0 ? [`- … and ${more} more texts, below`] : [];
  return ["", ...within(lines, room, (count) => `- … and ${count} more texts, below`), ...rest];
}

function section(difference: Difference): string {
  const { kind, fields } = difference;
  const title = `${kind} <b>${inertLine(titleOf(difference))}</b>`;
  const rows = fields.map(({ path, base, preview }) => {
    if (base === undefined || preview === undefined)
      return `| ${code(formatPath(path))} | ${valueCell(base, CELL)} | ${valueCell(preview, CELL)} |`;
    const sides = valueSides(base, preview, CELL);
    return `| ${code(formatPath(path))} | ${sideCell(sides.old)} | ${sideCell(sides.new)} |`;
  });
  return details(title, rows.length === 0 ? [] : ["| field | base | preview |", "|---|---|---|", ...rows]);
}

function downLines({ left }: EnvironmentDown, why: string, { name, project }: Names, room: number): string[] {
  if (left.length === 0)
    return [`### 🧹 Preview ${code(name)} is gone`, "", `${code(project)} · taken away: ${inertLine(why)}`];
  const rows = left.map((one) => {
    const id = one.id === undefined ? "" : code(one.id);
    return `| ${inertLine(titleOf(one))} | ${id} | ${inertLine(one.why)} |`;
  });
  return [
    `### ⚠️ Preview ${code(name)} is gone, but for ${left.length === 1 ? "1 object" : `${left.length} objects`}`,
    "",
    `${code(project)} · taken away: ${inertLine(why)} · ${code("npx landform env gc")} tries again`,
    ...table(room * SHARES.rows, ["| stays | id | why |", "|---|---|---|"], rows),
  ];
}

function messages(texts: readonly string[], kind: string, room: number): string[] {
  const more = (count: number): string => `\n… and ${count} more messages, which are in the run's log.`;
  return within(
    texts.map((text) => quoted(kind, text)),
    room,
    more,
  );
}
