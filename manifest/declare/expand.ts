/** Entries as they are registered: filled up with the defaults of their section, and one for each row of `each`. */
import { isMap, isScalar, Pair, YAMLMap, type Node } from "yaml";
import type { DataFiles } from "../data/files.ts";
import { type Diagnostics, tellRepeated } from "../source/diagnostics.ts";
import { addressOf, sections } from "../language/addresses.ts";
import { Reader, type MapEntry } from "../source/reader.ts";
import { EachReader } from "./each.ts";
import type { Declared, Group, Groups } from "./model.ts";
import type { Row } from "./rows.ts";
import { shapeOf } from "../../provider/definition/schema-walk.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { fieldsOf } from "../language/fields.ts";
import { forms, layerForms } from "../language/forms.ts";

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
        const rows = new EachReader({ reader: entry.reader, data, diagnostics }, addressOf(part, entry.key)).rows(
          given,
        );
        own.set(entry.key, rows && new Map(rows.map(({ key }) => [key, logicalName(entry.key, key)])));
        for (const row of rows ?? []) add(oneOf(entry, row, diagnostics), part, all, diagnostics);
        if (rows) tellLostIds(entry, rows, addressOf(part, entry.key), diagnostics);
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
  // The limit of aliases counts for each row alone.
  const reader = new Reader(entry.reader.parsed, diagnostics);
  const value = withOwnId(entry, row.key);
  return { ...entry, value, key: logicalName(entry.key, row.key), reader, one: { of: entry.key, row } };
}

/** Returns the ids that an entry has for its rows, by their keys. */
function idsOf({ value, reader }: Declared): readonly MapEntry[] | undefined {
  const ids = isMap(value) ? reader.entries(value).find(({ key }) => key === "adoptId")?.value : undefined;
  return isMap(ids) && isPlain(ids, undefined) ? reader.entries(ids) : undefined;
}

function withOwnId(entry: Declared, row: string): Node | null {
  const ids = idsOf(entry);
  if (ids === undefined || !isMap(entry.value)) return entry.value;
  const id = ids.find(({ key }) => key === row)?.value;
  const map = new YAMLMap();
  map.range = entry.value.range;
  map.items = entry.value.items.flatMap((item) => {
    const isIds = isScalar(item.key) && item.key.value === "adoptId";
    return isIds ? (id == null ? [] : [new Pair(item.key, id)]) : [item];
  });
  return map;
}

function tellLostIds(entry: Declared, rows: readonly Row[], address: string, diagnostics: Diagnostics): void {
  const keys = rows.map(({ key }) => key);
  for (const { key, keyPlace } of (idsOf(entry) ?? []).filter((one) => !keys.includes(one.key))) {
    const path = `${address}.adoptId`;
    diagnostics.warning("each", keyPlace, `${path}: there is no row "${key}"${didYouMean(key, keys)}`, { path });
  }
}

/** Returns the logical name of one row: `offer` and the row `riga` make `offer-riga`. */
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
  tellRepeated(
    diagnostics,
    one.key,
    { place, first },
    {
      message: `${part} has "${one.key}" already: at`,
      path: addressOf(part, one.key),
      hint: "The key of the entry and the key of the row make the logical name. Rename one of the two.",
    },
  );
}

/** Returns the value of an entry with the defaults that it doesn't override. */
function withDefaults(
  value: Node | null,
  defaults: readonly MapEntry[],
  reader: Reader,
  definition: AnyDefinition | undefined,
): Node | null {
  if (defaults.length === 0 || !(value === null || isMap(value) || isEmpty(value))) return value;
  const own = isMap(value) ? reader.entries(value) : [];
  return filled(own, defaults, reader, value, definition?.schema);
}

function filled(
  own: readonly MapEntry[],
  more: readonly MapEntry[],
  reader: Reader,
  around: Node | null,
  schema: unknown,
): YAMLMap {
  const map = new YAMLMap<Node, Node | null>();
  map.range = around?.range;
  const inherited = new Map(more.map((entry) => [entry.key, entry]));
  const shape = shapeOf(schema);
  for (const entry of own) {
    const other = inherited.get(entry.key);
    inherited.delete(entry.key);
    const field = shape.type === "object" ? fieldsOf(shape.object).get(entry.key) : undefined;
    const below = shape.type === "map" ? shape.value : field?.schema;
    const joins = field?.reference === undefined && other && isPlain(entry.value, below) && isPlain(other.value, below);
    const value = joins
      ? filled(
          reader.entries(entry.value as YAMLMap),
          reader.entries(other.value as YAMLMap),
          reader,
          entry.value,
          below,
        )
      : entry.value;
    map.items.push(new Pair(entry.keyNode, value));
  }
  for (const entry of inherited.values()) map.items.push(new Pair(entry.keyNode, entry.value));
  return map;
}

/** Tells if a map holds fields or keys and is no form. */
function isPlain(node: Node | null, schema: unknown): boolean {
  const { type } = shapeOf(schema);
  if (!isMap(node) || (schema !== undefined && type !== "object" && type !== "map")) return false;
  const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ""));
  return !names.some((name) => Object.hasOwn(forms, name) || Object.hasOwn(layerForms, name));
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && node.value === null;
}
