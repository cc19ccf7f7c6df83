/**
 * Rows that are addresses, as far as there is room: what goes away and what is made anew before all others. The first are items of
 * a list, the others a folded list. What finds no room is counted, with where it stands. Pure.
 */
import { type Budget, code, fenced, fitting, inertLine, linked, sizeOf, within } from "./markdown-text.ts";
import { plain, type Row } from "./model.ts";

/** Of the whole text. What visitors may lose comes first. */
const SHARES = { rows: 0.14, atRisk: 0.75, touched: 0.35 };

/** So many addresses are a table; more are a list. */
const MOST_ROWS = 100;

/** `elsewhere`: where all of them are. */
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

/** What is around them. */
const FRAME = 120;

function textsOf(shown: readonly Block[]): string[] {
  return shown.map(({ text }) => text);
}

interface Block {
  text: string;
  /** Addresses in it. */
  size: number;
}

/** A block is shown whole or not at all. */
const LARGEST_BLOCK = 40;

/** By what is said once, and what is said of each. */
type Split = (url: string) => [once: string, each: string];

const wholeAddress: Split = (url) => ["", url];

/** Thousands of addresses share a few beginnings. */
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
