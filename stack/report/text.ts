/** Texts as wide as they may be. Pure. */
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

/** A name takes at most so many columns, in a title and in a path. */
const LONGEST_NAME = 80;

/** A name or a key on one line, and no longer than a name is read. */
export function nameText(name: string): string {
  return cut(name.replaceAll("\n", "⏎"), LONGEST_NAME);
}

/** Quoted texts and words that nobody reads to their end; an address has its signs between its words. */
const ENDLESS = /(?<=^|[\s([{:=])"(?:[^"\\\n]|\\.){161,}"|[\p{L}\p{N}_$-]{161,}/gmu;

/** A message with the names in it as long as names are shown. */
export function messageText(message: string): string {
  return message.replace(ENDLESS, (text) =>
    text.startsWith('"') ? `"${cut(text.slice(1, -1), LONGEST_NAME)}"` : cut(text, LONGEST_NAME),
  );
}

/** As many names as are read, and how many more there are. */
export function listed(names: readonly string[], most = 5, between = ", "): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}
