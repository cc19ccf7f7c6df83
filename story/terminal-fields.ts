/** Prints values on a terminal: short ones on a line, long texts shortened around their change, lines as a diff. Pure. */
import { diffArrays } from "diff";
import { type Json } from "../engine/index.ts";
import type { Value } from "./model.ts";
import type { Styles } from "./print.ts";
import { padded, widthOf, wrapped, aroundWithin, valueSides, valueText } from "../stack/report/text.ts";

export interface Canvas {
  styles: Styles;
  /** Columns. */
  width: number;
  /** Shows whole values, and every change of a long plan. */
  full?: boolean;
}

const WIDEST_NAME = 32;

/** Returns the lines of fields with their names in a column, without indentation. */
export function fieldLines(values: readonly Value[], canvas: Canvas): string[] {
  const pad = Math.min(Math.max(0, ...values.map(({ short }) => widthOf(short))), WIDEST_NAME);
  return values.flatMap((value) =>
    value.sides.some(({ label }) => label !== undefined) ? labelled(value, canvas) : changed(value, { ...canvas, pad }),
  );
}

function labelled({ short, note, sides }: Value, { styles, width, full = false }: Canvas): string[] {
  const room = full ? Number.MAX_SAFE_INTEGER : Math.max(width - 16, 24);
  const paints = [styles.faint, styles.remove, styles.add].slice(-sides.length);
  return [
    `${short}${note === undefined ? "" : styles.faint(`  ${note}`)}`,
    ...sides.map(({ label = "", value }, index) => {
      const text = value === undefined ? "(none)" : valueText(value, room);
      return `  ${label.padEnd(10)} ${paints[index]?.(text) ?? text}`;
    }),
  ];
}

function changed({ short: path, note, replaces, place, sides }: Value, canvas: Canvas & { pad: number }): string[] {
  const { pad, width, styles, full = false } = canvas;
  const name = padded(path, pad);
  const [{ value: old } = { value: undefined }, next] = sides;
  const where = place === undefined ? "" : styles.faint(`  ${place}`);
  if (next === undefined) return [`${name}  ${styles.faint(note ?? "")}${where}`];
  const { value: now } = next;
  const said = note === undefined ? "" : `  (${note})`;
  const why = `${replaces === true ? styles.replace(said) : styles.faint(said)}${where}`;
  if (isMultiLine(old) || isMultiLine(now)) return [`${path}${why}`, ...multiLine(old, now, canvas)];
  const left = width - Math.max(pad, widthOf(path));
  const room = full ? Number.MAX_SAFE_INTEGER : Math.max(left - 8, 16);
  if (old === undefined) return [`${name}  ${styles.add(valueText(now, room))}${why}`];
  if (now === undefined) return [`${name}  ${styles.remove(valueText(old, room))} → (none)${why}`];
  const whole = valueSides(old, now, Number.MAX_SAFE_INTEGER);
  if (widthOf(whole.old) + widthOf(whole.new) <= Math.max(left - 5, 16))
    return [`${name}  ${styles.remove(whole.old)} → ${styles.add(whole.new)}${why}`];
  // The change is always shown, in as many lines as it needs.
  const both = full ? whole : valueSides(old, now, width - 4);
  return [
    `${path}${why}`,
    ...sideLines("-", both.old, width, full).map(styles.remove),
    ...sideLines("+", both.new, width, full).map(styles.add),
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

/** Shortens a removed line and its successor around their difference. */
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

/** Drops the line break at the end of a text that is wholly new or gone. */
function withoutLastBlank(lines: readonly DiffLine[]): readonly DiffLine[] {
  const alike = lines.every(({ mark }) => mark === lines[0]?.mark);
  return alike && lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
}

function linesOf(value: Json | undefined): string[] {
  if (value === undefined) return [];
  return (typeof value === "string" ? value : JSON.stringify(value)).split("\n");
}

/** A diff of lines, as `diff -U1` shows it. */
interface DiffLine {
  mark: "+" | "-" | " " | "…";
  text: string;
}

/** Texts with more different lines are shown as removed and new. */
const MOST_DIFFERENCES = 4_000;

function diffLines(olds: readonly string[], news: readonly string[]): DiffLine[] {
  const marked = (mark: DiffLine["mark"]) => (text: string) => ({ mark, text });
  const parts = diffArrays([...olds], [...news], { maxEditLength: MOST_DIFFERENCES });
  if (parts === undefined) return [...olds.map(marked("-")), ...news.map(marked("+"))];
  return onlyNear(parts.flatMap(({ value, added, removed }) => value.map(marked(added ? "+" : removed ? "-" : " "))));
}

/** Keeps unchanged lines only beside changed ones. The rest becomes an ellipsis. */
function onlyNear(lines: readonly DiffLine[]): DiffLine[] {
  const changed = (index: number) => lines[index] !== undefined && lines[index].mark !== " ";
  const near = (index: number) => changed(index) || changed(index - 1) || changed(index + 1);
  return lines.flatMap((line, index) => {
    if (near(index)) return [line];
    return near(index - 1) || index === 0 ? [{ mark: "…" as const, text: "" }] : [];
  });
}
