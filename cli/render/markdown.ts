/**
 * The report as Markdown for a pull request: summary first, what takes something away before what adds, below the size that
 * code hosts take, with a hidden marker.
 */
import { type Json, formatPath } from "../../engine/index.ts";
import { editsText } from "../../provider/foreign-edits.ts";
import { isSeen, outcomeText as lookText } from "../../provider/seen/seen-live.ts";
import type { Change, ChangeOp, Drift, DriftField, Field, Impact, Report } from "../report/model.ts";
import { code, inert, inertLine, linked } from "./markdown-text.ts";
import { changingHands } from "../report/hands.ts";
import { leavingTexts, lookedTexts } from "./leaving.ts";
import { within } from "./markdown-fit.ts";
import { funnelMap } from "./markdown-map.ts";
import { FOR_A_MOMENT, funnelText, outcomeText, reasonText, STAYS_AS_IT_IS } from "./reasons.ts";
import { cut, printableValue } from "./text.ts";
import { valueSides, valueText } from "./values.ts";
import { countsText, engineText, hasChanges, isPlanned, seconds, SIGNS, titleOf } from "./words.ts";

/** Code hosts refuse comments of 65,536 characters and more; who posts this writes something around it. */
export const LARGEST = 60_000;

/** What the parts may take of it; the changes themselves get what is left. */
const ROOM = { messages: 14_000, addresses: 22_000, others: 6_000 };

export interface MarkdownOptions {
  /** Whole values. */
  full?: boolean;
}

export function renderMarkdown(report: Report, { full = false }: MarkdownOptions = {}): string {
  const shown = printableValue(report);
  const { changes, drift, project, stack, command } = shown;
  const head = [
    `<!-- landform:${command}:${[project, stack].map((name) => name.replace(/[^\w.-]/g, "_")).join("/")} -->`,
    `### ${verdict(shown)}`,
    "",
    `${code(`${project}/${stack}`)} · landform ${command} · ${engineText(shown)} · ${seconds(shown.durationMs)}`,
    ...within(messages(shown), ROOM.messages, (count) => `\n… and ${count} more messages, which are in the run's log.`),
    ...sentences(shown),
    ...touches(shown),
    ...table(ROOM.others, ["| moves or goes | what points to it | edit |", "|---|---|---|"], mentions(shown)),
    ...lookedLine(shown),
    ...table(ROOM.others, ["| output | value |", "|---|---|"], links(shown)),
  ];
  const room = full ? Number.MAX_SAFE_INTEGER : CELL;
  const sections =
    drift === undefined
      ? byDanger(changes).map((change) => changeSection(change, room))
      : drift.map((one) => driftSection(one, room));
  const start = `${head.join("\n")}\n`;
  const left = (count: number) => `\n… and ${count} more resources, which did not fit here.\n`;
  return start + within(sections, LARGEST - start.length, left).join("\n");
}

const DANGER: readonly ChangeOp[] = ["delete", "replace", "update", "adopt", "create"];

function byDanger(changes: readonly Change[]): Change[] {
  return changes.toSorted((a, b) => DANGER.indexOf(a.op) - DANGER.indexOf(b.op));
}

function messages(report: Report): string[] {
  const { failures, warnings, pending, unmanaged = [] } = report;
  return [
    ...failures.map(({ message, source }) => quoted("CAUTION", [source, message].filter(Boolean).join(": "))),
    ...warnings.map((warning) => quoted("WARNING", warning)),
    ...pending.map((one) => quoted("NOTE", `interrupted earlier: ${one.operation} ${one.urn}: ${outcomeText(one)}`)),
    ...alsoLive(report),
    ...unmanaged.map((line) => quoted("NOTE", line)),
  ];
}

/** So many changed texts can be read at once; the others are folded away with the rest. */
const MOST_SENTENCES = 10;

