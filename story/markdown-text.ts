/**
 * The pieces that Markdown for code hosts is made of. Of texts of others, nothing becomes a picture, a link, a mention, a tag or a
 * table's bar; and of a text of limited length, each piece is whole or left out, and counted. Pure.
 */

/** Takes no room, and parts what a code host would make a link or a mention of. */
const APART = "\u200b";

/**
 * As text that stays text. Signs are written as entities, which are no marks of Markdown, and are read the same inside of
 * HTML. Line breaks stay.
 */
export function inert(text: string): string {
  return text
    .replaceAll("@", `@${APART}`)
    .replace(/#(?=\w)/g, `#${APART}`)
    .replace(/:(?=\/\/)/g, `:${APART}`)
    .replace(/\b(www|GH)(?=[.-])/gi, `$1${APART}`)
    .replace(/^(\s*)([#+=-]|\d+[.)])/gm, (_, blanks: string, mark: string) => `${blanks}${APART}${mark}`)
    .replace(/[&<>"'*_`[\]|~\\!^]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The same on one line, as a table's cell and a title need it. */
export function inertLine(text: string): string {
  return inert(text.replaceAll("\n", " "));
}

/** As it is, within a line of code. */
export function code(text: string): string {
  const line = text.replaceAll("\n", "⏎").replaceAll("|", "\\|");
  const fence = fenceOf(line, 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${pad}${line}${pad}${fence}`;
}

/** Lines as they are, as a block of code. */
export function fenced(lines: readonly string[]): string {
  const text = lines.map((line) => line.replaceAll("\n", "⏎")).join("\n");
  const fence = fenceOf(text, 3);
  return `${fence}\n${text}\n${fence}`;
}

function fenceOf(text: string, shortest: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(Math.max(shortest, longest + 1));
}

/** The address of a page, which is there to be opened; anything else is told as it is. */
export function linked(address: string): string {
  return ADDRESS.test(address) ? address : code(address);
}

const ADDRESS = /^https?:\/\/[\w.-]+(:\d+)?(\/[\w~%/.-]*)?$/;

export function details(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return `\n${title}\n`;
  return ["", `<details><summary>${title}</summary>`, "", ...lines, "", "</details>", ""].join("\n");
}

const LONGEST_MESSAGE = 2_000;

export function quoted(kind: string, text: string): string {
  const lines = inert(text.slice(0, LONGEST_MESSAGE).toWellFormed()).split("\n");
  return ["", `> [!${kind}]`, ...lines.map((line) => `> ${line}`)].join("\n");
}

/** The pieces that fit into `room`, in their order; `left` says how many don't, and has to fit, too. */
export function within(pieces: readonly string[], room: number, left: (count: number) => string): string[] {
  if (sizeOf(pieces) <= room) return [...pieces];
  const kept = fitting(pieces, room - left(pieces.length).length - 1);
  return [...pieces.slice(0, kept), left(pieces.length - kept)];
}

/** The same of pieces that take long to make: those that don't fit aren't made. */
export function madeWithin<Item>(
  items: readonly Item[],
  make: (item: Item) => string,
  room: number,
  left: (count: number) => string,
): string[] {
  const made: string[] = [];
  for (let used = 0; used <= room && made.length < items.length;) {
    const piece = make(items[made.length] as Item);
    made.push(piece);
    used += piece.length + 1;
  }
  const unmade = items.length - made.length;
  return unmade === 0 ? within(made, room, left) : within([...made, ...Array<string>(unmade).fill("")], room, left);
}

/** How many of them fit, from the first on. */
export function fitting(pieces: readonly string[], room: number): number {
  let used = 0;
  const first = pieces.findIndex((piece) => (used += piece.length + 1) > room);
  return first === -1 ? pieces.length : first;
}

/** As lines of a text. */
export function sizeOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length + 1, 0);
}

/** The room of a text, spent by one part after another: what comes first is sure of its share. */
export class Budget {
  readonly whole: number;
  #spent = 0;

  constructor(whole: number) {
    this.whole = whole;
  }

  get left(): number {
    return Math.max(0, this.whole - this.#spent);
  }

  /** The lines of a part that may take up to `share` of the whole. */
  spend(share: number, part: (room: number) => readonly string[]): readonly string[] {
    const lines = part(Math.min(Math.floor(this.whole * share), this.left));
    this.#spent += sizeOf(lines);
    return lines;
  }
}
