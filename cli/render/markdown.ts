/** The report as Markdown for a pull request: summary first, below the size that code hosts take, with a hidden marker. */
import { type Json, formatPath } from "../../engine/index.ts";
import { editsText } from "../../provider/foreign-edits.ts";
import { isSeen, outcomeText as lookText } from "../../provider/seen/seen-live.ts";
import type { Change, Drift, DriftField, Field, Report } from "../report/model.ts";
import { code, inert, inertLine, linked } from "./markdown-text.ts";
import { changingHands } from "../report/hands.ts";
import { leavingTexts, lookedTexts } from "./leaving.ts";
import { FOR_A_MOMENT, funnelText, outcomeText, reasonText, STAYS_AS_IT_IS } from "./reasons.ts";
import { cut, printableValue } from "./text.ts";
import { valueSides, valueText } from "./values.ts";
import { countsText, engineText, hasChanges, isPlanned, seconds, SIGNS, titleOf } from "./words.ts";

/** Code hosts refuse comments of 65,536 characters and more. */
export const LARGEST = 63_900;

export interface MarkdownOptions {
  /** Whole values. */
  full?: boolean;
}

export function renderMarkdown(report: Report, { full = false }: MarkdownOptions = {}): string {
  const shown = printableValue(report);
  const { failures, warnings, pending, changes, drift, project, stack, command } = shown;
  const head = [
    `<!-- landform:${command}:${[project, stack].map((name) => name.replace(/[^\w.-]/g, "_")).join("/")} -->`,
    `### ${verdict(shown)}`,
    "",
    `${code(`${project}/${stack}`)} · landform ${command} · ${engineText(shown)} · ${seconds(shown.durationMs)}`,
    ...failures.map(({ message, source }) => quoted("CAUTION", [source, message].filter(Boolean).join(": "))),
    ...warnings.map((warning) => quoted("WARNING", warning)),
    ...pending.map((one) => quoted("NOTE", `interrupted earlier: ${one.operation} ${one.urn}: ${outcomeText(one)}`)),
    ...alsoLive(shown),
    ...(shown.unmanaged ?? []).map((line) => quoted("NOTE", line)),
    ...touches(shown),
    ...mentions(shown),
    ...links(shown),
  ];
  const room = full ? Number.MAX_SAFE_INTEGER : CELL;
  const sections =
    drift === undefined
      ? changes.map((change) => changeSection(change, room))
      : drift.map((one) => driftSection(one, room));
  return fit(head.join("\n"), sections);
}

function verdict(report: Report): string {
  const { result, drift } = report;
  const counts = countsText(report.counts, isPlanned(report));
  const refused = report.failures.some(({ cause }) => cause === "refused" || cause === "stale");
  if (result !== "succeeded") return `${refused ? "⛔ Refused" : VERDICTS[result]}: ${counts}`;
  if (drift !== undefined) return drift.length === 0 ? "✅ No drift" : `⚠️ ${drift.length} resources have drifted`;
  return hasChanges(report) ? counts : `✅ No changes (${counts})`;
}

const VERDICTS = { failed: "❌ Failed", cancelled: "⏹ Stopped before its end" };

function alsoLive({ impact, held = [], seen = [], public: visited = [] }: Report): string[] {
  return [
    ...(impact?.alsoLive ?? []).map((one) =>
      quoted("WARNING", `Would also go live with ${titleOf(one)} (${one.word}): ${editsText(one.edits)}`),
    ),
    ...seen.filter(isSeen).map((one) => `\n✅ ${inertLine(titleOf(one))}: ${inertLine(lookText(one))}`),
    ...visited.map((one) => quoted("WARNING", `${titleOf(one)}, ${one.url}: ${lookText(one)}`)),
    ...held.map((one) => quoted("WARNING", `${titleOf(one)} is held back: its draft holds edits of others`)),
  ];
}

const MOST_ROWS = 100;

function touches(report: Report): string[] {
  const { impact } = report;
  if (impact === undefined) return [];
  const { urls, funnels, scopes, unproven = [] } = impact;
  const rows = [
    ...urls.map(({ url, page, effect }) => `| page ${inertLine(page)} | ${effect} | ${linked(url)} |`),
    ...funnels.map((funnel) => `| funnel ${inertLine(funnel.name)} | ${inertLine(funnelText(funnel))} | |`),
  ];
  const hands = changingHands(report);
  const table = rows.length === 0 ? [] : ["", "| touches | how | where |", "|---|---|---|", ...most(rows)];
  if (hands.length > 0) table.push("", `Change hands (${FOR_A_MOMENT}): ${hands.map(linked).join(", ")}`);
  const doubts = unproven.length === 0 ? "" : `; not proven by reads: ${unproven.map(code).join(", ")}`;
  return scopes.length === 0 ? table : [...table, "", `Scopes the key needs: ${scopes.map(code).join(", ")}${doubts}`];
}