function sentences({ changes, drift }: Report): string[] {
  if (drift !== undefined) return [];
  const texts = byDanger(changes).flatMap((change) =>
    change.fields.flatMap(({ path, old, new: now, stays }) =>
      typeof old === "string" && typeof now === "string" && stays !== true ? [{ change, path, old, now }] : [],
    ),
  );
  const lines = texts.slice(0, MOST_SENTENCES).map(({ change, path, old, now }) => {
    const sides = valueSides(old, now, CELL);
    return `- ${inertLine(titleOf(change))} ${code(formatPath(path))}: ${sideCell(sides.old)} → ${sideCell(sides.new)}`;
  });
  const more = texts.length - lines.length;
  return lines.length === 0 ? [] : ["", ...lines, ...(more > 0 ? [`- … and ${more} more texts, below`] : [])];
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

/** So many addresses are a table; more are a list, by the place that they share. */
const MOST_ROWS = 100;

function touches(report: Report): string[] {
  const { impact } = report;
  if (impact === undefined) return [];
  const { funnels, scopes, unproven = [] } = impact;
  const urls = impact.urls.toSorted((a, b) => DANGER.indexOf(a.effect) - DANGER.indexOf(b.effect));
  const rows = [
    ...urls
      .slice(0, MOST_ROWS)
      .map(({ url, page, effect }) => `| page ${inertLine(page)} | ${effect} | ${linked(url)} |`),
    ...funnels.map((funnel) => `| funnel ${inertLine(funnel.name)} | ${inertLine(funnelText(funnel))} | |`),
  ];
  const hands = changingHands(report);
  const doubts = unproven.length === 0 ? "" : `; not proven by reads: ${unproven.map(code).join(", ")}`;
  return [
    ...table(ROOM.others * 2, ["| touches | how | where |", "|---|---|---|"], rows),
    ...addresses(urls.slice(MOST_ROWS)),
    ...(hands.length === 0 ? [] : ["", `Change hands (${FOR_A_MOMENT}): ${hands.map(linked).join(", ")}`]),
    ...funnelMap(funnels),
    ...(scopes.length === 0 ? [] : ["", `Scopes the key needs: ${scopes.map(code).join(", ")}${doubts}`]),
  ];
}

/** Thousands of addresses share a few beginnings, which are said once. */
function addresses(urls: Impact["urls"]): string[] {
  if (urls.length === 0) return [];
  const groups = Map.groupBy(urls, ({ url, effect }) => `${effect} ${url.slice(0, url.lastIndexOf("/") + 1)}`);
  const lines = [...groups].flatMap(([root, group]) => [
    `\n${code(root)}\n`,
    ...group.map(({ url }) => code(url.slice(url.lastIndexOf("/") + 1) || "/")),
  ]);
  const listed = within(
    lines,
    ROOM.addresses,
    (count) => `\n… and ${count} more addresses, which are in the JSON report`,
  );
  return ["", `<details><summary>${urls.length} more addresses</summary>`, "", ...listed, "", "</details>"];
}

function mentions(report: Report): string[] {
  return leavingTexts(report).flatMap(({ title, mentions: found }) =>
    found.map(({ kind, text, link }) => {
      const sign = kind === "follows" ? "" : "⚠️ ";
      return `| ${inertLine(title)} | ${sign}${inertLine(text)} | ${link === undefined ? "" : linked(link)} |`;
    }),
  );
}

function lookedLine(report: Report): string[] {
  const looked = lookedTexts(report).map(inertLine);
  return looked.length === 0 ? [] : ["", looked.join(" · ")];
}

function links({ outputs, urls }: Report): string[] {
  const shown = (value: Json): string =>
    typeof value === "string" && urls.includes(value) ? linked(value) : code(valueText(value, LONGEST_OUTPUT));
  return [
    ...Object.entries(outputs).map(([name, value]) => `| ${inertLine(name)} | ${shown(value)} |`),
    ...urls.filter((url) => !Object.values(outputs).includes(url)).map((url) => `| | ${linked(url)} |`),
  ];
}

const LONGEST_OUTPUT = 500;

function table(room: number, head: readonly string[], rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  return ["", ...head, ...within(rows, room, (count) => `| … and ${count} more | | |`)];
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
