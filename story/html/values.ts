/** Shows values and their differences: texts word by word, anything else as JSON. Pure. */
import type { Json } from "../../engine/index.ts";
import { cut, wordDifferences, type WordPart } from "../../stack/report/text.ts";

/** The number of unchanged characters that are shown around each change. */
const AROUND = 160;
const LONGEST = 20_000;

export function sidesView(old: Json | undefined, now: Json | undefined): Markup {
  const [before, after] = [old, now].map((value) => (value === undefined ? undefined : cut(shown(value), LONGEST)));
  if (before === undefined) return markup`<p class="text" dir="auto">${added(after ?? "")}</p>`;
  if (after === undefined) return markup`<p class="text" dir="auto">${removed(before)}</p>`;
  const parts = inPhrases(wordDifferences(before, after));
  const told = parts.map((part, index) => partView(part, index, parts.length));
  return markup`<p class="text" dir="auto">${joined(told)}</p>`;
}

/** Nobody reads the text of an embedded image. */
function shown(value: Json): string {
  return typeof value === "string" && /^data:image\//i.test(value) ? "an embedded image" : textOf(value);
}

/** Joins words that change one after another into one phrase, with the blanks between them. */
function inPhrases(parts: readonly WordPart[]): WordPart[] {
  const phrases: WordPart[] = [];
  for (const [index, part] of parts.entries()) {
    const last = phrases.at(-1);
    const isBlank = part.same && part.old.trim() === "" && parts[index + 1]?.same === false;
    if (last?.same === false && (!part.same || isBlank)) {
      last.old += part.old;
      last.new += part.new;
    } else phrases.push({ ...part });
  }
  return phrases;
}

function partView({ same, old, new: now }: WordPart, index: number, count: number): Markup {
  if (same) return markup`${shortened(old, index > 0, index < count - 1)}`;
  return markup`${old === "" ? undefined : removed(old)}${now === "" ? undefined : added(now)}`;
}

/** Leaves out the middle between two changes, and text far from the first and the last. */
function shortened(text: string, keepsStart: boolean, keepsEnd: boolean): string {
  const room = (keepsStart ? AROUND : 0) + (keepsEnd ? AROUND : 0);
  if (text.length <= room + 3 || room === 0) return text;
  const start = keepsStart ? text.slice(0, AROUND) : "";
  const end = keepsEnd ? text.slice(-AROUND) : "";
  return `${start}…${end}`.toWellFormed();
}

/** Says it in words, too, because not everybody sees colours and strokes. */
function removed(text: string): Markup {
  return markup`<del><span class="vh">removed: </span>${text}<span class="vh">. </span></del>`;
}

function added(text: string): Markup {
  return markup`<ins><span class="vh">added: </span>${text}<span class="vh">. </span></ins>`;
}

export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}

/** Text that may stand in the page unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | undefined | readonly (Markup | string | undefined)[];

/** A template that escapes its values, unless they are markup. */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(fixed.reduce((text, next, index) => text + markupOf(parts[index - 1]) + next));
}

export function joined(parts: readonly (Markup | false | undefined)[], between = ""): Markup {
  return new Markup(parts.flatMap((part) => (part ? part.text : [])).join(between));
}

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(markupOf).join("");
  return escaped(String(part));
}

function escaped(text: string): string {
  return text.replace(/[&<>"'`=]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Links an address that a browser may open. Anything else stays text. */
export function linkTo(address: string, title = markup`${address}`): Markup {
  const { protocol } = URL.parse(address) ?? {};
  return protocol === "https:" || protocol === "http:"
    ? markup`<a href="${address}" rel="noopener noreferrer" target="_blank">${title}</a>`
    : markup`<span>${title}</span>`;
}
