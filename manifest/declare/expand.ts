/** Entries as they are registered: filled up with the defaults of their section, and one for each row of `each`. */
import { isMap, isScalar, isSeq, Pair, YAMLMap, YAMLSeq, type Node } from "yaml";
import type { DataFiles } from "../data/files.ts";
import { type Diagnostics, tellRepeated } from "../source/diagnostics.ts";
import { addressOf, sections } from "../language/addresses.ts";
import { Reader, type MapEntry } from "../source/reader.ts";
import { EachReader } from "./each.ts";
import type { Declared, Group, Groups } from "./model.ts";
import type { Row } from "./rows.ts";
import { shapeOf } from "../../provider/definition/schema-walk.ts";
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
    const schema = sections.get(part)?.definition.schema;
    const all = new Map<string, Declared>();
    const own = new Map<string, Group>();
    for (const declared of entries.values()) {
      const { reader, key } = declared;
      const address = addressOf(part, key);
      const value = withDefaults(declared.value, defaults.get(part) ?? [], reader, schema);
      const entry = { ...declared, value };
      const given = entryOf(declared, "each");
      if (!given) {
        add(entry, part, all, diagnostics);
        tellRowless(entry, address, diagnostics);
        continue;
      }
      const rows = new EachReader({ reader, data, diagnostics }, address).rows(given);
      own.set(key, rows && new Map(rows.map((row) => [row.key, logicalName(key, row.key)])));
      for (const row of rows ?? []) add(oneOf(entry, row, schema, diagnostics), part, all, diagnostics);
      if (rows) tellLost(entry, rows, address, diagnostics);
    }
    result.set(part, all);
    groups.set(part, own);
  }
  return { parts: result, groups };
}

function entryOf({ value, reader }: Declared, name: string): MapEntry | undefined {
  return isMap(value) ? reader.entries(value).find(({ key }) => key === name) : undefined;
}

function oneOf(entry: Declared, row: Row, schema: unknown, diagnostics: Diagnostics): Declared {
  // The limit of aliases counts for each row alone.
  const reader = new Reader(entry.reader.parsed, diagnostics);
  const value = isMap(entry.value) ? withOwnValues(entry, entry.value, row.key, schema) : entry.value;
  return { ...entry, value, key: logicalName(entry.key, row.key), reader, one: { of: entry.key, row } };
}

/** The keys of an entry with values for its rows, by their keys. */
const OF_ROWS = ["adoptId", "rows"] as const;

function ofRows(declared: Declared, name: (typeof OF_ROWS)[number]): readonly MapEntry[] | undefined {
  const given = entryOf(declared, name)?.value;
  const isOwn = isMap(given) && (name === "rows" || isPlain(given, undefined));
  return isOwn ? declared.reader.entries(given) : undefined;
}

/** Returns an entry as one of its rows has it: with the row's id, and with the values that the row has of its own. */
function withOwnValues(entry: Declared, value: YAMLMap, row: string, schema: unknown): YAMLMap {
  const { reader } = entry;
  const [ids, rows] = OF_ROWS.map((name) => ofRows(entry, name));
  if (ids === undefined && rows === undefined) return value;
  const id = ids?.find(({ key }) => key === row)?.value;
  const common = new YAMLMap();
  common.range = value.range;
  common.items = value.items.flatMap((item) => {
    const name = isScalar(item.key) ? item.key.value : undefined;
    if (name === "rows") return rows ? [] : [item];
    return name === "adoptId" && ids ? (id == null ? [] : [new Pair(item.key, id)]) : [item];
  });
  const own = rows?.find(({ key }) => key === row)?.value;
  if (!isMap(own)) return common;
  const shared = reader.entries(common);
  return filled(layered(reader.entries(own), shared, schema), shared, reader, value, schema);
}

/** Puts the keys and values of a row behind those of the entry, which may come from files. */
function layered(own: readonly MapEntry[], shared: readonly MapEntry[], schema: unknown): MapEntry[] {
  const shape = shapeOf(schema);
  const fields = shape.type === "object" ? fieldsOf(shape.object) : undefined;
  return own.map((entry) => {
    const below = shared.find(({ key }) => key === entry.key)?.value;
    if (below == null || shapeOf(fields?.get(entry.key)?.schema).type !== "map") return entry;
    const layers = new YAMLSeq<Node | null>();
    layers.range = entry.value?.range;
    layers.items = [below, entry.value].flatMap((node) => (isSeq(node) ? (node.items as Node[]) : [node]));
    return { ...entry, value: layers };
  });
}

function tellRowless(declared: Declared, address: string, diagnostics: Diagnostics): void {
  const place = entryOf(declared, "rows")?.keyPlace;
  const message = ": this entry has no each, so it has no rows";
  if (place) diagnostics.fault("each", { place, path: `${address}.rows` }, message);
}

function tellLost(entry: Declared, rows: readonly Row[], address: string, diagnostics: Diagnostics): void {
  const keys = rows.map(({ key }) => key);
  for (const name of OF_ROWS)
    for (const { key, keyPlace, value } of ofRows(entry, name) ?? []) {
      const path = `${address}.${name}`;
      if (!keys.includes(key))
        diagnostics.warning("each", keyPlace, `${path}: there is no row "${key}"${didYouMean(key, keys)}`, { path });
      else if (name === "rows" && !isMap(value)) {
        const message = `: "${key}" takes a map of the properties of this row alone`;
        diagnostics.fault("each", { place: keyPlace, path }, message);
      }
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
  tellRepeated(diagnostics, one.key, place, first, {
    message: `${part} has "${one.key}" already: at`,
    path: addressOf(part, one.key),
    hint: "The key of the entry and the key of the row make the logical name. Rename one of the two.",
  });
}

/** Returns the value of an entry with the defaults that it doesn't override. */
function withDefaults(value: Node | null, defaults: readonly MapEntry[], reader: Reader, schema: unknown): Node | null {
  const isEmpty = value === null || (isScalar(value) && value.value === null);
  if (defaults.length === 0 || !(isEmpty || isMap(value))) return value;
  return filled(isMap(value) ? reader.entries(value) : [], defaults, reader, value, schema);
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
    const [inner, outer] = joins ? [entry, other].map(({ value }) => reader.entries(value as YAMLMap)) : [];
    const value = inner && outer ? filled(inner, outer, reader, entry.value, below) : entry.value;
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
