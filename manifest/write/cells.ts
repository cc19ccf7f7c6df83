/** Other values in the cells and texts of a data file; whatever is not changed stays as it is, to the byte. */
import { isDeepStrictEqual } from "node:util";
import { extname } from "node:path";
import { inlineOf } from "../data/xliff-write.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import { applySplices } from "./splices.ts";
import { scalarLike } from "./yaml/render.ts";
import { YamlEdit } from "./yaml/edit.ts";
import { SourceFile, type Place } from "../source/file.ts";
import { quotedCell, scanCsv } from "../data/csv.ts";
import { dataReaders, leaves } from "../data/files.ts";
import type { DataScalar } from "../data/value.ts";
import { indexOf } from "../source/nodes.ts";

export interface CellChange {
  /** Of the value as it stands. */
  readonly place: Place;
  readonly value: string | number | boolean;
}

type DataWriter = (file: SourceFile, changes: readonly CellChange[]) => string;

/** By extension, as the readers are. */
const dataWriters: Readonly<Record<string, DataWriter>> = {
  ".csv": writeCsv,
  ".tsv": writeCsv,
  ".json": (file, changes) => spliced(file, changes, ({ value }) => JSON.stringify(value)),
  ".yaml": writeYaml,
  ".yml": writeYaml,
  ".xlf": (file, changes) => spliced(file, changes, ({ value }) => inlineOf(String(value))),
};

/** The whole new text; undefined where it would say anything else than what is meant. */
export function withCells(file: SourceFile, changes: readonly CellChange[]): string | undefined {
  const extension = extname(file.path).toLowerCase();
  const [write, read] = [dataWriters[extension], dataReaders[extension]];
  // A file that is one text.
  if (!read) return changes.length === 1 ? String(changes[0]?.value) : undefined;
  if (!write) return undefined;
  const text = write(file, changes);
  const now = read(new SourceFile(file.path, file.name, text), new Diagnostics());
  const before = read(file, new Diagnostics());
  return before && now && isMeant([...leaves(before)], [...leaves(now)], changes) ? text : undefined;
}

function isMeant(before: readonly DataScalar[], now: readonly DataScalar[], changes: readonly CellChange[]): boolean {
  const meant = new Map(changes.map(({ place, value }) => [place.start, value]));
  return (
    before.length === now.length &&
    before.every(({ value, place }, index) => isDeepStrictEqual(now[index]?.value, meant.get(place.start) ?? value))
  );
}

function writeCsv(file: SourceFile, changes: readonly CellChange[]): string {
  const separator = scanCsv(file, new Diagnostics())?.separator ?? ",";
  return spliced(file, changes, ({ place, value }) =>
    quotedCell(String(value), separator, file.text[place.start] === '"' && place.end > place.start),
  );
}

function writeYaml(file: SourceFile, changes: readonly CellChange[]): string {
  const index = indexOf(file.text);
  const edit = new YamlEdit(file.text);
  for (const { place, value } of changes) {
    const old = index.at(place.start);
    for (const path of index.pathsTo(place.start)) edit.set(path, scalarLike(old, value));
  }
  return edit.print();
}

function spliced(file: SourceFile, changes: readonly CellChange[], write: (change: CellChange) => string): string {
  const splices = changes.map((change) => ({
    start: change.place.start,
    end: change.place.end,
    text: write(change),
    depth: 0,
  }));
  return applySplices(file.text, splices);
}
