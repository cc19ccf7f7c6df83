/** Values and fields on a terminal: short ones on a line, long texts shortened around what changes, lines as a diff. */
import { type Json } from "../engine/index.ts";
import { STAYS_AS_IT_IS } from "./reasons.ts";
import { LATER, OTHER_SECRET, SECRET, type Field } from "../stack/report/model.ts";
import type { Canvas } from "./canvas.ts";
import { aroundWithin, type Sides } from "./changed.ts";
import { diffLines, type DiffLine } from "./lines.ts";
import { head, padded, widthOf, wrapped } from "./text.ts";
import { pathText } from "./path-text.ts";

const ROOM_FOR_SIZE = 36;

/** A value on one line, of at most so many columns. */
export function valueText(value: Json | undefined, room = 60): string {
  if (value === undefined) return "";
  const text = literal(value);
  if (text.length <= room && widthOf(text) <= room) return text;
  const end = typeof value === "string" ? '…"' : "…";
  const size = typeof value === "string" && room >= ROOM_FOR_SIZE ? ` (${value.length} characters)` : "";
  const start = head(text, Math.max(room - widthOf(end) - size.length, 8));
  // Not in the middle of an escape.
  return `${start.replace(/\\(u[0-9a-f]{0,3})?$/i, "")}${end}${size}`;
}

function literal(value: Json): string {
  return typeof value === "string" && STANDING_IN.has(value) ? value : JSON.stringify(value);
}

const STANDING_IN: ReadonlySet<Json> = new Set([SECRET, OTHER_SECRET, LATER]);

/** Old and new as they are told where there is no room for all of them. */
export function valueSides(old: Json, now: Json, room: number): Sides {
  if (old === SECRET && now === SECRET) return { old: SECRET, new: OTHER_SECRET };
  return aroundWithin(literal(old), literal(now), room);
}

/** The lines of one field, without indentation. `pad` is the width of the column of names. */
export function fieldLines(field: Field, canvas: Canvas & { pad: number }): string[] {
  const { pad, width, styles, full = false } = canvas;
  const { old, new: now } = field;
  const path = pathText(field.path);
  const place = field.writtenIn === undefined ? "" : styles.faint(`  ${field.writtenIn}`);
  const why = `${field.replaces === true ? styles.replace("  (replaces it)") : ""}${place}`;
  if (field.stays === true) return [`${padded(path, pad)}  ${styles.faint(STAYS_AS_IT_IS)}`];
  if (isMultiLine(old) || isMultiLine(now)) return [`${path}${why}`, ...multiLine(old, now, canvas)];
  const name = padded(path, pad);
  const room = full ? Number.MAX_SAFE_INTEGER : Math.max(width - Math.max(pad, widthOf(path)) - 8, 16);
  if (old === undefined) return [`${name}  ${styles.add(valueText(now, room))}${why}`];
  if (now === undefined) return [`${name}  ${styles.remove(valueText(old, room))} → (none)${why}`];
  return updateLines(name, path, { old, new: now }, canvas, why);
}

/** On one line where it fits, else below each other: whatever changes is shown, in as many lines as it takes. */
function updateLines(
  name: string,
  path: string,
  { old, new: now }: { old: Json; new: Json },
  { pad, width, styles, full = false }: Canvas & { pad: number },
  why: string,
): string[] {
  const room = Math.max(width - Math.max(pad, widthOf(path)) - 5, 16);
  const whole = valueSides(old, now, Number.MAX_SAFE_INTEGER);
  if (widthOf(whole.old) + widthOf(whole.new) <= room) {
    return [`${name}  ${styles.remove(whole.old)} → ${styles.add(whole.new)}${why}`];
  }
  const sides = full ? whole : valueSides(old, now, width - 4);
  return [
    `${path}${why}`,
    ...sideLines("-", sides.old, width, full).map(styles.remove),
    ...sideLines("+", sides.new, width, full).map(styles.add),
  ];
}

function sideLines(mark: string, text: string, width: number, full: boolean): string[] {
  const lines = wrapped(text, Math.max(width - 4, 16));
  const shown = full ? lines : lines.slice(0, SHOWN_LINES);
  const more = lines.length - shown.length;
  return [
    ...shown.map((line, index) => `  ${index === 0 ? mark : " "} ${line}`),
    ...(more > 0 ? [`    … ${more} more lines (--full)`] : []),
  ];
}

function isMultiLine(value: Json | undefined): value is string {
  return typeof value === "string" && value.trimEnd().includes("\n");
}

const SHOWN_LINES = 24;

function multiLine(old: Json | undefined, now: Json | undefined, { width, styles, full = false }: Canvas): string[] {
  const paint = { "+": styles.add, "-": styles.remove, " ": styles.faint, "…": styles.faint };
  const lines = sidesOfLines(withoutLastBlank(diffLines(linesOf(old), linesOf(now))), full ? undefined : width - 4);
  const drawn = lines.flatMap(({ mark, text }) => {
    const rows = wrapped(text.replaceAll("\t", "␉"), Math.max(width - 4, 16));
    const kept = mark === " " && !full ? rows.slice(0, 1) : rows;
    return kept.map((row, index) => paint[mark](`  ${index === 0 ? mark : " "} ${row}`.trimEnd()));
  });
  const shown = full ? drawn : drawn.slice(0, SHOWN_LINES);
  const more = drawn.length - shown.length;
  return more > 0 ? [...shown, styles.faint(`    … ${more} more lines (--full)`)] : shown;
}

/** A line that goes and the one that comes in its place are shown around what differs between them. */
function sidesOfLines(lines: readonly DiffLine[], room: number | undefined): DiffLine[] {
  const result = [...lines];
  for (let start = 0; start < lines.length; start++) {
    if (lines[start]?.mark !== "-") continue;
    const gone = countFrom(lines, start, "-");
    const come = countFrom(lines, start + gone, "+");
    for (let index = 0; index < Math.min(gone, come); index++) {
      const [old, now] = [lines[start + index], lines[start + gone + index]];
      if (old === undefined || now === undefined) continue;
      const sides = aroundWithin(old.text, now.text, room ?? Number.MAX_SAFE_INTEGER);
      result[start + index] = { mark: "-", text: sides.old };
      result[start + gone + index] = { mark: "+", text: sides.new };
    }
    start += gone + come - 1;
  }
  return result;
}

function countFrom(lines: readonly DiffLine[], start: number, mark: DiffLine["mark"]): number {
  const end = lines.findIndex((line, index) => index >= start && line.mark !== mark);
  return (end === -1 ? lines.length : end) - start;
}

/** The line break at the end of a text that is new or gone as a whole is not worth a line. */
function withoutLastBlank(lines: readonly DiffLine[]): readonly DiffLine[] {
  const alike = lines.every(({ mark }) => mark === lines[0]?.mark);
  return alike && lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
}

function linesOf(value: Json | undefined): string[] {
  if (value === undefined) return [];
  return (typeof value === "string" ? value : JSON.stringify(value)).split("\n");
}
