/** Prints a story as Markdown for a request: the summary first, then deletions, below the size limit of code hosts. Pure. */
import { same } from "../provider/values/json.ts";
import type { Json } from "../engine/index.ts";
import { commandLine } from "../stack/advice/next-command.ts";
import { Budget, code, details, imageText, inertLine, linked, linkLines, quoted, within } from "./markdown-text.ts";
import { isOfAddress, linesOf, partsOf, plain } from "./model.ts";
import type { Finding, Image, Row, Section, Sentence, Side, Story, Value } from "./model.ts";
import { cut, valueSides, valueText } from "../stack/report/text.ts";
import type { Ending } from "../stack/report/verdict.ts";

/** Code hosts refuse comments of 65,536 characters and more, and the caller adds text around this. */
export const LARGEST = 60_000;

/** The largest share of each part. The resources get the rest. */
const SHARES = { findings: 0.2, summary: 0.12, section: 0.07, main: 0.4, links: 0.6 };

/** For short texts that are always shown: the head, notes, advice, and the count of omissions. */
const RESERVE = 6_000;

/** Columns of a value that is shortened around its change. The change itself may take many times as much. */
const CELL = 120;
const LONGEST_CELL = 3_000;
const LONGEST_OUTPUT = 500;

export interface MarkdownOptions {
  full?: boolean;
  /** The largest size, if it isn't the usual one. */
  largest?: number;
  /** The place that has everything that finds no room here. */
  elsewhere?: string;
}

export function printMarkdown(
  story: Story,
  { full = false, largest = LARGEST, elsewhere = "the JSON report (`--json FILE`)" }: MarkdownOptions = {},
): string {
  const { about, facts, urgent, summary, findings, resources, sections, advice } = story;
  const budget = new Budget(largest - Math.min(RESERVE, largest / 4));
  const cell = full ? Number.MAX_SAFE_INTEGER : CELL;
  const said = (these: readonly Finding[]): readonly string[] =>
    budget.spend(SHARES.findings, (room) => within(these, findingText, room, unsaid));
  const first = [...said(urgent), ...summary.flatMap((section) => sectionLines(section, budget)), ...said(findings)];
  const { isFolded } = resources;
  const all = `All ${resources.rows.length} changes in full`;
  const opening = isFolded === true ? `<details><summary>${all}</summary>` : `**${resources.title}**`;
  // Addresses may take the room that the others leave.
  const others = new Map(sections.map((section) => [section, isOfLinks(section) ? [] : sectionLines(section, budget)]));
  const links = (section: Section): readonly string[] =>
    titled(
      section,
      budget.spend(SHARES.links, (room) => linkLines(section.rows, room, elsewhere)),
    );
  const start = [
    ...(about === undefined ? [] : [`<!-- landform:${about.command}:${markerOf(about)} -->`]),
    `### ${headingOf(story)}`,
    ...first,
    ...(resources.rows.length === 0 || resources.title === "" ? [] : ["", opening]),
    "",
  ].join("\n");
  const end = [
    ...sections.flatMap((section) => (isOfLinks(section) ? links(section) : (others.get(section) ?? []))),
    ...(isFolded === true ? ["", "</details>"] : []),
    "",
    ...advice.map((one) => `${code(commandLine(one))} ${inertLine(one.reason)}\n`),
    inline(
      facts.flatMap((fact, index) => (index === 0 ? fact : [" · ", ...(typeof fact === "string" ? [fact] : fact)])),
    ),
  ].join("\n");
  const left = (count: number) =>
    `\n… and ${count} more resources, which did not fit here; ${elsewhere} has all of them.\n`;
  const rows = within(resources.rows, (row) => resourceText(row, cell), largest - start.length - end.length, left);
  return [start + rows.join("\n"), end].join("\n");
}

export function printHeading(story: Story, largest: number): string {
  const heading = headingOf(story);
  return [heading, ...within(story.urgent, findingText, largest - heading.length, unsaid)].join("\n");
}

function markerOf({ project, stack }: NonNullable<Story["about"]>): string {
  return [project, stack].map((name) => name.replace(/[^\w.-]/g, "_")).join("/");
}

