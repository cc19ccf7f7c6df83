/** A plan, or what was done, for people: resource by resource, field by field, then what it touches. Pure. */
import { editText } from "../provider/messages/foreign-edits.ts";
import type { AlsoLive, DraftOfOthers } from "../stack/report/going-live.ts";
import type { Change, ChangeOp, Field, Impact, Report } from "../stack/report/model.ts";
import type { Canvas } from "./canvas.ts";
import { changingHands } from "../stack/report/hands.ts";
import { leavingTexts, lookedTexts } from "./leaving.ts";
import { FOR_A_MOMENT, funnelText, reasonText } from "./reasons.ts";
import { printableValue } from "./printable.ts";
import { nameText, padded, widthOf } from "./text.ts";
import { fieldLines, valueText } from "./values.ts";
import { engineText, hasChanges, isPlanned, paint, seconds, SIGNS, titleOf, totalsText } from "./words.ts";
import { pathText } from "./path-text.ts";

export function renderPlan(found: Report, canvas: Canvas): string {
  const { styles } = canvas;
  const report = printableValue(found);
  const head = styles.strong(`${HEADS[report.command]} ${report.project}/${report.stack}`);
  const impact = report.impact && hasChanges(report) ? impactLines(report, report.impact, canvas) : [];
  const unmanaged = (report.unmanaged ?? []).map((line) => `  ${line}`);
  const left = unmanaged.length > 0 ? ["", ...unmanaged] : [];
  const body = [...changesLines(report.changes, canvas), ...left, ...impact, ...leavingLines(report, canvas)];
  return [head, ...body, "", summaryLine(report, canvas)].join("\n");
}

/** Of a plan, what goes beyond its changes: edits of others that it meets, and what points to what goes. */
export function besidesLines(found: Report, canvas: Canvas): string[] {
  const report = printableValue(found);
  return [...(report.impact === undefined ? [] : draftLines(report.impact, canvas)), ...leavingLines(report, canvas)];
}

const HEADS: Record<Report["command"], string> = {
  preview: "Preview of",
  up: "Changes to",
  refresh: "What has changed in",
  drift: "Drift of",
  destroy: "Destruction of",
  undo: "Undo in",
};

/** More changes than these are told a line each. */
const MOST_CHANGES = 30;

export function changesLines(changes: readonly Change[], canvas: Canvas): string[] {
  if (canvas.full !== true && changes.length > MOST_CHANGES) return summary(changes, canvas);
  return changes.flatMap((change, index) => {
    const apart = index === 0 || change.fields.length > 0;
    return [...(apart ? [""] : []), ...changeLines(change, canvas)];
  });
}

function summary(changes: readonly Change[], { styles }: Canvas): string[] {
  const lines = lossesFirst(changes, ({ op }) => op).map((change) => {
    const fields = change.op === "update" || change.op === "replace" ? change.fields : [];
    const told = fieldNames(fields.filter(({ stays }) => stays !== true));
    return `  ${paint(change.op, styles)(SIGNS[change.op])} ${titleOf(change)}${told === "" ? "" : styles.faint(`  ${told}`)}`;
  });
  const hint = `  ${changes.length} changes, a line each: --full shows them field by field.`;
  return ["", ...lines, "", styles.faint(hint)];
}

const LOSSES: ReadonlySet<ChangeOp> = new Set(["delete", "replace"]);

/** Whoever reads no further has read what goes. */
function lossesFirst<T>(all: readonly T[], opOf: (one: T) => ChangeOp): T[] {
  return all.toSorted((a, b) => Number(LOSSES.has(opOf(b))) - Number(LOSSES.has(opOf(a))));
}

const NAMED_FIELDS = 4;

