/** Prints a story on a terminal: row by row, field by field, then the other touched parts, and the verdict last. Pure. */
import type { Json } from "../engine/index.ts";
import { type Canvas, fieldLines } from "./terminal-fields.ts";
import { isOfAddress, linesOf, partsOf, PLAIN, plain } from "./model.ts";
import type { Finding, Row, Section, Sentence, Story, Value } from "./model.ts";
import { messageText, padded, widthOf, valueText } from "../stack/report/text.ts";
import type { Sign } from "../stack/report/words.ts";
import { paint, type Styles } from "./print.ts";
import { adviceText } from "../stack/advice/next-command.ts";

export type { Canvas } from "./terminal-fields.ts";

/** Prints a whole plan or look. A failure before there was anything to show is told alone. */
export function planLines(story: Story, canvas: Canvas): string[] {
  const findings = findingLines(story, canvas);
  if (story.ending === "stopped") return [...findings, "Stopped before its end. Nothing in the account was changed."];
  const hasNothing = story.resources.rows.length === 0 && story.urgent.some(({ weight }) => weight === "failure");
  if (hasNothing) return [...findings, ...adviceLines(story, canvas)];
  return [
    canvas.styles.strong(story.title),
    ...resourceLines(story.resources.rows, canvas),
    ...summaryLines(story, canvas, isShort(story.resources.rows, canvas)),
    ...sectionsLines(story, "run", canvas),
    ...(findings.length === 0 ? [] : ["", ...findings]),
    "",
    verdictLine(story, canvas),
    ...adviceLines(story, canvas),
  ];
}

/** Prints the result of a run whose steps were told one by one. */
export function outcomeLines(story: Story, canvas: Canvas): string[] {
  const isDone = ["plain", "loses", "good"].includes(story.ending) && !plain(story.verdict).startsWith("Done");
  const findings = findingLines(story, canvas);
  return [
    ...(findings.length === 0 ? [] : ["", ...findings]),
    ...summaryLines(story, canvas, false),
    ...sectionsLines(story, "plan", canvas),
    "",
    verdictLine(isDone ? { ...story, verdict: `Done: ${plain(story.verdict)}` } : story, canvas),
    ...adviceLines(story, canvas),
  ];
}

/** Fields that are told one by one need no summary. */
function summaryLines({ summary }: Story, canvas: Canvas, isShortened: boolean): string[] {
  const shown = summary.filter(({ isSummary }) => isShortened || isSummary !== true);
  return shown.flatMap((section) => sectionLines(section, canvas));
}

export function verdictLine({ verdict, facts }: Story, { styles }: Canvas): string {
  return `${styles.strong(plain(verdict))} ${styles.faint(`· ${facts.slice(2).map(plain).join(" · ")}`)}`;
}

function adviceLines({ advice }: Pick<Story, "advice">, { styles }: Canvas): string[] {
  return advice.map((one) => styles.faint(adviceText(one)));
}

export function findingLines({ urgent, findings }: Pick<Story, "urgent" | "findings">, { styles }: Canvas): string[] {
  const { bad, warn, faint } = styles;
  const names = { failure: bad("error:"), warning: warn("warning:"), note: faint("note:") };
  const told = ({ weight, guide, ...one }: Finding): string[] => {
    const message = messageText(one.text).replaceAll("\n", "\n  ");
    const [title, ...items] = linesOf({ ...one, weight, text: message }, warn("!"));
    return [
      `${names[weight]} ${title}`,
      ...[...items, ...(guide === undefined ? [] : [faint(guide)])].map((line) => `  ${line}`),
    ];
  };
  return [...urgent, ...findings].filter(({ isEarly }) => isEarly !== true).flatMap(told);
}

/** More changes than these get one line each. */
const MOST_CHANGES = 30;

export function resourceLines(rows: readonly Row[], canvas: Canvas): string[] {
  if (isShort(rows, canvas)) return summary(rows, canvas);
  return rows.flatMap((row, index) => {
    const apart = index === 0 || (row.values ?? []).length > 0;
    return [...(apart ? [""] : []), ...resource(row, canvas)];
  });
}

function isShort(rows: readonly Row[], { full }: Canvas): boolean {
  return full !== true && rows.length > MOST_CHANGES;
}

function summary(rows: readonly Row[], { styles }: Canvas): string[] {
  const lines = rows.map(({ mark, text, values = [] }) => {
    const isChanged = mark?.tone === "update" || mark?.tone === "replace" || mark?.tone === "warn";
    const told = isChanged ? fieldNames(values) : "";
    return `  ${signOf(mark, styles)} ${plain(text)}${told === "" ? "" : styles.faint(`  ${told}`)}`;
  });
  const hint = `  ${rows.length} changes, a line each: --full shows them field by field.`;
  return ["", ...lines, "", styles.faint(hint)];
}

