/** Units as CSV, for translators who work in a spreadsheet. */
import { quotedCell, readCsv, type DataMap } from "../data/index.ts";
import { didYouMean } from "../../provider/lifecycle/nearest.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { SourceFile } from "../source/file.ts";
import type { CameBack, Unit } from "./unit.ts";

const COLUMNS = ["file", "key", "source", "target", "state", "limit", "address", "note"] as const;
const NEEDED = ["file", "key", "target"] as const;

/** An empty cell is no text yet; an empty text is "". */
export function csvOf(units: readonly Unit[]): string {
  const rows = units.map(({ of, key, source, target, unfinished, limit, address, note }) => [
    cell(of),
    cell(key),
    cell(source),
    target === undefined ? "" : cell(target),
    target === undefined ? "new" : unfinished ? "needs-translation" : "translated",
    limit === undefined ? "" : String(limit),
    address === undefined ? "" : cell(address),
    note === undefined ? "" : cell(note),
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

function cell(text: string): string {
  return quotedCell(text, ",", false);
}

export function readUnitsCsv(file: SourceFile, diagnostics: Diagnostics): CameBack | undefined {
  const rows = readCsv(file, diagnostics)?.items as readonly DataMap[] | undefined;
  const [first] = rows ?? [];
  if (rows === undefined) return undefined;
  const names = first === undefined ? [...NEEDED] : [...first.entries.keys()];
  const missing = NEEDED.find((name) => !names.includes(name));
  if (missing !== undefined) {
    const message = `${file.name} has no column "${missing}"${didYouMean(missing, names)}`;
    diagnostics.error("data", file.whole, message, { hint: `Columns of translations are ${COLUMNS.join(", ")}.` });
    return undefined;
  }
  const units = rows.map((row) => {
    const state = textIn(row, "state");
    return {
      of: textIn(row, "file") ?? "",
      key: textIn(row, "key") ?? "",
      source: textIn(row, "source"),
      target: textIn(row, "target"),
      unfinished: state !== undefined && state.startsWith("needs-"),
      place: row.entries.get("target")?.value.place ?? row.place,
    };
  });
  return { units, language: undefined, hasStates: false };
}

function textIn(row: DataMap, column: string): string | undefined {
  const value = row.entries.get(column)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}
