/** The pieces that Markdown for code hosts is made of: each is whole, and texts of others are harmless in it. Pure. */
import type { Json } from "../engine/index.ts";
import { within } from "./markdown-fit.ts";
import { code, inert } from "./markdown-text.ts";
import { cut } from "./text.ts";
import { valueText } from "./values.ts";

/** Columns of a value that is shortened around what changes; of the change itself, many times as much. */
export const CELL = 120;
const LONGEST_CELL = 3_000;

export function table(room: number, head: readonly string[], rows: readonly string[]): string[] {
  if (rows.length === 0) return [];
  return ["", ...head, ...within(rows, room, (count) => `| … and ${count} more | | |`)];
}

export function details(title: string, lines: string[]): string {
  if (lines.length === 0) return `\n${title}\n`;
  return ["", `<details><summary>${title}</summary>`, "", ...lines, "", "</details>", ""].join("\n");
}

const LONGEST_MESSAGE = 2_000;

export function quoted(kind: string, text: string): string {
  const lines = inert(text.slice(0, LONGEST_MESSAGE).toWellFormed()).split("\n");
  return ["", `> [!${kind}]`, ...lines.map((line) => `> ${line}`)].join("\n");
}

export function valueCell(value: Json | undefined, room: number): string {
  return value === undefined ? "" : code(valueText(value, room));
}

export function sideCell(text: string): string {
  return code(cut(text, LONGEST_CELL));
}