const NAMED_FIELDS = 4;

/** A single side did not change. */
function fieldNames(values: readonly Value[]): string {
  const changed = values.filter(({ sides }) => sides.length > 1).map(({ short }) => short);
  const more = changed.length - NAMED_FIELDS;
  return [...changed.slice(0, NAMED_FIELDS), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function resource({ mark, text, id, link, state, notes = [], values = [] }: Row, canvas: Canvas): string[] {
  const { styles, width } = canvas;
  const where = link === undefined ? "" : `  ${styles.link(link)}`;
  const facts = `${id === undefined ? "" : styles.faint(`  ${id}`)}${state === undefined ? "" : `  ${state}`}`;
  const start = `  ${signOf(mark, styles)} ${styles.strong(plain(text))}${facts}`;
  return [
    ...(widthOf(start + where) <= width ? [start + where] : [start, `      ${where.trimStart()}`]),
    ...notes.map((note) => `      ${styles.faint(note)}`),
    ...fieldLines(values, { ...canvas, width: width - 6 }).map((line) => `      ${line}`),
  ];
}

function signOf(mark: Sign | undefined, styles: Styles): string {
  return mark === undefined ? " " : paint(mark.tone, styles)(mark.sign);
}

/** Leaves out sections that are told at another time. */
function sectionsLines({ sections }: Story, without: Section["of"], canvas: Canvas): string[] {
  const shown = sections.filter((section) => section.of !== without);
  return shown.flatMap((section) => sectionLines(section, canvas));
}

export function sectionLines(section: Section, canvas: Canvas): string[] {
  const { title, notes = [], isLine } = section;
  if (isLine === true) return ["", ...inLines(section, canvas)];
  const last = notes.map((note) => `  ${canvas.styles.faint(note)}`);
  return ["", canvas.styles.strong(title), ...rowsLines(section, canvas), ...last];
}

/** A plan with more rows shows those that delete something, and the first of the others. */
const MOST_ROWS = 30;

function rowsLines({ rows, of, isSummary }: Section, canvas: Canvas): string[] {
  const losses = rows.filter(({ mark }) => mark?.loses === true).length;
  const most =
    canvas.full === true || (of !== "plan" && isSummary !== true) ? rows.length : Math.max(losses, MOST_ROWS);
  const more = rows.length > most ? [`  … and ${rows.length - most} more: --full shows them all`] : [];
  const pad = Math.max(0, ...rows.flatMap(({ text, value }) => (value === undefined ? [] : [widthOf(plain(text))])));
  return [...rows.slice(0, most).flatMap((row) => rowLines(row, canvas, pad)), ...more];
}

function rowLines(row: Row, canvas: Canvas, pad: number): string[] {
  const { mark, id, link, state, value, values = [], notes = [] } = row;
  const { styles, width } = canvas;
  const text = sentence(row.text, styles);
  const output = value === undefined ? text : `${padded(text, pad)}  ${outputText(value, width - pad - 6, styles)}`;
  const facts = [
    state === undefined ? output : `${text}: ${state}`,
    id === undefined ? "" : styles.faint(id),
    link === undefined ? "" : styles.link(link),
  ].filter((fact) => fact !== "");
  const said = isOfAddress(row) && facts.length === 2 ? `${facts[1] ?? ""} (${facts[0] ?? ""})` : facts.join("  ");
  return [
    `  ${mark === undefined ? "" : `${signOf(mark, styles)} `}${said}`,
    ...fieldLines(values, { ...canvas, width: width - 6 }).map((line) => `      ${line}`),
    ...notes.map((note) => styles.faint(`      (${note})`)),
  ];
}

function outputText(value: Json, room: number, styles: Styles): string {
  const text = typeof value === "string" && !value.includes("\n") ? value : valueText(value, room);
  return /^https?:\/\//.test(text) ? styles.link(text) : text;
}

/** Prints a list in as few lines as possible, broken between its items. */
function inLines({ title, rows }: Section, { styles, width }: Canvas): string[] {
  const items = rows.map(({ text }, index) => `${plain(text)}${index === rows.length - 1 ? "" : ","}`);
  const lines: string[] = [];
  for (const word of [`${title}:`, ...items]) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(line === undefined ? word : `  ${word}`);
  }
  return lines.map((line, index) => (index === 0 ? line.replace(`${title}:`, styles.strong(`${title}:`)) : line));
}

function sentence(text: Sentence, { link, strong }: Styles): string {
  return partsOf(text, { ...PLAIN, link, strong }).join("");
}
