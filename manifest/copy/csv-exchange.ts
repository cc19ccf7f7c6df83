/** Units as CSV, for translators who work in a spreadsheet. */
import { quotedCell, readCsv, type DataMap } from "../data/index.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { SourceFile } from "../source/file.ts";
import type { CameBack, ReadUnit, Unit } from "./unit.ts";
import { isUnfinished } from "./xliff-data.ts";

const COLUMNS = ["file", "key", "source", "target", "state", "limit", "address", "note"] as const;
const SENT = { open: "new", stale: "needs-translation" } as const;
const NEEDED = ["file", "key", "target"] as const;

/** An empty cell is no text yet; an empty text is "". */
export function csvOf(units: readonly Unit[]): string {
  const rows = units.map(({ of, key, source, target, unfinished, limit, address, note }) => [
    cell(of),
    cell(key),
    cell(source),
    target === undefined ? "" : cell(target),
    target === undefined ? SENT.open : unfinished ? SENT.stale : "translated",
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
    return {
      of: textIn(row, "file") ?? "",
      key: textIn(row, "key") ?? "",
      source: textIn(row, "source"),
      target: textIn(row, "target"),
      unfinished: unfinishedBy(textIn(row, "state")?.trim().toLowerCase()),
      place: row.entries.get("target")?.value.place ?? row.place,
    };
  });
  return standTwice(file, units, diagnostics) ? undefined : { units, language: undefined };
}

/** Who fills a table in by hand leaves the states that it went out with; all others are a tool's word. */
function unfinishedBy(state: string | undefined): ReadUnit["unfinished"] {
  if (state === SENT.open) return false;
  return state === SENT.stale ? "as-sent" : isUnfinished(state);
}

function standTwice(file: SourceFile, units: readonly ReadUnit[], diagnostics: Diagnostics): boolean {
  const known = new Map<string, ReadUnit>();
  for (const unit of units) {
    const { of, key, place } = unit;
    const id = JSON.stringify([of, key]);
    const earlier = of === "" && key === "" ? undefined : known.get(id);
    known.set(id, unit);
    if (earlier === undefined) continue;
    const message = `"${key}" of ${of} stands here twice: first at ${file.locate(earlier.place.start)}`;
    diagnostics.error("duplicate-key", place, message, {
      hint: "Remove one of the two rows.",
      related: [{ place: earlier.place, message: `"${key}" stands here first` }],
    });
  }
  return diagnostics.failed;
}

function textIn(row: DataMap, column: string): string | undefined {
  const value = row.entries.get(column)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
}
