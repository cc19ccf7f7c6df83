/** A file of the manifest: its text, and the line and column of an offset. */
import { LineCounter } from "yaml";

export interface Position {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A stretch of a file, from one offset to another. */
export interface Place {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

const EXCERPT_WIDTH = 120;

export class SourceFile {
  /** Absolute. */
  readonly path: string;
  /** The name in messages, relative to the user's folder. */
  readonly name: string;
  /** Without a byte order mark. */
  readonly text: string;
  readonly lines = new LineCounter();

  constructor(path: string, name: string, text: string) {
    this.path = path;
    this.name = name;
    this.text = text;
    this.lines.addNewLine(0);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.lines.addNewLine(at + 1);
  }

  get whole(): Place {
    return { file: this, start: 0, end: 0 };
  }

  position(start: number, end: number): Position {
    const from = this.lines.linePos(start);
    const to = this.lines.linePos(Math.max(start, end));
    return { file: this.name, line: from.line, column: from.col, endLine: to.line, endColumn: to.col };
  }

  /** Returns the place as `landform.yaml:3:5`. */
  locate(start: number): string {
    const { line, col } = this.lines.linePos(start);
    return `${this.name}:${line}:${col}`;
  }

  /** Returns the line of an offset with a caret below. It clips long lines. Tabs and control characters take one column. */
  excerpt(start: number, end: number): string {
    if (this.text === "") return "";
    const { line, col } = this.lines.linePos(start);
    const begin = start - (col - 1);
    const stop = lineEnd(this.text, begin);
    const from = col - 1 > EXCERPT_WIDTH - 20 ? start - 40 : begin;
    const shown = visible(this.text.slice(from, Math.min(stop, from + EXCERPT_WIDTH)).replace(/\r$/, ""));
    const cut = from > begin ? "…" : "";
    const offset = cut.length + start - from;
    const length = Math.max(1, Math.min(end, stop, from + EXCERPT_WIDTH) - start);
    const gutter = String(line);
    const caret = " ".repeat(offset) + "^".repeat(length);
    return `${gutter} | ${cut}${shown}\n${" ".repeat(gutter.length)} | ${caret}`;
  }
}

export function textAt({ file, start, end }: Place): string {
  return file.text.slice(start, end);
}

export function lineEnd(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Tells if nothing stands before an offset on its line. */
export function isAlone(text: string, at: number): boolean {
  return text.slice(lineStart(text, at), at).trim() === "";
}

/** Returns a text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

function visible(text: string): string {
  return text.replaceAll("\t", " ").replaceAll(/\p{Cc}|\p{Cf}/gu, "·");
}
