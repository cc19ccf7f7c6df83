/**
 * Puts values into data files: in place of others in the existing layout, or under a new key at the end. Everything else stays as it is, to the byte.
 * This file returns texts and writes nothing.
 */
import { extname } from "node:path";
import { stringify } from "yaml";
import { same } from "../../provider/values/json.ts";
import { inlineOf, xliffOf, type Languages } from "../data/xliff-write.ts";
import { type Csv, csvLine, quotedCell, scanCsv } from "../data/csv.ts";
import { readJson } from "../data/json.ts";
import type { DataScalar } from "../data/value.ts";
import { leavesOf } from "../data/files.ts";
import { readXliff, type XliffUnit } from "../data/xliff.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import { lineStart, SourceFile, type Place } from "../source/file.ts";
import { indexOf } from "../source/reader.ts";
import type { Home } from "../declare/texts.ts";
import { isSoundCode, literalsIn, quotedFor } from "./literals.ts";
import { applySplices, EditRefused, refusalOf, type Refusal, type Splice } from "./splices.ts";
import { decimalsIn, scalarLike } from "./yaml/text.ts";
import { YamlEdit } from "./yaml/edit.ts";

export interface CellChange {
  /** The place of the present value. */
  readonly place: Place;
  readonly value: string | number | boolean;
}

type Cell = Pick<DataScalar, "value" | "place">;

interface CellFormat {
  /** Returns all values of a file; undefined if it can't be read. Default: those of the data file. */
  readonly values?: (file: SourceFile) => readonly Cell[] | undefined;
  readonly write: (file: SourceFile, changes: readonly CellChange[]) => string;
  /** True if every value is a text. */
  readonly isText?: true;
  /** Tells if the file can be parsed, for formats whose values alone don't tell. */
  readonly isSound?: (text: string, path: string) => boolean;
}

const CELLS: readonly [extension: RegExp, format: CellFormat][] = [
  [/\.[ct]sv$/i, { write: writeCsv, isText: true }],
  [
    /\.json$/i,
    {
      write: (file, changes) =>
        spliced(file, changes, (change) =>
          typeof change.value === "number" ? textOf(file, change) : JSON.stringify(change.value),
        ),
    },
  ],
  [/\.ya?ml$/i, { write: writeYaml }],
  [/\.xlf$|\.xliff$/i, { write: writeXliff, isText: true }],
  [/\.[cm]?[jt]s$/i, { values: literalsOf, write: writeCode, isText: true, isSound: isSoundCode }],
];

/**
 * Sets places of a file to other values. Returns the whole new text, or the reason for a refusal. Everybody who writes values back (drift, undo,
 * export, adopted ids, translations) uses this function. It reads the new text again and compares it with the intended one.
 */
export function withCells(file: SourceFile, given: readonly CellChange[]): string | Refusal {
  const format = CELLS.find(([extension]) => extension.test(file.path))?.[1];
  const isText = format?.isText === true;
  const changes = isText ? given.map((change) => ({ ...change, value: textOf(file, change) })) : given;
  const [first] = changes;
  const unsafe: Refusal = { code: "unsafe", place: first?.place ?? file.whole };
  const isWhole = first?.place.start === 0 && first.place.end === file.text.length;
  if (!format || isWhole)
    return first && changes.every(({ value }) => value === first.value) ? String(first.value) : unsafe;
  const meant = new Map(changes.map(({ place, value }) => [place.start, value] as const));
  const text = unlessRefused(file, () => format.write(file, changes));
  if (typeof text !== "string") return text;
  const { values = leavesOf } = format;
  const [before, now] = [values(file), values(new SourceFile(file.path, file.name, text))];
  // If the code could not be parsed before, a failure now proves nothing.
  const isBroken = format.isSound?.(file.text, file.path) === true && !format.isSound(text, file.path);
  return before && now && !isBroken && isMeant(before, now, meant) ? text : unsafe;
}

function writeXliff(file: SourceFile, changes: readonly CellChange[]): string {
  return spliced(file, changes, ({ value }) => inlineOf(String(value)));
}

function literalsOf(file: SourceFile): Cell[] {
  return literalsIn(file.text).map(({ value, start, end }) => ({ value, place: { file, start, end } }));
}

/** A new text may mean something else beside its neighbours: a `$` before a `{` begins code. */
function writeCode(file: SourceFile, changes: readonly CellChange[]): string {
  const quotes = new Map(literalsIn(file.text).map(({ start, quote }) => [start, quote]));
  return spliced(file, changes, ({ place, value }) => quotedFor(String(value), quotes.get(place.start) ?? '"'));
}

function unlessRefused(file: SourceFile, work: () => string): string | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof EditRefused) return refusalOf(error, file);
    throw error;
  }
}

