/**
 * The public addresses that a plan touches, as far as there is room: what goes away and what is made anew before all others.
 * The first are rows of a table, the others a folded list. What finds no room is counted, with where it stands. Pure.
 */
import type { Impact } from "../stack/report/model.ts";
import { code, fenced, inertLine, linked } from "./markdown-text.ts";
import { type Budget, fitting, sizeOf, within } from "./markdown-fit.ts";
import { AT_RISK, byDanger } from "./words.ts";

type Touched = Impact["urls"][number];

export interface Addresses {
  rows: readonly string[];
  /** Below the table. */
  more: readonly string[];
}

/** Of the whole text. What visitors may lose comes first. */
const SHARES = { rows: 0.14, atRisk: 0.75, touched: 0.35 };

/** So many addresses are a table; more are a list. */
const MOST_ROWS = 100;

/** `elsewhere`: where all of them are. */
export function addresses(urls: Impact["urls"], budget: Budget, elsewhere: string): Addresses {
  const sorted = byDanger(urls, ({ effect }) => effect);
  const all = sorted.slice(0, MOST_ROWS).map(row);
  const rows = budget.spend(SHARES.rows, (room) => all.slice(0, fitting(all, room)));
  const others = sorted.slice(rows.length);
  const atRisk = others.filter(({ effect }) => AT_RISK.has(effect));
  const touched = others.filter(({ effect }) => !AT_RISK.has(effect));
  const which = atRisk.length === 0 ? "" : "that change";
  return {
    rows,
    more: [
      ...budget.spend(SHARES.atRisk, (room) => folded(atRisk, "that go away or are made anew", room, elsewhere)),
      ...budget.spend(SHARES.touched, (room) => folded(touched, which, room, elsewhere)),
    ],
  };
}

function row({ url, page, effect }: Touched): string {
  return `| page ${inertLine(page)} | ${effect} | ${linked(url)} |`;
}

function folded(urls: readonly Touched[], which: string, room: number, elsewhere: string): string[] {
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

function blocks(urls: readonly Touched[], split: Split): Block[] {
  const groups = Map.groupBy(urls, ({ url, effect }) => `${effect}: ${split(url)[0]}`.trimEnd());
  return [...groups].flatMap(([head, group]) =>
    Array.from({ length: Math.ceil(group.length / LARGEST_BLOCK) }, (_, index) => {
      const part = group.slice(index * LARGEST_BLOCK, (index + 1) * LARGEST_BLOCK);
      const lines = part.map(({ url }) => split(url)[1]);
      return { size: part.length, text: `\n${code(head)}\n${fenced(lines)}` };
    }),
  );
}
