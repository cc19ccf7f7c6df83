/** Makes pieces of Markdown for code hosts. Texts of others never become a picture, a link, a mention, a tag or a table's bar. Pure. */

import { type Image, plain, type Row } from "./model.ts";

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

function fenceOf(text: string, shortest: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  return "`".repeat(Math.max(shortest, longest + 1));
}

/** Links the address of a page. Anything else is shown as code. */
export function linked(address: string): string {
  return ADDRESS.test(address) ? address : code(address);
}

const ADDRESS = /^https?:\/\/[\w.-]+(:\d+)?(\/[\w~%/.-]*)?$/;

/** Shows a picture that a code host keeps. GitLab names its own without a host. */
export function imageText({ url, alt }: Image): string {
  return PICTURE.test(url) ? `![${inertLine(alt)}](${url})` : code(url);
}

const PICTURE = /^(https?:\/\/[\w.-]+(:\d+)?)?\/[\w~%/.-]+(\?raw=true)?$/;

export function details(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return `\n${title}\n`;
  return ["", `<details><summary>${title}</summary>`, "", ...lines, "", "</details>", ""].join("\n");
}

const LONGEST_MESSAGE = 2_000;

export function quoted(kind: string, text: string): string {
  const lines = inert(text.slice(0, LONGEST_MESSAGE).toWellFormed()).split("\n");
  return ["", `> [!${kind}]`, ...lines.map((line) => `> ${line}`)].join("\n");
}

/** Makes the pieces that fit into `room`, in order, and no more, because a piece may take long. `left` counts the others, and fits, too. */
export function within<Item>(
  items: readonly Item[],
  make: (item: Item) => string,
  room: number,
  left: (count: number) => string,
): string[] {
  const made: string[] = [];
  const beside = room - left(items.length).length - 1;
  let [used, kept] = [0, 0];
  for (const item of items) {
    const piece = make(item);
    used += piece.length + 1;
    if (used > room) return [...made.slice(0, kept), left(items.length - kept)];
    made.push(piece);
    if (used <= beside) kept = made.length;
  }
  return made;
}

/** The room of a text. Parts spend it one after another, so the first ones are sure of their share. */
export class Budget {
  readonly #whole: number;
  #left: number;

  constructor(whole: number) {
    this.#whole = whole;
    this.#left = whole;
  }

  /** Returns the lines of a part, which may take up to `share` of the whole. */
  spend(share: number, part: (room: number) => readonly string[]): readonly string[] {
    const lines = part(Math.max(0, Math.min(Math.floor(this.#whole * share), this.#left)));
    this.#left -= lines.reduce((sum, line) => sum + line.length + 1, 0);
    return lines;
  }
}

/** The most addresses that are shown unfolded. */
const MOST_ROWS = 20;
/** The room for the text around a folded list. */
const FRAME = 120;

/** Lists addresses. Those that may cost visitors something come first. `elsewhere`: the place that has all of them. */
export function linkLines(rows: readonly Row[], room: number, elsewhere: string): string[] {
  const sorted = rows.toSorted((a, b) => Number(b.mark?.loses === true) - Number(a.mark?.loses === true));
  const left = (count: number): string => `\n… and ${count} more of these; ${elsewhere} names all of them`;
  const lines = within(sorted, item, room - FRAME, left);
  if (lines.length <= MOST_ROWS) return lines;
  return [...lines.slice(0, MOST_ROWS), details(`${rows.length - MOST_ROWS} more addresses`, lines.slice(MOST_ROWS))];
}

function item({ mark, link = "", text, state }: Row): string {
  const title = [inertLine(plain(text)), ...(state === undefined ? [] : [inertLine(state)])].filter(Boolean).join(", ");
  return `- ${mark?.word ?? ""} ${linked(link)}${title === "" ? "" : ` (${title})`}`;
}