function mentions(report: Report): string[] {
  const rows = leavingTexts(report).flatMap(({ title, mentions: found }) =>
    found.map(({ kind, text, link }) => {
      const sign = kind === "follows" ? "" : "⚠️ ";
      return `| ${inertLine(title)} | ${sign}${inertLine(text)} | ${link === undefined ? "" : linked(link)} |`;
    }),
  );
  const looked = lookedTexts(report).map(inertLine);
  const note = looked.length === 0 ? [] : ["", looked.join(" · ")];
  const head = ["", "| moves or goes | what points to it | edit |", "|---|---|---|"];
  return rows.length === 0 ? note : [...head, ...most(rows), ...note];
}

function links({ outputs, urls }: Report): string[] {
  const shown = (value: Json): string =>
    typeof value === "string" && urls.includes(value) ? linked(value) : code(valueText(value, LONGEST_OUTPUT));
  const rows = [
    ...Object.entries(outputs).map(([name, value]) => `| ${inertLine(name)} | ${shown(value)} |`),
    ...urls.filter((url) => !Object.values(outputs).includes(url)).map((url) => `| | ${linked(url)} |`),
  ];
  return rows.length === 0 ? [] : ["", "| output | value |", "|---|---|", ...most(rows)];
}

const LONGEST_OUTPUT = 500;

function most(rows: readonly string[]): string[] {
  const more = rows.length - MOST_ROWS;
  return [...rows.slice(0, MOST_ROWS), ...(more > 0 ? [`| … and ${more} more | | |`] : [])];
}

function changeSection(change: Change, room: number): string {
  const facts = [
    change.status === undefined ? undefined : ENDS[change.status],
    change.reason === undefined ? undefined : reasonText(change.reason),
  ];
  const told = facts.flatMap((fact) => (fact === undefined ? [] : [` · ${inertLine(fact)}`])).join("");
  const title = `${SIGNS[change.op]} <b>${inertLine(titleOf(change))}</b>${told}`;
  const rows = change.fields.map((field) => fieldRow(field, room));
  return details(title, rows.length === 0 ? [] : ["| field | old | new |", "|---|---|---|", ...rows]);
}

const ENDS: Record<NonNullable<Change["status"]>, string | undefined> = {
  done: undefined,
  failed: "failed",
  unfinished: "unfinished",
  unreached: "not reached",
};

/** Columns of a value that is shortened around what changes; of the change itself, many times as much. */
const CELL = 120;
const LONGEST_CELL = 3_000;

function fieldRow({ path, old, new: now, replaces, stays }: Field, room: number): string {
  const name = `${code(formatPath(path))}${replaces === true ? " ⚠️ replaces" : ""}`;
  if (stays === true) return `| ${name} | ${valueCell(old, room)} | ${STAYS_AS_IT_IS} |`;
  if (old === undefined || now === undefined) return `| ${name} | ${valueCell(old, room)} | ${valueCell(now, room)} |`;
  const sides = valueSides(old, now, room);
  return `| ${name} | ${sideCell(sides.old)} | ${sideCell(sides.new)} |`;
}

function driftSection(drift: Drift, room: number): string {
  const rows = drift.fields.map((field) => driftRow(field, room));
  const table = rows.length === 0 ? [] : ["| field | last run | live | code |", "|---|---|---|---|", ...rows];
  return details(`<b>${inertLine(titleOf(drift))}</b> · ${drift.kind}`, table);
}

/** What is live is shown around where it differs from the last run, or else from the code. */
function driftRow({ path, lastRun, live, code: wanted }: DriftField, room: number): string {
  const name = code(formatPath(path));
  const against = (other: Json | undefined) =>
    live === undefined || other === undefined || JSON.stringify(other) === JSON.stringify(live)
      ? undefined
      : valueSides(other, live, room);
  const [before, settled] = [against(lastRun), against(wanted)];
  const shownLive = (before ?? settled)?.new;
  const cells = [
    before === undefined ? valueCell(lastRun, room) : sideCell(before.old),
    shownLive === undefined ? valueCell(live, room) : sideCell(shownLive),
    settled === undefined ? valueCell(wanted, room) : sideCell(settled.old),
  ];
  return `| ${name} | ${cells.join(" | ")} |`;
}

function details(title: string, lines: string[]): string {
  if (lines.length === 0) return `\n${title}\n`;
  return ["", `<details><summary>${title}</summary>`, "", ...lines, "", "</details>", ""].join("\n");
}

/** As many whole sections as fit, and how many are left out. */
function fit(head: string, sections: readonly string[]): string {
  let text = head.length > LARGEST ? `${head.slice(0, LARGEST - 100).toWellFormed()}\n\n…` : `${head}\n`;
  for (const [index, section] of sections.entries()) {
    const left = `\n… and ${sections.length - index} more resources, which did not fit here.\n`;
    if (text.length + section.length + left.length > LARGEST) return text + left;
    text += section;
  }
  return text;
}

const LONGEST_MESSAGE = 2_000;

function quoted(kind: string, text: string): string {
  const lines = inert(text.slice(0, LONGEST_MESSAGE).toWellFormed()).split("\n");
  return ["", `> [!${kind}]`, ...lines.map((line) => `> ${line}`)].join("\n");
}

function valueCell(value: Json | undefined, room: number): string {
  return value === undefined ? "" : code(valueText(value, room));
}

function sideCell(text: string): string {
  return code(cut(text, LONGEST_CELL));
}