function headingOf({ ending, verdict }: Story): string {
  return [SIGNS[ending], capitalised(inline(verdict))].filter((part) => part !== "").join(" ");
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SIGNS: Record<Ending, string> = {
  ...{ plain: "", good: "✅", loses: "⚠️", warn: "⚠️", look: "🔎", gone: "🧹" },
  ...{ failed: "❌", refused: "⛔", stopped: "⏹" },
};

function unsaid(count: number): string {
  return `\n… and ${count} more messages, which are in the run's log.`;
}

const KINDS = { failure: "CAUTION", warning: "WARNING", note: "NOTE" } as const;

function findingText(finding: Finding): string {
  return quoted(KINDS[finding.weight], linesOf(finding, "•").join("\n"));
}

/** The most rows of a summary that are read at once. The details follow anyway. */
const MOST_ROWS = 12;

/** Tells if a section lists addresses. They are many, and each has to be named. */
function isOfLinks({ rows }: Section): boolean {
  return rows.length > 0 && rows.every(isOfAddress);
}

function sectionLines(section: Section, budget: Budget): readonly string[] {
  const { title, rows, isLine, isFolded } = section;
  if (isLine === true) return [details(title, [rows.map(({ text }) => inline(text)).join(", ")])];
  const lines = budget.spend(shareOf(section), (room) => someOf(section, room));
  return isFolded === true ? [details(`${title} (${rows.length})`, lines)] : titled(section, lines);
}

function shareOf({ isMain, isSummary }: Section): number {
  if (isMain === true) return SHARES.main;
  return isSummary === true ? SHARES.summary : SHARES.section;
}

function someOf({ rows, isSummary }: Section, room: number): string[] {
  const shown = isSummary === true ? rows.slice(0, MOST_ROWS) : rows;
  const hidden = rows.length - shown.length;
  const left = (count: number): string => `- … and ${count} more`;
  const lines = within(
    shown.flatMap(rowLines),
    (line) => line,
    room - (hidden > 0 ? LONGEST_LEFT : 0),
    (count) => left(count + hidden),
  );
  return lines.length === shown.length && hidden > 0 ? [...lines, left(hidden)] : lines;
}

const LONGEST_LEFT = 30;

/** Adds a blank line before the rows, because a table or a block may follow. */
function titled({ title, notes = [] }: Section, lines: readonly string[]): string[] {
  return ["", `**${title}**`, "", ...lines, ...(notes.length === 0 ? [] : ["", notes.map(inertLine).join(" · ")])];
}

function rowLines({ mark, text, id, link, state, value, values = [], notes = [], image }: Row): string[] {
  const facts = [
    ...(mark === undefined ? [] : [mark.word ?? (mark.tone === "warn" ? "⚠️" : mark.sign)]),
    `${inline(text)}${value === undefined ? "" : ":"}${state === undefined ? "" : `: ${inertLine(state)}`}`,
    ...(value === undefined ? [] : [outputCell(value)]),
    ...(id === undefined ? [] : [code(id)]),
    ...(link === undefined ? [] : [linked(link)]),
    ...notes.map((note) => `(${inertLine(note)})`),
  ].filter((fact) => fact !== "");
  const told = values.map(({ path, sides, place, note }) => {
    const shown = sides.map((_, index) => sideText(sides, index, CELL)).filter((side) => side !== "");
    const said = note === undefined ? "" : ` **(${inertLine(note)})**`;
    return `${code(path)}: ${shown.join(" → ")}${said}${place === undefined ? "" : ` (${inertLine(place)})`}`;
  });
  // A single change stands in the line of its row.
  if (told.length === 1) return [`- ${facts.join(" ")} ${told.join("")}`];
  const shown = image === undefined ? "" : imageLines(image).replaceAll(/^(?=.)/gm, "  ");
  return [`- ${facts.join(" ")}${shown}`, ...told.map((line) => `  - ${line}`)];
}

function imageLines({ fold, ...image }: Image): string {
  return fold === undefined ? `\n\n${imageText(image)}\n` : `\n${details(inertLine(fold), [imageText(image)])}`;
}

function outputCell(value: Json): string {
  return typeof value === "string" && linked(value) === value ? value : code(valueText(value, LONGEST_OUTPUT));
}

function resourceText({ mark, text, called, state, notes = [], values = [] }: Row, room: number): string {
  const title = inertLine(plain(text));
  const name = called === undefined ? title : `${inertLine(called)} (${title})`;
  const told = [...(state === undefined ? [] : [state]), ...notes].map((fact) => ` · ${inertLine(fact)}`).join("");
  // A sign would start a list item.
  const does = mark?.word === undefined ? "" : `${mark.word} `;
  const labels = values[0]?.sides.map(({ label }) => label) ?? [];
  const head = labels.every((label) => label === undefined) ? ["old", "new"] : labels;
  const table = ["field", ...head];
  return details(`${does}<b>${name}</b>${told}`, [
    ...(values.length === 0 ? [] : [`| ${table.join(" | ")} |`, `|${"---|".repeat(table.length)}`]),
    ...values.map((value) => fieldRow(value, room)),
  ]);
}

function fieldRow({ path, note, replaces, place, sides }: Value, room: number): string {
  const isAlone = sides.length === 1;
  const why = note === undefined || isAlone ? "" : ` ${replaces === true ? "⚠️ " : ""}${note}`;
  const name = `${code(path)}${why}${place === undefined ? "" : ` in ${code(place)}`}`;
  const cells = sides.map((_, index) => sideText(sides, index, room));
  return `| ${[name, ...cells, ...(isAlone ? [note] : [])].join(" | ")} |`;
}

/** Shortens a side around its difference from the one before it, or else from the next one. */
function sideText(sides: readonly Side[], index: number, room: number): string {
  const [before, own, next] = [sides[index - 1], sides[index], sides[index + 1]].map((side) => side?.value);
  const differs = (other: Json | undefined): other is Json =>
    other !== undefined && own !== undefined && !same(other, own);
  if (differs(before)) return sideCell(valueSides(before, own ?? null, room).new);
  if (differs(next)) return sideCell(valueSides(own ?? null, next, room).old);
  return own === undefined ? "" : code(valueText(own, room));
}

function sideCell(text: string): string {
  return code(cut(text, LONGEST_CELL));
}

function inline(sentence: Sentence): string {
  // Within a line, nothing starts a list item.
  const text = (words: string, index: number): string =>
    index === 0 ? inertLine(words) : inertLine(`·${words}`).slice(1);
  return partsOf(sentence, { text, code, link: linked, strong: (words) => `**${inertLine(words)}**` }).join("");
}
