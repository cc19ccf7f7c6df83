/** Fits texts into columns, and two values with only as much around their difference as is needed to find it. Pure. */
import stringWidth from "string-width";
import { diffArrays } from "diff";
import type { Json } from "../../engine/index.ts";
import { LATER, OTHER_SECRET, SECRET } from "./model.ts";
import { named } from "./printable.ts";
import { same } from "../../provider/values/json.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export const widthOf = (text: string): number => stringWidth(text);

export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(columns - widthOf(text), 0));
}

/** Returns the start of the text that fits into the columns. It never cuts a character. */
function head(text: string, columns: number): string {
  let taken = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) return taken;
    taken += segment;
  }
  return taken;
}

/** Returns the end of the text that fits. It looks only at the last part of a long text. */
function tail(text: string, columns: number): string {
  const near = [...graphemes.segment(text.slice(-columns * LONGEST_GRAPHEME))].map(({ segment }) => segment);
  let width = 0;
  const from = near.findLastIndex((segment) => (width += widthOf(segment)) > columns);
  return near.slice(from + 1).join("");
}

/** In code units. Longer characters may be cut wrongly. */
const LONGEST_GRAPHEME = 16;

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

const ROOM_FOR_SIZE = 36;

export function valueText(value: Json | undefined, room = 60): string {
  if (value === undefined) return "";
  const text = literal(value);
  if (text.length <= room && widthOf(text) <= room) return text;
  const end = typeof value === "string" ? '…"' : "…";
  const size = typeof value === "string" && room >= ROOM_FOR_SIZE ? ` (${value.length} characters)` : "";
  const start = head(text, Math.max(room - widthOf(end) - size.length, 8));
  // Doesn't cut in the middle of an escape.
  return `${start.replace(/\\(u[0-9a-f]{0,3})?$/i, "")}${end}${size}`;
}

function literal(value: Json): string {
  return typeof value === "string" && STANDING_IN.has(value) ? value : JSON.stringify(value);
}

const STANDING_IN: ReadonlySet<Json> = new Set([SECRET, OTHER_SECRET, LATER]);

export function valueSides(old: Json, now: Json, room: number): Sides {
  const [before, after] = apartSecrets(old, now) as [Json, Json];
  return aroundWithin(literal(before), literal(after), room);
}

/** Returns two values of a change. Two that differ only in a secret would look alike. */
export function apartSecrets(old: Json | undefined, now: Json | undefined): [Json | undefined, Json | undefined] {
  return isHidden(old) && same(old, now) ? [SECRET, OTHER_SECRET] : [old, now];
}

export function isHidden(value: Json | undefined): boolean {
  return value !== undefined && JSON.stringify(value).includes(SECRET);
}

interface Sides {
  old: string;
  new: string;
}

export interface WordPart {
  same: boolean;
  old: string;
  new: string;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Texts with more differences have nothing worth showing in common. */
const MOST_DIFFERENCES = 1_000;

/** Returns both texts without long common stretches. The two never look alike: if they would, the differing characters are named. */
function sidesOf(parts: readonly WordPart[], context: number): Sides {
  const side = (name: "old" | "new") =>
    parts.map((part, index) => (part.same ? shortened(part.old, context, index, parts.length) : part[name])).join("");
  const [old, now] = [side("old"), side("new")];
  return looks(old) === looks(now) ? { old: spelled(old), new: spelled(now) } : { old, new: now };
}

/** Returns both texts with the widest context at which they fit into the columns, or else with the narrowest. */
export function aroundWithin(old: string, now: string, columns: number): Sides {
  // Finding the differences takes longer than all the rest.
  const parts = wordDifferences(old, now);
  for (const context of [Number.MAX_SAFE_INTEGER, 60, 40, 24]) {
    const sides = sidesOf(parts, context);
    if (widthOf(sides.old) <= columns && widthOf(sides.new) <= columns) return sides;
  }
  return sidesOf(parts, NARROWEST);
}

const NARROWEST = 12;

/** Splits both texts into stretches in their order: common ones, and differing ones. */
export function wordDifferences(old: string, now: string): WordPart[] {
  const [olds, news] = [wordsOf(old), wordsOf(now)];
  const parts = diffArrays(olds, news, { maxEditLength: MOST_DIFFERENCES });
  if (parts === undefined) return [{ same: false, old, new: now }];
  return parts.map(({ value, added, removed }) => {
    const text = value.join("");
    return { same: !added && !removed, old: added ? "" : text, new: removed ? "" : text };
  });
}

function wordsOf(text: string): string[] {
  return [...words.segment(text)].map(({ segment }) => segment);
}

/** Shortens a common stretch: at the start it keeps its end, at the end its start, and between two changes both. */
function shortened(text: string, context: number, index: number, count: number): string {
  const [first, last] = [index === 0, index === count - 1];
  const kept = first || last ? context : 2 * context;
  if (text.length <= kept + 1) return text;
  if (first) return last ? text : `…${tail(text, context)}`;
  return last ? `${head(text, context)}…` : `${head(text, context)}…${tail(text, context)}`;
}

/** Blanks of every kind look alike, and so do letters that are composed differently. */
function looks(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ");
}

function spelled(text: string): string {
  return text.replace(/[^\u0021-\u007e…⏎]/gu, (character) => (character === " " ? "·" : named(character)));
}

/** 2026-11-28 09:30 UTC */
export function dateText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
