/** Other words in the places of declared texts: of each file that changes, its whole new text. Nothing is written here. */
import { readFileSync } from "node:fs";
import { withCells } from "./data.ts";
import type { SourceFile } from "../source/file.ts";
import { scalarLike } from "./yaml/render.ts";
import { EditRefused, YamlEdit } from "./yaml/edit.ts";
import { escaped } from "../language/forms.ts";
import type { DeclaredText } from "../declare/texts.ts";
import { indexOf } from "../source/nodes.ts";

export interface TextChange {
  readonly text: DeclaredText;
  readonly now: string;
}

export interface ChangedFile {
  /** Absolute. */
  readonly path: string;
  /** Without a byte order mark, as it was read. */
  readonly before: string;
  readonly after: string;
}

export function withTexts(changes: readonly TextChange[]): ChangedFile[] {
  const files = new Map<string, { before: string; after: string }>();
  const inYaml = Map.groupBy(
    changes.filter(({ text }) => text.file === undefined && text.isCell !== true),
    ({ text }) => text.place.file,
  );
  const inData = Map.groupBy(
    changes.filter(({ text }) => text.isCell === true),
    ({ text }) => text.place.file,
  );
  for (const [file, own] of inData) files.set(file.path, { before: file.text, after: withCellsOf(file, own) });
  for (const [{ path, text }, own] of inYaml) files.set(path, { before: text, after: edited(text, own) });
  for (const { text, now } of changes) {
    if (text.file !== undefined)
      files.set(text.file, { before: withoutMark(readFileSync(text.file, "utf8")), after: now });
  }
  return [...files].map(([path, texts]) => ({ path, ...texts }));
}

function withCellsOf(file: SourceFile, changes: readonly TextChange[]): string {
  const cells = new Map(changes.map(({ text: { place }, now }) => [place.start, { place, value: now }]));
  const text = withCells(file, [...cells.values()]);
  if (typeof text !== "string") throw new EditRefused("unsafe", [...cells.keys()]);
  return text;
}

function edited(text: string, changes: readonly TextChange[]): string {
  const index = indexOf(text);
  const edit = new YamlEdit(text);
  for (const { text: declared, now } of changes) {
    const old = index.at(declared.place.start);
    for (const path of index.pathsTo(declared.place.start)) edit.set(path, scalarLike(old, escaped(now)));
  }
  return edit.print();
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