function isMeant(
  before: readonly Cell[],
  now: readonly Cell[],
  meant: ReadonlyMap<number, CellChange["value"]>,
): boolean {
  return (
    before.length === now.length &&
    before.every(({ value, place }, index) => same(now[index]?.value, meant.get(place.start) ?? value))
  );
}

function writeCsv(file: SourceFile, changes: readonly CellChange[]): string {
  const separator = scanCsv(file, new Diagnostics())?.separator ?? ",";
  return spliced(file, changes, ({ place, value }) =>
    quotedCell(String(value), separator, file.text[place.start] === '"' && place.end > place.start),
  );
}

/** Returns a value as a text. A number has at least as many decimals as the one in its place. */
function textOf({ text }: SourceFile, { place, value }: CellChange): string {
  if (typeof value !== "number" || String(value).includes("e")) return String(value);
  const [whole = "", decimals = ""] = String(value).split(".");
  const wanted = decimalsIn(text.slice(place.start, place.end).replaceAll(/["'`]/g, ""));
  return wanted > decimals.length ? `${whole}.${decimals.padEnd(wanted, "0")}` : String(value);
}

function writeYaml(file: SourceFile, changes: readonly CellChange[]): string {
  const index = indexOf(file.text);
  const edit = new YamlEdit(file.text);
  for (const { place, value } of changes)
    edit.setAll(index.pathsTo(place.start), scalarLike(index.at(place.start), value));
  return edit.print();
}

function spliced(file: SourceFile, changes: readonly CellChange[], write: (change: CellChange) => string): string {
  return applySplices(
    file.text,
    changes.map((change) => ({ ...change.place, text: write(change) })),
  );
}

export interface NewText {
  readonly text: string;
  /** The text that it translates. */
  readonly source: string;
}

export interface Setting {
  readonly home: Home;
  readonly languages: Languages;
  /** By key. */
  readonly texts: ReadonlyMap<string, NewText>;
}

/** `before`: undefined if there is no such file yet. Returns undefined if the text can't be written, and reports it. */
export function setTexts(before: string | undefined, setting: Setting, diagnostics: Diagnostics): string | undefined {
  const file = new SourceFile(setting.home.path, setting.home.name.replace(/#.*$/, ""), before ?? "");
  const format = FORMATS[extname(setting.home.path).toLowerCase()];
  if (format !== undefined) return format(file, setting, diagnostics);
  diagnostics.error("data", file.whole, `${file.name}: texts are written into ${Object.keys(FORMATS).join(", ")}`);
}

type Format = (file: SourceFile, setting: Setting, diagnostics: Diagnostics) => string | undefined;

const FORMATS: Readonly<Record<string, Format>> = {
  ".csv": inCsv,
  ".tsv": inCsv,
  ".json": inJson,
  ".yaml": inYaml,
  ".yml": inYaml,
  ".xlf": inXliff,
  ".xliff": inXliff,
};

function inCsv(file: SourceFile, { home, languages, texts }: Setting, diagnostics: Diagnostics): string | undefined {
  const { key: keyColumn, value: valueColumn } = home.columns;
  const separator = file.path.toLowerCase().endsWith(".tsv") ? "\t" : ",";
  const start = file.text || `${keyColumn}${separator}${valueColumn}\n`;
  const whole = new SourceFile(file.path, file.name, start);
  const csv = scanCsv(whole, diagnostics);
  if (csv === undefined) return undefined;
  const names = csv.header.map(({ value }) => value.trim());
  const [keyAt, valueAt] = [names.indexOf(keyColumn), names.indexOf(valueColumn)];
  if (keyAt === -1) {
    diagnostics.error("data", whole.whole, `${file.name} has no column "${keyColumn}"`, {
      hint: `Its columns are ${names.join(", ")}.`,
    });
    return undefined;
  }
  // The first text of a language makes its column.
  if (valueAt === -1) return inCsv(withColumn(whole, csv, valueColumn), { home, languages, texts }, diagnostics);
  const rows = new Map(csv.rows.map((row) => [row[keyAt]?.value, row]));
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const [key, { text }] of texts) {
    const cell = rows.get(key)?.[valueAt];
    if (cell === undefined) {
      const cells = names.map((_, index) => (index === keyAt ? key : index === valueAt ? text : undefined));
      added.push(csvLine(cells, csv.separator));
    } else splices.push({ ...cell.place, text: quotedCell(text, csv.separator, cell.quoted) });
  }
  const end = /\r\n|\n|\r/.exec(start)?.[0] ?? "\n";
  const body = applySplices(start, splices);
  if (added.length === 0) return body;
  return `${body}${/[\r\n]$/.test(body) ? "" : end}${added.map((line) => line + end).join("")}`;
}

/** Adds a column behind the others, with an empty cell in each row. */
function withColumn(file: SourceFile, { separator, header, rows }: Csv, name: string): SourceFile {
  const splices = [header, ...rows].map((row, index): Splice => {
    const { end } = (row[header.length - 1] ?? row.at(-1))?.place ?? file.whole;
    const missing = separator.repeat(Math.max(0, header.length - row.length));
    return { start: end, end, text: missing + separator + (index === 0 ? quotedCell(name, separator, false) : "") };
  });
  return new SourceFile(file.path, file.name, applySplices(file.text, splices));
}

function inYaml({ text: before }: SourceFile, { texts }: Setting): string {
  if (before.trim() === "") {
    const scalars = [...texts].map(([key, { text }]) => [key, scalarLike(undefined, text)] as const);
    return stringify(Object.fromEntries(scalars), { lineWidth: 0 });
  }
  const edit = new YamlEdit(before);
  for (const [key, { text }] of texts) edit.set([key], scalarLike(edit.nodeAt([key]), text));
  return edit.print();
}

function inJson(file: SourceFile, { texts }: Setting, diagnostics: Diagnostics): string | undefined {
  const plain = Object.fromEntries([...texts].map(([key, { text }]) => [key, text]));
  if (file.text.trim() === "") return `${JSON.stringify(plain, undefined, 2)}\n`;
  const data = readJson(file, diagnostics);
  if (data?.kind !== "map") {
    if (data) diagnostics.error("data", data.place, `${file.name} holds no map of keys and texts`);
    return undefined;
  }
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const [key, text] of Object.entries(plain)) {
    const place = data.entries.get(key)?.value.place;
    if (place === undefined) added.push(`${JSON.stringify(key)}: ${JSON.stringify(text)}`);
    else splices.push({ ...place, text: JSON.stringify(text) });
  }
  const last = [...data.entries.values()].at(-1);
  if (added.length > 0 && last === undefined)
    splices.push({ ...data.place, text: JSON.stringify(plain, undefined, 2) });
  else if (added.length > 0 && last !== undefined) {
    const line = lineStart(file.text, last.keyPlace.start);
    const indent = file.text.slice(line, last.keyPlace.start);
    const end = file.text.includes("\r\n") ? "\r\n" : "\n";
    const gap = line > 0 && indent.trim() === "" ? `,${end}${indent}` : ", ";
    const at = last.value.place.end;
    splices.push({ start: at, end: at, text: added.map((one) => gap + one).join("") });
  }
  return applySplices(file.text, splices);
}

function inXliff(file: SourceFile, { home, languages, texts }: Setting, diagnostics: Diagnostics): string | undefined {
  const of = home.name;
  const units = [...texts].map(([key, { text: target, source }]) => ({ of, key, source, target, unfinished: false }));
  if (file.text.trim() === "") return xliffOf(units, languages);
  const xliff = readXliff(file, diagnostics);
  if (xliff === undefined) return undefined;
  const known = new Map(xliff.units.map((unit) => [unit.id, unit]));
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const { key, ...unit } of units) {
    const there = known.get(key);
    if (there !== undefined) splices.push(...inUnit(there, unit));
    else added.push(...unitLines(xliffOf([{ key, ...unit }], languages)));
  }
  const body = file.text.lastIndexOf("</body");
  if (added.length > 0 && body === -1) {
    const end = Math.max(0, file.text.lastIndexOf("</", file.text.lastIndexOf("</file")));
    diagnostics.error("data", { file, start: end, end }, `${file.name} has no <body>`);
    return undefined;
  }
  const at = lineStart(file.text, body);
  if (added.length > 0) splices.push({ start: at, end: at, text: added.map((line) => `${line}\n`).join("") });
  return applySplices(file.text, splices);
}

/** Returns the lines of a file's only unit. */
function unitLines(xliff: string): string[] {
  const lines = xliff.split("\n");
  return lines.slice(
    lines.findIndex((line) => line.includes("<trans-unit")),
    lines.findIndex((line) => line.includes("</trans-unit")) + 1,
  );
}

function inUnit({ source, target }: XliffUnit, now: { source: string; target: string }): Splice[] {
  const from =
    source.text === now.source ? [] : [{ ...source.whole, text: `<source>${inlineOf(now.source)}</source>` }];
  const text = inlineOf(now.target);
  if (target === undefined) {
    const { file, start, end } = source.whole;
    const indent = file.text.slice(lineStart(file.text, start), start);
    const gap = indent.trim() === "" ? `\n${indent}` : "";
    return [...from, { start: end, end, text: `${gap}<target state="translated">${text}</target>` }];
  }
  const { file, start, end } = target.whole;
  const [tag = "<target>"] = /^<[^>]*?(?=\/?>)/.exec(file.text.slice(start, end)) ?? [];
  const opening = tag.replace(/(\sstate=)(?:"[^"]*"|'[^']*')/, '$1"translated"');
  return [...from, { start, end, text: `${opening}>${text}</${opening.slice(1).split(/\s/)[0] ?? "target"}>` }];
}
