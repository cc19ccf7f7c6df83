/** Texts of others, made fit to be shown: as wide as they may be, and with nothing in them that acts. Pure. */
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Columns that the text takes on a terminal. */
export const widthOf = (text: string): number => stringWidth(text);

/** The text, filled up with blanks. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(columns - widthOf(text), 0));
}

/** As much of the text as the columns hold: never half a character. */
export function head(text: string, columns: number): string {
  let taken = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) return taken;
    taken += segment;
  }
  return taken;
}

/** The same from the end. Only the last part of a long text is looked at. */
export function tail(text: string, columns: number): string {
  const near = [...graphemes.segment(text.slice(-columns * LONGEST_GRAPHEME))].map(({ segment }) => segment);
  let width = 0;
  const from = near.findLastIndex((segment) => (width += widthOf(segment)) > columns);
  return near.slice(from + 1).join("");
}

/** In code units; longer ones are cut wrongly at worst. */
const LONGEST_GRAPHEME = 16;

/** The text, or its start and an ellipsis. */
export function cut(text: string, columns: number): string {
  const start = head(text, columns);
  return start.length === text.length ? text : `${head(text, columns - 1)}…`;
}

/** Broken into lines of at most so many columns, behind a blank where one is in the line's second half. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let rest = text;
  do {
    const most = head(rest, columns) || rest.slice(0, 1);
    const blank = most.length === rest.length ? -1 : most.lastIndexOf(" ");
    const line = blank + 1 >= most.length / 2 ? most.slice(0, blank + 1) : most;
    lines.push(line);
    rest = rest.slice(line.length);
  } while (rest !== "");
  return lines;
}

export function firstLine(text: string, columns: number): string {
  const [line = ""] = text.split("\n");
  if (line === text && widthOf(line) <= columns) return line;
  return `${head(line, columns).trimEnd()}…`;
}

/**
 * Without anything that a terminal or a text's direction obeys: controls become their pictures (␛), and the rest is
 * named. Line breaks stay; so do the joiners of emoji.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, (control) => (control === "\u007f" ? "␡" : String.fromCharCode(0x2400 + control.charCodeAt(0))))
    .replace(HIDDEN, (hidden) => named(hidden));
}

// eslint-disable-next-line no-control-regex -- that is what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** C1 controls, marks of direction, separators that break lines, and what takes no room at all. */
const HIDDEN =
  /[\u0080-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export function named(character: string): string {
  return `⟦U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
}

/** The same for every text in a value, keys included. */
export function printableValue<T>(value: T): T {
  return mapped(value) as T;
}

function mapped(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [printable(key), mapped(item)]));
}

/**
 * A line for a log: runners of CI systems take `::name::` at its start, behind blanks too, and `##[`, `##vso[` and
 * `##teamcity[` anywhere for commands. Colours of ours before it are no blanks to them, and are looked through all the same.
 */
export function withoutCommands(line: string): string {
  return line.replace(COMMAND_START, "$1∶∶").replace(/##(?=\[|vso\[|teamcity\[)/gi, "＃＃");
}

// eslint-disable-next-line no-control-regex -- the escape that colours begin with
const COMMAND_START = /^((?:\s|\u001b\[[\d;]*m)*)::/;
