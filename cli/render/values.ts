/** Values and fields on a terminal: short ones on a line, long texts shortened, multi-line ones as a diff of lines. */
import type { Json } from "../../engine/index.ts";
import { LATER, SECRET, type Field } from "../report/model.ts";
import { diffLines, type DiffLine } from "./lines.ts";
import type { Styles } from "./styles.ts";

const ROOM_FOR_SIZE = 36;

export function valueText(value: Json | undefined, room = 60): string {
  if (value === undefined) return "";
  if (typeof value === "string" && [SECRET, LATER].includes(value)) return value;
  const text = JSON.stringify(value);
  if (text.length <= room) return text;
  const end = typeof value === "string" ? '…"' : "…";
  const size = typeof value === "string" && room >= ROOM_FOR_SIZE ? ` (${value.length} characters)` : "";
  return `${wellFormed(text.slice(0, Math.max(room - end.length - size.length, 8)))}${end}${size}`;
}

/** A cut must not leave half a character or half an escape. */
function wellFormed(text: string): string {
  return text.replace(/\\(u[0-9a-f]{0,3})?$/i, "").replace(/[\uD800-\uDBFF]$/, "");
}

/** The lines of one field, without indentation. `pad` is the width of the column of names. */
export function fieldLines(
  field: Field,
  { pad, width, styles }: { pad: number; width: number; styles: Styles },
): string[] {
  const { path, old, new: now, kind } = field;
  const name = path.padEnd(pad);
  const why = field.replaces === true ? styles.replace("  (replaces it)") : "";
  if (isMultiLine(old) || isMultiLine(now)) return [`${path}${why}`, ...multiLine(old, now, width, styles)];
  if (isSecret(old) && isSecret(now)) return [`${name}  ${SECRET} → another ${SECRET}${why}`];
  const room = Math.max(Math.floor((width - pad - 8) / (kind === "update" ? 2 : 1)), 16);
  if (kind === "add") return [`${name}  ${styles.add(valueText(now, room))}${why}`];
  if (kind === "delete") return [`${name}  ${styles.remove(valueText(old, room))} → (none)${why}`];
  const whole = [valueText(old, width), valueText(now, width)] as const;
  const fits = whole[0].length + whole[1].length <= 2 * room;
  if (!fits && isText(old) && isText(now) && whole.every((text) => text.length <= width - 4)) {
    return [`${path}${why}`, styles.remove(`  - ${whole[0]}`), styles.add(`  + ${whole[1]}`)];
  }
  const [before, after] = fits ? whole : apart(old, now, room);
  return [`${name}  ${styles.remove(before)} → ${styles.add(after)}${why}`];
}

/** Two long texts that begin alike are shown from where they differ. */
function apart(old: Json | undefined, now: Json | undefined, room: number): [string, string] {
  if (typeof old !== "string" || typeof now !== "string" || Math.max(old.length, now.length) <= room) {
    return [valueText(old, room), valueText(now, room)];
  }
  let same = 0;
  while (same < old.length && old[same] === now[same]) same++;
  const from = Math.max(same - 12, 0);
  if (from === 0) return [valueText(old, room), valueText(now, room)];
  const tail = (text: string) => `"…${valueText(wellFormed(text.slice(from)), room - 1).slice(1)}`;
  return [tail(old), tail(now)];
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && !isSecret(value);
}

function isSecret(value: Json | undefined): boolean {
  return value === SECRET;
}

function isMultiLine(value: Json | undefined): value is string {
  return typeof value === "string" && value.trimEnd().includes("\n");
}

const SHOWN_LINES = 24;

function multiLine(old: Json | undefined, now: Json | undefined, width: number, styles: Styles): string[] {
  const lines = withoutLastBlank(diffLines(linesOf(old), linesOf(now)));
  const cut = lines.slice(0, SHOWN_LINES).map(({ mark, text }) => {
    const line = `  ${mark} ${text.length > width - 4 ? `${wellFormed(text.slice(0, width - 5))}…` : text}`;
    return mark === "+" ? styles.add(line) : mark === "-" ? styles.remove(line) : styles.faint(line);
  });
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...cut, styles.faint(`    … ${more} more lines`)] : cut;
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
