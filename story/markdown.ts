/**
 * The report as Markdown for a pull request: summary first, what takes something away before what adds, below the size that
 * code hosts take, with a hidden marker.
 */
import { type Json, formatPath } from "../engine/index.ts";
import { editsText } from "../provider/messages/foreign-edits.ts";
import { isSeen, outcomeText as lookText } from "../provider/seen/seen-live.ts";
import { whoMoved } from "../stack/report/drift.ts";
import type { Change, ChangeOp, Drift, DriftField, Field, Report } from "../stack/report/model.ts";
import { CELL, details, quoted, sideCell, valueCell } from "./markdown-blocks.ts";
import { code, inertLine, linked } from "./markdown-text.ts";
import { changingHands } from "../stack/report/hands.ts";
import { addresses } from "./markdown-addresses.ts";
import { leavingTexts, lookedTexts } from "./leaving.ts";
import { Budget, fitting, madeWithin, sizeOf, within } from "./markdown-fit.ts";
import { funnelMap } from "./markdown-map.ts";
import { FOR_A_MOMENT, funnelText, outcomeText, reasonText, STAYS_AS_IT_IS } from "./reasons.ts";
import { printableValue } from "./printable.ts";
import { valueSides, valueText } from "./values.ts";
import {
  byDanger,
  totalsText,
  DONE,
  driftedText,
  engineText,
  hasChanges,
  isRefused,
  seconds,
  titleOf,
} from "./words.ts";

/** Code hosts refuse comments of 65,536 characters and more; who posts this writes something around it. */
export const LARGEST = 60_000;

/** What each part may take of the whole; the changes themselves get what is left. */
const SHARES = { messages: 0.2, sentences: 0.12, map: 0.16, others: 0.07 };

export interface MarkdownOptions {
  /** Whole values. */
  full?: boolean;
  /** Where there is room for more, or for less. */
  largest?: number;
  /** Where everything is that finds no room here. */
  elsewhere?: string;
}

export function renderMarkdown(
  report: Report,
  { full = false, largest = LARGEST, elsewhere = "the JSON report (`--json FILE`)" }: MarkdownOptions = {},
): string {
  const shown = printableValue(report);
  const { changes, drift, project, stack, command } = shown;
  const budget = new Budget(largest - RESERVE);
  const head = [
    `<!-- landform:${command}:${[project, stack].map((name) => name.replace(/[^\w.-]/g, "_")).join("/")} -->`,
    `### ${verdict(shown)}`,
    "",
    `${code(`${project}/${stack}`)} · landform ${command} · ${engineText(shown)} · ${seconds(shown.durationMs)}`,
  ];
  const said = budget.spend(SHARES.messages, (room) => within(messages(shown), room, unsaid));
  const touched = touches(shown, budget, elsewhere);
  const start = [
    ...head,
    ...said,
    ...budget.spend(SHARES.sentences, (room) => sentences(shown, room)),
    ...touched,
    ...part(budget, ["| moves or goes | what points to it | edit |", "|---|---|---|"], mentions(shown)),
    ...lookedLine(shown),
    ...part(budget, ["| output | value |", "|---|---|"], links(shown)),
    "",
  ].join("\n");
  const cell = full ? Number.MAX_SAFE_INTEGER : CELL;
  const room = largest - start.length;
  const left = (count: number) =>
    `\n… and ${count} more resources, which did not fit here; ${elsewhere} has all of them.\n`;
  const sections =
    drift === undefined
      ? madeWithin(byDanger(changes, opOf), (change) => changeSection(change, cell), room, left)
      : madeWithin(drift, (one) => driftSection(one, cell), room, left);
  return start + sections.join("\n");
}

/** For what is short and always said: the head, the scopes, how much is left out. */
const RESERVE = 6_000;

function unsaid(count: number): string {
  return `\n… and ${count} more messages, which are in the run's log.`;
}

