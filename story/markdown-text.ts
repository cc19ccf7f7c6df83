/**
 * Makes the pieces of Markdown for code hosts. Texts of others never become a picture, a link, a mention, a tag or a table's bar. In a text
 * of limited length, each piece is whole, or left out and counted. Pure.
 */
import { plain, type Row } from "./model.ts";

/** Takes no room, and breaks up text that a code host would turn into a link or a mention. */
const APART = "\u200b";

/** Makes text that stays text. Signs become entities, which are no marks of Markdown and read the same inside HTML. Line breaks stay. */
export function inert(text: string): string {
  return text
    .replaceAll("@", `@${APART}`)
    .replace(/#(?=\w)/g, `#${APART}`)
    .replace(/:(?=\/\/)/g, `:${APART}`)
    .replace(/\b(www|GH)(?=[.-])/gi, `$1${APART}`)
    .replace(/^(\s*)([#+=-]|\d+[.)])/gm, (_, blanks: string, mark: string) => `${blanks}${APART}${mark}`)
    .replace(/[&<>"'*_`[\]|~\\!^]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Does the same on one line, for a table's cell or a title. */
export function inertLine(text: string): string {
  return inert(text.replaceAll("\n", " "));
}

/** Shows a text unchanged within a line of code. */
export function code(text: string): string {
  const line = text.replaceAll("\n", "⏎").replaceAll("|", "\\|");
  const fence = fenceOf(line, 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${pad}${line}${pad}${fence}`;
}

/** Shows lines unchanged as a block of code. */
export function fenced(lines: readonly string[]): string {
  const text = lines.map((line) => line.replaceAll("\n", "⏎")).join("\n");
  const fence = fenceOf(text, 3);
  return `${fence}\n${text}\n${fence}`;
}

function fenceOf(text: string, shortest: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(Math.max(shortest, longest + 1));
}

/** Links the address of a page. Anything else is shown as code. */
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

/** Returns the pieces that fit into `room`, in order. `left` counts the others, and has to fit, too. */
export function within(pieces: readonly string[], room: number, left: (count: number) => string): string[] {
  if (sizeOf(pieces) <= room) return [...pieces];
  const kept = fitting(pieces, room - left(pieces.length).length - 1);
  return [...pieces.slice(0, kept), left(pieces.length - kept)];
}

/** Does the same for pieces that take long to make: pieces that don't fit aren't made. */
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

/** Counts the pieces that fit, from the first one. */
export function fitting(pieces: readonly string[], room: number): number {
  let used = 0;
  const first = pieces.findIndex((piece) => (used += piece.length + 1) > room);
  return first === -1 ? pieces.length : first;
}

/** The size of the pieces as lines of a text. */
export function sizeOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length + 1, 0);
}

/** The room of a text. Parts spend it one after another, so the first ones are sure of their share. */
export class Budget {
  readonly whole: number;
  #spent = 0;

  constructor(whole: number) {
    this.whole = whole;
  }

  get left(): number {
    return Math.max(0, this.whole - this.#spent);
  }

  /** Returns the lines of a part, which may take up to `share` of the whole. */
  spend(share: number, part: (room: number) => readonly string[]): readonly string[] {
    const lines = part(Math.min(Math.floor(this.whole * share), this.left));
    this.#spent += sizeOf(lines);
    return lines;
  }
}

/** Shares of the whole text. Rows that may cost visitors something come first. */
const SHARES = { rows: 0.14, atRisk: 0.75, touched: 0.35 };

/** The most addresses of a table. More become a list. */
const MOST_ROWS = 100;

/** `elsewhere`: the place that has all of them. */
export function linkLines(all: readonly Row[], budget: Budget, elsewhere: string): string[] {
  const items = all.slice(0, MOST_ROWS).map(item);
  const first = budget.spend(SHARES.rows, (room) => items.slice(0, fitting(items, room)));
  const others = all.slice(first.length);
  const atRisk = others.filter(({ mark }) => mark?.loses === true);
  const touched = others.filter(({ mark }) => mark?.loses !== true);
  const which = atRisk.length === 0 ? "" : "that change";
  return [
    ...first,
    ...budget.spend(SHARES.atRisk, (room) => folded(atRisk, "that go away or are replaced", room, elsewhere)),
    ...budget.spend(SHARES.touched, (room) => folded(touched, which, room, elsewhere)),
  ];
}

function item({ mark, link = "", text }: Row): string {
  const title = inertLine(plain(text));
  return `- ${mark?.word ?? ""} ${linked(link)}${title === "" ? "" : ` (${title})`}`;
}

function folded(urls: readonly Row[], which: string, room: number, elsewhere: string): string[] {
  if (urls.length === 0) return [];
  const title = `${urls.length} more ${urls.length === 1 ? "address" : "addresses"}${which === "" ? "" : ` ${which}`}`;
  const whole = blocks(urls, wholeAddress);
  const inside = room - FRAME;
  const shown = sizeOf(textsOf(whole)) <= inside ? whole : blocks(urls, byPlace);
  const left = (count: number): string => {
    const missing = shown.slice(shown.length - count).reduce((sum, { size }) => sum + size, 0);
    return `\n… and ${missing} more of these; ${elsewhere} names all of them`;
  };
  return ["", `<details><summary>${title}</summary>`, "", ...within(textsOf(shown), inside, left), "", "</details>"];
}

/** The room for the text around them. */
const FRAME = 120;

function textsOf(shown: readonly Block[]): string[] {
  return shown.map(({ text }) => text);
}

interface Block {
  text: string;
  /** The number of addresses in it. */
  size: number;
}

/** A block is shown whole or not at all. */
const LARGEST_BLOCK = 40;

/** Splits an address into the part that is shown once and the part that is shown for each. */
type Split = (url: string) => [once: string, each: string];

const wholeAddress: Split = (url) => ["", url];

/** Thousands of addresses share few beginnings. */
const byPlace: Split = (url) => {
  const end = url.lastIndexOf("/") + 1;
  return [url.slice(0, end), url.slice(end) || "/"];
};

function blocks(urls: readonly Row[], split: Split): Block[] {
  const groups = Map.groupBy(urls, ({ link = "", mark }) => `${mark?.word ?? ""}: ${split(link)[0]}`.trimEnd());
  return [...groups].flatMap(([head, group]) =>
    Array.from({ length: Math.ceil(group.length / LARGEST_BLOCK) }, (_, index) => {
      const part = group.slice(index * LARGEST_BLOCK, (index + 1) * LARGEST_BLOCK);
      const lines = part.map(({ link = "" }) => split(link)[1]);
      return { size: part.length, text: `\n${code(head)}\n${fenced(lines)}` };
    }),
  );
}
