/** A plan, or what was done, for people: resource by resource, field by field, then what it touches. Pure. */
import { stripVTControlCharacters } from "node:util";
import type { Change, Field, Impact, Report } from "../report/model.ts";
import type { Styles } from "./styles.ts";
import { fieldLines, valueText } from "./values.ts";
import { countsText, engineText, hasChanges, isPlanned, paint, seconds, SIGNS, titleOf } from "./words.ts";

export interface Canvas {
  styles: Styles;
  width: number;
}

export function renderPlan(report: Report, canvas: Canvas): string {
  const { styles } = canvas;
  const head = styles.strong(`${HEADS[report.command]} ${report.project}/${report.stack}`);
  const changes = report.changes.flatMap((change, index) => {
    const apart = index === 0 || change.fields.length > 0;
    return [...(apart ? [""] : []), ...changeLines(change, canvas)];
  });
  const impact = report.impact && hasChanges(report) ? impactLines(report.impact, canvas) : [];
  return [head, ...changes, ...impact, "", summaryLine(report, canvas)].join("\n");
}

const HEADS: Record<Report["command"], string> = {
  preview: "Preview of",
  up: "Changes to",
  refresh: "What has changed in",
  drift: "Drift of",
  destroy: "Destruction of",
};

export function changeLines(change: Change, { styles, width }: Canvas): string[] {
  const colour = paint(change.op, styles);
  const where = change.url === undefined ? "" : `  ${styles.link(change.url)}`;
  const id = change.id === undefined || change.op === "create" ? "" : styles.faint(`  ${change.id}`);
  const start = `  ${colour(SIGNS[change.op])} ${styles.strong(titleOf(change))}${id}`;
  const fits = stripVTControlCharacters(start + where).length <= width;
  const title = fits ? [start + where] : [start, `      ${where.trimStart()}`];
  const notes = change.note === undefined ? [] : [`      ${styles.faint(change.note)}`];
  return [...title, ...notes, ...columns(change.fields, { styles, width }).map((line) => `      ${line}`)];
}

const WIDEST_NAME = 32;

function columns(fields: readonly Field[], { styles, width }: Canvas): string[] {
  const pad = Math.min(Math.max(0, ...fields.map(({ path }) => path.length)), WIDEST_NAME);
  return fields.flatMap((field) => fieldLines(field, { pad, width: width - 6, styles }));
}

function impactLines({ urls, funnels, scopes }: Impact, { styles, width }: Canvas): string[] {
  if (urls.length + funnels.length + scopes.length === 0) return [];
  const list = (title: string, items: string[]) =>
    items.length === 0
      ? []
      : [`  ${title.padEnd(16)}${items[0] ?? ""}`, ...items.slice(1).map((item) => " ".repeat(18) + item)];
  const pages = urls.map(
    ({ url, page, effect }) => `${paint(effect, styles)(SIGNS[effect])} ${styles.link(url)} (${page})`,
  );
  return [
    "",
    styles.strong("Touches"),
    ...list("Published pages", pages),
    ...list(
      "Funnels",
      funnels.map(({ name, reason }) => `${name}: ${reason}`),
    ),
    ...list("Key needs", wrapped(scopes, width - 18)),
  ];
}

/** A list in as few lines as it takes, broken between its items. */
function wrapped(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [index, item] of items.entries()) {
    const word = index === items.length - 1 ? item : `${item},`;
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function summaryLine(report: Report, { styles }: Canvas): string {
  const planned = isPlanned(report);
  const verdict = hasChanges(report)
    ? countsText(report.counts, planned)
    : `no changes, ${countsText(report.counts, planned)}`;
  const facts = [engineText(report), seconds(report.durationMs)].join(" · ");
  const told = planned && report.result !== "succeeded" ? `not the whole plan: ${verdict}` : verdict;
  return `${styles.strong(told)} ${styles.faint(`· ${facts}`)}`;
}

export function outputLines({ outputs, urls, result }: Report, { styles, width }: Canvas): string[] {
  const entries = Object.entries(outputs);
  const pad = Math.max(0, ...entries.map(([name]) => name.length));
  const named = entries.map(([name, value]) => {
    const text = typeof value === "string" && !value.includes("\n") ? value : valueText(value, width - pad - 6);
    return `  ${name.padEnd(pad)}  ${/^https?:\/\//.test(text) ? styles.link(text) : text}`;
  });
  const other = urls.filter((url) => !Object.values(outputs).includes(url)).map((url) => `  ${styles.link(url)}`);
  const title =
    result === "succeeded" ? "Outputs" : `Outputs from before the ${result === "failed" ? "failure" : "stop"}`;
  return [
    ...(named.length === 0 ? [] : ["", styles.strong(title), ...named]),
    ...(other.length === 0 ? [] : ["", styles.strong(named.length === 0 ? "Published" : "Also published"), ...other]),
  ];
}
