/**
 * Reads CSV after RFC 4180 and notes the place of each cell, so that a message can name it and an edit can go back into it. Any line ends will do.
 * The separator is the one of comma, semicolon and tab that the first line has most of, as Excel writes it, or the one in its line `sep=;`. Nothing
 * is trimmed. An empty cell means no text, and "" means an empty text.
 */
import type { Diagnostics } from "../source/diagnostics.ts";
import type { Place, SourceFile } from "../source/file.ts";
import type { DataEntry, DataList, DataMap } from "./value.ts";

export interface Cell {
  readonly value: string;
  /** With the quotes. */
  readonly place: Place;
  readonly quoted: boolean;
}

export interface Csv {
  readonly separator: string;
  readonly header: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
}

const UNMERGED = /^<{7} .*/m;
const SEPARATORS = [",", ";", "\t"];

export function readCsv(file: SourceFile, diagnostics: Diagnostics): DataList | undefined {
  const csv = scanCsv(file, diagnostics);
  if (!csv) return undefined;
  const columns = columnsOf(csv, diagnostics);
  if (!columns) return undefined;
  const items = csv.rows.map((row) => rowOf(row, csv.header, columns, diagnostics));
  if (!items.every((item) => item !== undefined)) return undefined;
  return { kind: "list", items, columns: [...columns.values()], place: file.whole };
}

export function scanCsv(file: SourceFile, diagnostics: Diagnostics): Csv | undefined {
  const unmerged = UNMERGED.exec(file.text);
  if (unmerged !== null) {
    const place = { file, start: unmerged.index, end: unmerged.index + unmerged[0].length };
    diagnostics.error("data", place, `${file.name} holds both sides of a merge that git left to a person`, {
      hint: "Choose the lines of one side, and delete the lines <<<<<<<, ======= and >>>>>>>.",
    });
    return undefined;
  }
  const [told = "", sign] = /^sep=(.)(?:\r\n|\n|\r)/i.exec(file.text) ?? [];
  const separator = sign ?? separatorOf(file.text);
  const records = recordsOf(file, separator, told.length, diagnostics);
  if (!records) return undefined;
  const [header, ...rows] = records.filter((record) => record.some(({ value, quoted }) => value !== "" || quoted));
  if (header) return { separator, header, rows };
  diagnostics.error("data", file.whole, `${file.name} is empty`, {
    hint: "The first line of a CSV file names its columns.",
  });
}

export function quotedCell(value: string, separator: string, wasQuoted: boolean): string {
  const needs =
    wasQuoted || value === "" || value.includes(separator) || /["\r\n]/.test(value) || /^\s|\s$/.test(value);
  return needs ? `"${value.replaceAll('"', '""')}"` : value;
}

/** An undefined cell is no text, and an empty text is "". */
export function csvLine(cells: readonly (string | undefined)[], separator = ","): string {
  return cells.map((cell) => (cell === undefined ? "" : quotedCell(cell, separator, false))).join(separator);
}

const QUOTED = /"[^"]*(?:""[^"]*)*"/y;

function recordsOf(file: SourceFile, separator: string, start: number, diagnostics: Diagnostics): Cell[][] | undefined {
  const { text } = file;
  const bare = new RegExp(`[^\\r\\n\\u{${separator.codePointAt(0)?.toString(16) ?? ""}}]*`, "uy");
  const records: Cell[][] = [];
  for (let at = start; at < text.length; at += text.startsWith("\r\n", at) ? 2 : 1) {
    const record: Cell[] = [];
    for (;;) {
      const quoted = text[at] === '"';
      const pattern = quoted ? QUOTED : bare;
      pattern.lastIndex = at;
      const [found] = pattern.exec(text) ?? [];
      if (found === undefined) {
        fault(at, "the quote that opens here is never closed");
        return undefined;
      }
      const place = { file, start: at, end: at + found.length };
      at = place.end;
      record.push({ value: quoted ? found.slice(1, -1).replaceAll('""', '"') : found, place, quoted });
      if (quoted && at < text.length && ![separator, "\n", "\r"].includes(text[at] ?? "")) {
        // A quote that nobody closed ends at the next one, in another line.
        if (/[\r\n]/.test(found))
          fault(place.start, "the quote that opens here is closed in another line, where the cell goes on");
        else fault(at, "a cell ends with its closing quote, and here it goes on");
        return undefined;
      }
      if (text[at] !== separator) break;
      at++;
    }
    records.push(record);
  }
  return records;

  function fault(at: number, message: string): void {
    diagnostics.error("data", { file, start: at, end: at + 1 }, message, {
      hint: 'A quote inside of a quoted cell is written twice: "".',
    });
  }
}

function separatorOf(text: string): string {
  const [first = ""] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text) ?? [];
  const bare = first.replaceAll(/"(?:[^"]|"")*"/g, "");
  const counted = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length }));
  return counted.sort((a, b) => b.count - a.count)[0]?.separator ?? ",";
}

/** Returns the names of the columns by index. A column without a name and without cells doesn't count. */
function columnsOf({ header, rows }: Csv, diagnostics: Diagnostics): ReadonlyMap<number, string> | undefined {
  const columns = new Map<number, string>();
  const first = new Map<string, Place>();
  const faults: Place[] = [];
  const tell = (place: Place, message: string, earlier?: Place): void => {
    faults.push(place);
    diagnostics.error("data", place, message, {
      hint: "The first line of a CSV file names its columns, each once.",
      ...(earlier && { related: [{ place: earlier, message: "stands here first" }] }),
    });
  };
  for (const [index, { value, place }] of header.entries()) {
    const name = value.trim();
    const earlier = first.get(name);
    if (name === "" && rows.every((row) => (row[index]?.value ?? "") === "")) continue;
    if (name === "") tell(place, `column ${index + 1} has no name`);
    else if (name === "__proto__") tell(place, "a column named __proto__ can't be stored");
    else if (earlier)
      tell(place, `two columns are named "${name}": the first is at ${earlier.file.locate(earlier.start)}`, earlier);
    else columns.set(index, name);
    first.set(name, place);
  }
  return faults.length === 0 ? columns : undefined;
}

function rowOf(
  row: readonly Cell[],
  header: readonly Cell[],
  columns: ReadonlyMap<number, string>,
  diagnostics: Diagnostics,
): DataMap | undefined {
  const { file, start } = (row[0] as Cell).place;
  const place = { file, start, end: row.at(-1)?.place.end ?? start };
  const extra = row.slice(header.length).find(({ value }) => value !== "");
  const names = [...columns.values()];
  if (extra || row.length < Math.max(0, ...columns.keys()) + 1) {
    const message = `this row has ${row.length} ${row.length === 1 ? "cell" : "cells"}, and the header ${header.length} columns`;
    diagnostics.error("data", extra?.place ?? place, message, {
      hint: `The columns are ${names.join(", ")}. Put a text that has a separator or a line break into quotes ("…").`,
    });
    return undefined;
  }
  const entries = new Map<string, DataEntry>();
  for (const [index, name] of columns) {
    const { value, quoted, place: at } = row[index] as Cell;
    const half = !value.isWellFormed();
    if (half) diagnostics.error("data", at, "half of a surrogate pair is not a character");
    // An empty cell means no text; "" means an empty text.
    const told = value === "" && !quoted ? null : value.toWellFormed();
    entries.set(name, { keyPlace: (header[index] as Cell).place, value: { kind: "scalar", value: told, place: at } });
  }
  return { kind: "map", entries, place };
}