function fieldNames(fields: readonly Field[]): string {
  const names = fields.slice(0, NAMED_FIELDS).map(({ path }) => pathText(path));
  const more = fields.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function changeLines(change: Change, canvas: Canvas): string[] {
  const { styles, width } = canvas;
  const colour = paint(change.op, styles);
  const where = change.url === undefined ? "" : `  ${styles.link(change.url)}`;
  const id = change.id === undefined || change.op === "create" ? "" : styles.faint(`  ${change.id}`);
  const start = `  ${colour(SIGNS[change.op])} ${styles.strong(titleOf(change))}${id}`;
  const title = widthOf(start + where) <= width ? [start + where] : [start, `      ${where.trimStart()}`];
  const notes = change.reason === undefined ? [] : [`      ${styles.faint(reasonText(change.reason))}`];
  return [...title, ...notes, ...columns(change.fields, canvas).map((line) => `      ${line}`)];
}

const WIDEST_NAME = 32;

function columns(fields: readonly Field[], canvas: Canvas): string[] {
  const pad = Math.min(Math.max(0, ...fields.map(({ path }) => widthOf(pathText(path)))), WIDEST_NAME);
  return fields.flatMap((field) => fieldLines(field, { ...canvas, pad, width: canvas.width - 6 }));
}

/** Of more pages than these, those that go and the first of the others are told. */
const MOST_PAGES = 30;

function impactLines(report: Report, impact: Impact, canvas: Canvas): string[] {
  const { styles, width, full } = canvas;
  const { urls, funnels, scopes, unproven = [] } = impact;
  const hands = changingHands(report);
  if (urls.length + funnels.length + scopes.length === 0) return [];
  const list = (title: string, items: string[]) =>
    items.length === 0
      ? []
      : [`  ${title.padEnd(16)}${items[0] ?? ""}`, ...items.slice(1).map((item) => " ".repeat(18) + item)];
  const losses = urls.filter(({ effect }) => LOSSES.has(effect)).length;
  const most = full === true ? urls.length : Math.max(losses, MOST_PAGES);
  const more = urls.length - most;
  const shown = lossesFirst(urls, ({ effect }) => effect)
    .slice(0, most)
    .map(({ url, page, effect }) => `${paint(effect, styles)(SIGNS[effect])} ${styles.link(url)} (${nameText(page)})`);
  return [
    "",
    styles.strong("Touches"),
    ...list("Published pages", [...shown, ...(more > 0 ? [`… and ${more} more: --full shows them all`] : [])]),
    ...list("Change hands", inLines(hands.length === 0 ? [] : [...hands, FOR_A_MOMENT], width - 18)),
    ...list(
      "Funnels",
      funnels.map((funnel) => `${nameText(funnel.name)}: ${funnelText(funnel)}`),
    ),
    ...list("Key needs", inLines(scopes, width - 18)),
    ...list("Not proven", unprovenLines(unproven, width - 18)),
    ...draftLines(impact, canvas),
  ];
}

function draftLines({ alsoLive = [], writtenOver = [], alsoGoes = [] }: Impact, { styles }: Canvas): string[] {
  const lost = (what: string, one: DraftOfOthers, back: string): string[] => [
    "",
    `${styles.warn(what)} in the draft of ${titleOf(one)}, and not public (${back}):`,
    ...one.edits.map((edit) => `  ${styles.warn("!")} ${editText(edit)}`),
  ];
  return [
    ...alsoLive.flatMap((one) => alsoLiveLines(one, styles)),
    ...writtenOver.flatMap((one) => lost("Written over", one, "undo brings it back")),
    ...alsoGoes.flatMap((one) => lost("Also deleted", one, "undo brings back its texts")),
  ];
}

function unprovenLines(scopes: readonly string[], width: number): string[] {
  const why = "Reads can't prove these: up asks before it makes what can't be deleted.";
  return scopes.length === 0 ? [] : [...inLines(scopes, width), why];
}

/** Of more mentions than these, the first are told. */
const MOST_MENTIONS = 20;

function leavingLines(report: Report, { styles, full }: Canvas): string[] {
  if ((report.leaving ?? []).length === 0) return [];
  const told = leavingTexts(report).flatMap(({ title, mentions }) => {
    const shown = full === true ? mentions : mentions.slice(0, MOST_MENTIONS);
    const more = mentions.length - shown.length;
    return [
      `  ${title}`,
      ...shown.map(({ kind, text, link }) => {
        const sign = kind === "follows" ? styles.change("~") : styles.warn("!");
        return `    ${sign} ${text}${link === undefined ? "" : `  ${styles.link(link)}`}`;
      }),
      ...(more > 0 ? [`    … and ${more} more: --full shows them all`] : []),
    ];
  });
  const looked = lookedTexts(report).map((line) => `  ${styles.faint(line)}`);
  return ["", styles.strong("Points to what moves or goes"), ...told, ...looked];
}

function alsoLiveLines({ type, name, edits, word, released }: AlsoLive, styles: Canvas["styles"]): string[] {
  return [
    "",
    `${styles.warn("Would also go live")} with ${titleOf({ type, name })}, and is not this program's (${word === "hold" && released ? HELD_RELEASE : WORDS[word]}):`,
    ...edits.map((edit) => `  ${styles.warn("!")} ${editText(edit)}`),
  ];
}

const WORDS: Record<AlsoLive["word"], string> = {
  hold: "so it is held back and stays a draft; --foreign-edits include publishes both",
  include: "and is included",
  ask: "up asks about it",
};

const HELD_RELEASE = "so its whole release is held back and stays a draft; --foreign-edits include publishes both";

/** A list in as few lines as it takes, broken between its items. */
function inLines(items: readonly string[], width: number): string[] {
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
  const totals = totalsText(report);
  const verdict = hasChanges(report) ? totals : `no changes, ${totals}`;
  const facts = [engineText(report), seconds(report.durationMs)].join(" · ");
  const told = planned && report.result !== "succeeded" ? `not the whole plan: ${verdict}` : verdict;
  return `${styles.strong(told)} ${styles.faint(`· ${facts}`)}`;
}

export function outputLines({ result, ...report }: Report, { styles, width }: Canvas): string[] {
  const { outputs, urls } = printableValue({ outputs: report.outputs, urls: report.urls });
  const entries = Object.entries(outputs).map(([name, value]) => [nameText(name), value] as const);
  const pad = Math.max(0, ...entries.map(([name]) => widthOf(name)));
  const named = entries.map(([name, value]) => {
    const text = typeof value === "string" && !value.includes("\n") ? value : valueText(value, width - pad - 6);
    return `  ${padded(name, pad)}  ${/^https?:\/\//.test(text) ? styles.link(text) : text}`;
  });
  const other = urls.filter((url) => !Object.values(outputs).includes(url)).map((url) => `  ${styles.link(url)}`);
  const title =
    result === "succeeded" ? "Outputs" : `Outputs from before the ${result === "failed" ? "failure" : "stop"}`;
  return [
    ...(named.length === 0 ? [] : ["", styles.strong(title), ...named]),
    ...(other.length === 0 ? [] : ["", styles.strong(named.length === 0 ? "Published" : "Also published"), ...other]),
  ];
}
