/** The report as Markdown for a pull request: summary first, below the size that code hosts take, with a hidden marker. */
import type { Json } from "../../engine/index.ts";
import type { Change, Drift, Field, Report } from "../report/model.ts";
import { valueText } from "./values.ts";
import { countsText, engineText, hasChanges, isPlanned, seconds, SIGNS, titleOf } from "./words.ts";

/** Code hosts refuse comments of 65,536 characters and more. */
export const LARGEST = 63_900;

export function renderMarkdown(report: Report): string {
  const { failures, warnings, changes, drift } = report;
  const head = [
    `<!-- landform:${report.command}:${report.project}/${report.stack} -->`,
    `### ${verdict(report)}`,
    "",
    `\`${report.project}/${report.stack}\` · landform ${report.command} · ${engineText(report)} · ${seconds(report.durationMs)}`,
    ...failures.map(({ message, source }) => quoted("CAUTION", [source, message].filter(Boolean).join(": "))),
    ...warnings.map((warning) => quoted("WARNING", warning)),
    ...touches(report),
    ...links(report),
  ];
  const sections = drift === undefined ? changes.map(changeSection) : drift.map(driftSection);
  return fit(head.join("\n"), sections);
}

function verdict(report: Report): string {
  const { result, drift } = report;
  const counts = countsText(report.counts, isPlanned(report));
  if (result !== "succeeded") return `${result === "cancelled" ? "⏹ Stopped before its end" : "❌ Failed"}: ${counts}`;
  if (drift !== undefined) return drift.length === 0 ? "✅ No drift" : `⚠️ ${drift.length} resources have drifted`;
  return hasChanges(report) ? counts : `✅ No changes (${counts})`;
}

function touches({ impact }: Report): string[] {
  if (impact === undefined) return [];
  const { urls, funnels, scopes } = impact;
  const rows = [
    ...urls.map(({ url, page, effect }) => `| page ${cell(page)} | ${effect} | ${cell(url)} |`),
    ...funnels.map(({ name, reason }) => `| funnel ${cell(name)} | ${cell(reason)} | |`),
  ];
  const table = rows.length === 0 ? [] : ["", "| touches | how | where |", "|---|---|---|", ...rows.slice(0, 100)];
  return scopes.length === 0
    ? table
    : [...table, "", `Scopes the key needs: ${scopes.map((scope) => `\`${scope}\``).join(", ")}`];
}

function links({ outputs, urls }: Report): string[] {
  const rows = [
    ...Object.entries(outputs).map(([name, value]) => `| ${cell(name)} | ${cell(plain(value))} |`),
    ...urls.filter((url) => !Object.values(outputs).includes(url)).map((url) => `| | ${cell(url)} |`),
  ];
  return rows.length === 0 ? [] : ["", "| output | value |", "|---|---|", ...rows.slice(0, 100)];
}

function changeSection(change: Change): string {
  const facts = [change.status === undefined ? undefined : ENDS[change.status], change.note];
  const told = facts.flatMap((fact) => (fact === undefined ? [] : [` · ${html(fact)}`])).join("");
  const title = `${SIGNS[change.op]} <b>${html(titleOf(change))}</b>${told}`;
  const rows = change.fields.map(fieldRow);
  return details(title, rows.length === 0 ? [] : ["| field | old | new |", "|---|---|---|", ...rows]);
}

const ENDS: Record<NonNullable<Change["status"]>, string | undefined> = {
  done: undefined,
  failed: "failed",
  unfinished: "unfinished",
  unreached: "not reached",
};

function fieldRow({ path, old, new: now, replaces }: Field): string {
  return `| \`${code(path)}\`${replaces === true ? " ⚠️ replaces" : ""} | ${valueCell(old)} | ${valueCell(now)} |`;
}

function driftSection(drift: Drift): string {
  const rows = drift.fields.map(
    ({ path, lastRun, live, code: wanted }) =>
      `| \`${code(path)}\` | ${valueCell(lastRun)} | ${valueCell(live)} | ${valueCell(wanted)} |`,
  );
  const table = rows.length === 0 ? [] : ["| field | last run | live | code |", "|---|---|---|---|", ...rows];
  return details(`<b>${html(titleOf(drift))}</b> · ${drift.kind}`, table);
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

function quoted(kind: string, text: string): string {
  const lines = html(text.slice(0, 2_000)).split("\n");
  return ["", `> [!${kind}]`, ...lines.map((line) => `> ${line}`)].join("\n");
}

function valueCell(value: Json | undefined): string {
  return value === undefined ? "" : `\`${code(valueText(value, 120))}\``;
}

function plain(value: Json): string {
  return typeof value === "string" ? value.slice(0, 500) : valueText(value, 200);
}

/** Text in a table's cell, where a bar or a line break would end it. */
function cell(text: string): string {
  return html(text).replaceAll("|", "\\|").replaceAll("\n", " ");
}

function code(text: string): string {
  return text.replaceAll("`", "ˋ").replaceAll("|", "\\|").replaceAll("\n", "⏎");
}

function html(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
