/** Fits texts into columns. Pure. */
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The columns that a text takes on a terminal. */
export const widthOf = (text: string): number => stringWidth(text);

/** Fills the text up with blanks. */
export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(columns - widthOf(text), 0));
}

/** Returns the start of the text that fits into the columns. It never cuts a character. */
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

/** Does the same from the end. It looks only at the last part of a long text. */
export function tail(text: string, columns: number): string {
  const near = [...graphemes.segment(text.slice(-columns * LONGEST_GRAPHEME))].map(({ segment }) => segment);
  let width = 0;
  const from = near.findLastIndex((segment) => (width += widthOf(segment)) > columns);
  return near.slice(from + 1).join("");
}

/** In code units. Longer characters may be cut wrongly. */
const LONGEST_GRAPHEME = 16;

/** Returns the text, or its start and an ellipsis. */
export function cut(text: string, columns: number): string {
  const start = head(text, columns);
  return start.length === text.length ? text : `${head(text, columns - 1)}…`;
}

/** Breaks the text into lines of at most `columns` columns, after a blank if one is in the line's second half. */
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

/** The most columns of a name, in a title and in a path. */
const LONGEST_NAME = 80;

/** Returns a name or a key on one line, shortened if it is too long. */
export function nameText(name: string): string {
  return cut(name.replaceAll("\n", "⏎"), LONGEST_NAME);
}

/** Quoted texts and words that are too long to read. An address is split by its signs. */
const ENDLESS = /(?<=^|[\s([{:=])"(?:[^"\\\n]|\\.){161,}"|[\p{L}\p{N}_$-]{161,}/gmu;

/** Shortens the names in a message. */
export function messageText(message: string): string {
  return message.replace(ENDLESS, (text) =>
    text.startsWith('"') ? `"${cut(text.slice(1, -1), LONGEST_NAME)}"` : cut(text, LONGEST_NAME),
  );
}