function opOf({ op }: Change): ChangeOp {
  return op;
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

function sentences({ changes, drift }: Report, room: number): string[] {
  if (drift !== undefined) return [];
  const texts = byDanger(changes, opOf).flatMap((change) =>
    change.fields.flatMap(({ path, old, new: now, stays }) =>
      typeof old === "string" && typeof now === "string" && stays !== true ? [{ change, path, old, now }] : [],
    ),
  );
  const lines = texts.slice(0, MOST_SENTENCES).map(({ change, path, old, now }) => {
    const sides = valueSides(old, now, CELL);
    return `- ${inertLine(titleOf(change))} ${code(formatPath(path))}: ${sideCell(sides.old)} → ${sideCell(sides.new)}`;
  });
  const count = fitting(lines, room);
  const more = texts.length - count;
  return count === 0 ? [] : ["", ...lines.slice(0, count), ...(more > 0 ? [`- … and ${more} more texts, below`] : [])];
}

/** What it came to, in a line. */
export function verdict(report: Report): string {
  const { result, drift } = report;
  const counts = totalsText(report);
  if (result !== "succeeded") return `${isRefused(report) ? "⛔ Refused" : VERDICTS[result]}: ${counts}`;
  if (drift !== undefined) return drift.length === 0 ? "✅ No drift" : `⚠️ ${driftedText(drift.length)}`;
  return hasChanges(report) ? counts : `✅ No changes (${counts})`;
}

const VERDICTS = { failed: "❌ Failed", cancelled: "⏹ Stopped before its end" };

function alsoLive({ impact, held = [], seen = [], public: visited = [] }: Report): string[] {
  return [
    ...(impact?.alsoLive ?? []).map((one) =>
      quoted("WARNING", `Would also go live with ${titleOf(one)} (${one.word}): ${editsText(one.edits)}`),
    ),
    ...(impact?.alsoGoes ?? []).map((one) =>
      quoted("WARNING", `Also deleted in the draft of ${titleOf(one)}: ${editsText(one.edits)}`),
    ),
    ...seen.filter(isSeen).map((one) => `\n✅ ${inertLine(titleOf(one))}: ${inertLine(lookText(one))}`),
    ...visited.map((one) => quoted("WARNING", `${titleOf(one)}, ${one.url}: ${lookText(one)}`)),
    ...held.map((one) =>
      quoted(
        "WARNING",
        `${titleOf(one)} is held back: ${one.heldBy ? "another page of its release" : "its draft"} holds edits of others`,
      ),
    ),
  ];
}

function touches(report: Report, budget: Budget, elsewhere: string): string[] {
  const { impact } = report;
  if (impact === undefined) return [];
  const { funnels, scopes, unproven = [] } = impact;
  const flows = funnels.map((funnel) => `| funnel ${inertLine(funnel.name)} | ${inertLine(funnelText(funnel))} | |`);
  const hands = changingHands(report).map(linked);
  const doubts = unproven.length === 0 ? "" : `; not proven by reads: ${unproven.map(code).join(", ")}`;
  // Addresses may take what these leave.
  const flowRows = budget.spend(SHARES.others, (room) => within(flows, room, moreRows));
  const handLines = hands.length === 0 ? [] : budget.spend(SHARES.others, (room) => handsLine(hands, room));
  const map = budget.spend(SHARES.map, (room) => fittingOrNone(funnelMap(funnels), room));
  const { rows, more } = addresses(impact.urls, budget, elsewhere);
  const shown = [...rows, ...flowRows];
  return [
    ...(shown.length === 0 ? [] : ["", "| touches | how | where |", "|---|---|---|", ...shown]),
    ...more,
    ...handLines,
    ...map,
    ...(scopes.length === 0 ? [] : ["", `Scopes the key needs: ${scopes.map(code).join(", ")}${doubts}`]),
  ];
}

function handsLine(hands: readonly string[], room: number): string[] {
  const shown = within(hands, room - 100, (count) => `and ${count} more`);
  return ["", `Change hands (${FOR_A_MOMENT}): ${shown.join(", ")}`];
}

/** What means nothing in part. */
function fittingOrNone(lines: readonly string[], room: number): readonly string[] {
  return sizeOf(lines) <= room ? lines : [];
}

function moreRows(count: number): string {
  return `| … and ${count} more | | |`;
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

function part(budget: Budget, head: readonly string[], rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  return budget.spend(SHARES.others, (room) => ["", ...head, ...within(rows, room, moreRows)]);
}

function changeSection(change: Change, room: number): string {
  const facts = [
    change.status === undefined ? undefined : ENDS[change.status],
    change.reason === undefined ? undefined : reasonText(change.reason),
  ];
  const told = facts.flatMap((fact) => (fact === undefined ? [] : [` · ${inertLine(fact)}`])).join("");
  // A sign would begin an item of a list.
  const does = change.status === "done" ? DONE[change.op] : change.op;
  const title = `${does} <b>${inertLine(titleOf(change))}</b>${told}`;
  const rows = change.fields.map((field) => fieldRow(field, room));
  return details(title, rows.length === 0 ? [] : ["| field | old | new |", "|---|---|---|", ...rows]);
}

const ENDS: Record<NonNullable<Change["status"]>, string | undefined> = {
  done: undefined,
  failed: "failed",
  unfinished: "unfinished",
  unreached: "not reached",
};

function fieldRow({ path, old, new: now, replaces, stays, writtenIn }: Field, room: number): string {
  const name = `${code(formatPath(path))}${replaces === true ? " ⚠️ replaces" : ""}${writtenIn === undefined ? "" : ` in ${code(writtenIn)}`}`;
  if (stays === true) return `| ${name} | ${valueCell(old, room)} | ${STAYS_AS_IT_IS} |`;
  if (old === undefined || now === undefined) return `| ${name} | ${valueCell(old, room)} | ${valueCell(now, room)} |`;
  const sides = valueSides(old, now, room);
  return `| ${name} | ${sideCell(sides.old)} | ${sideCell(sides.new)} |`;
}

function driftSection(drift: Drift, room: number): string {
  const rows = drift.fields.map((field) => driftRow(field, room));
  const table =
    rows.length === 0 ? [] : ["| field | moved by | last run | live | code |", "|---|---|---|---|---|", ...rows];
  return details(`<b>${inertLine(titleOf(drift))}</b> · ${drift.kind}`, table);
}

/** What is live is shown around where it differs from the last run, or else from the code. */
function driftRow(field: DriftField, room: number): string {
  const { path, lastRun, live, code: wanted } = field;
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
  return `| ${name} | ${MOVERS[whoMoved(field)]} | ${cells.join(" | ")} |`;
}

const MOVERS = { app: "the app", code: "the code", both: "both" } as const;
