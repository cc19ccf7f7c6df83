/** Entries as they are registered: filled up with the defaults of their section, and one for each row where they say so. */
import { isMap } from "yaml";
import type { DataFiles } from "../data/index.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { addressOf, sections } from "../language/addresses.ts";
import { locate } from "../source/parse.ts";
import { Reader, type MapEntry } from "../source/reader.ts";
import { withDefaults } from "./defaults.ts";
import { EachReader } from "./each.ts";
import type { Declared, Group, Groups } from "./declared.ts";
import type { Row } from "./row.ts";

type Parts = ReadonlyMap<string, ReadonlyMap<string, Declared>>;

export function expanded(
  parts: Parts,
  defaults: ReadonlyMap<string, readonly MapEntry[]>,
  data: DataFiles,
  diagnostics: Diagnostics,
): { parts: Parts; groups: Groups } {
  const result = new Map<string, Map<string, Declared>>();
  const groups = new Map<string, Map<string, Group>>();
  for (const [part, entries] of parts) {
    const all = new Map<string, Declared>();
    const own = new Map<string, Group>();
    for (const declared of entries.values()) {
      const value = withDefaults(
        declared.value,
        defaults.get(part) ?? [],
        declared.reader,
        sections.get(part)?.definition,
      );
      const entry = { ...declared, value };
      const given = eachOf(declared);
      if (!given) add(entry, part, all, diagnostics);
      else {
        const rows = new EachReader(entry.reader, data, diagnostics, addressOf(part, entry.key)).rows(given);
        own.set(entry.key, rows && new Map(rows.map(({ key }) => [key, logicalName(entry.key, key)])));
        for (const row of rows ?? []) add(oneOf(entry, row, diagnostics), part, all, diagnostics);
      }
    }
    result.set(part, all);
    groups.set(part, own);
  }
  return { parts: result, groups };
}

function eachOf({ value, reader }: Declared): MapEntry | undefined {
  return isMap(value) ? reader.entries(value).find(({ key }) => key === "each") : undefined;
}

function oneOf(entry: Declared, row: Row, diagnostics: Diagnostics): Declared {
  // Aliases count for each of the rows alone.
  const reader = new Reader(entry.reader.parsed, diagnostics);
  return { ...entry, key: logicalName(entry.key, row.key), reader, one: { of: entry.key, row } };
}

/** The logical name of one of several: `offer` and the row `riga` are `offer-riga`. */
export function logicalName(key: string, row: string): string {
  return `${key}-${row}`;
}

function add(one: Declared, part: string, all: Map<string, Declared>, diagnostics: Diagnostics): void {
  const earlier = all.get(one.key);
  if (!earlier) {
    all.set(one.key, one);
    return;
  }
  const place = one.one?.row.place ?? one.keyPlace;
  const first = earlier.one?.row.place ?? earlier.keyPlace;
  diagnostics.error("duplicate-key", place, `${part} has "${one.key}" already: at ${locate(first)}`, {
    path: addressOf(part, one.key),
    hint: "The key of an entry and that of a row make the logical name. Rename one of the two.",
    related: [{ place: first, message: `"${one.key}" stands here first` }],
  });
}
