/**
 * `each`: one entry that stands for several, one for each row of a list, a map or a data file. The key of a row makes the logical name, so a new or
 * deleted row changes no other.
 */
import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import { didYouMean } from "../../provider/values/nearest.ts";
import { dataOf } from "../data/json.ts";
import type { DataMap, DataValue } from "../data/value.ts";
import { Told, unlessTold, tellRepeated } from "../source/diagnostics.ts";
import { isKey } from "../language/fields.ts";
import type { Place } from "../source/file.ts";
import { locate } from "../source/parse.ts";
import type { MapEntry } from "../source/reader.ts";
import { fieldsIn, joined, named, textOf, type Row, isKept, readFilter, type Filter } from "./rows.ts";
import type { Reading } from "./model.ts";

const MAX_ROWS = 10_000;

/** The sources of rows, each with the keys that may stand beside it. */
const SOURCES = {
  file: ["file", "key", "where"],
  items: ["items", "key", "where"],
  matrix: ["matrix", "where"],
} as const;
type Source = keyof typeof SOURCES;

export class EachReader {
  readonly #in: Reading;
  readonly #path: string;
  /** The number of rows if a filter has dropped all of them. */
  #left = 0;
  /** The place of the name of the rows' key, if the entry names it. */
  #keyNamed: Place | undefined;

  constructor(reading: Reading, address: string) {
    this.#in = reading;
    this.#path = `${address}.each`;
  }

  rows({ value, keyPlace }: MapEntry): readonly Row[] | undefined {
    const rows = unlessTold(() => this.#rows(value, this.#in.reader.place(value, keyPlace), this.#path));
    if (rows?.length === 0) {
      const none = this.#left === 0 ? "there are no rows" : `where leaves none of ${this.#left} rows`;
      const message = `${this.#path}: ${none}, so this entry declares nothing`;
      this.#in.diagnostics.warning("each", keyPlace, message, { path: this.#path });
    }
    return rows;
  }

  #rows(node: Node | null, place: Place, path: string): Row[] {
    if (isSeq(node)) return this.#unique(this.#ofList(dataOf(this.#in.reader, node), undefined, place));
    if (!isMap(node)) {
      const hint = "Write each: [de, fr], each: { de: …, fr: … } or each: { file: cities.csv, key: slug }.";
      return this.#fault(place, "takes a list, a map or a file", hint, path);
    }
    const source = (Object.keys(SOURCES) as Source[]).find((name) => node.items.some((pair) => isSource(pair, name)));
    return source === undefined
      ? this.#ofEntries(dataOf(this.#in.reader, node) as DataMap)
      : this.#chosen(node, source, path);
  }

  #chosen(map: YAMLMap, source: Source, path: string): Row[] {
    const words: readonly string[] = SOURCES[source];
    const entries = new Map(this.#in.reader.entries(map).map((entry) => [entry.key, entry]));
    const unknown = [...entries.values()].find(({ key }) => !words.includes(key));
    if (unknown) {
      const message = `there is no "${unknown.key}"${didYouMean(unknown.key, words)}`;
      const hint = `Known are ${words.join(", ")}. If a row has the key ${source}, write the rows under items.`;
      this.#fault(unknown.keyPlace, message, hint, path);
    }
    const given = entries.get(source) as MapEntry;
    const keyName = this.#keyName(entries.get("key"), path);
    const rows =
      source === "matrix" ? this.#matrix(given, path) : this.#unique(this.#given(given, source, keyName, path));
    const filter = this.#filter(entries.get("where"), path);
    const kept = filter ? rows.filter((row) => this.#isKept(row, filter, path)) : rows;
    if (kept.length === 0 && rows.length > 0) this.#left = rows.length;
    return kept;
  }

  #keyName(entry: MapEntry | undefined, path: string): string | undefined {
    if (!entry) return undefined;
    const { value, keyPlace } = entry;
    const place = this.#in.reader.place(value, keyPlace);
    this.#keyNamed = place;
    if (isScalar(value) && typeof value.value === "string" && value.value !== "") return value.value;
    return this.#fault(place, "takes the name of a field", "Write key: slug.", `${path}.key`);
  }

  #filter(entry: MapEntry | undefined, path: string): Filter | undefined {
    if (!entry) return undefined;
    const found = readFilter(dataOf(this.#in.reader, entry.value));
    if (found) return found;
    const hint = "Write where: { country: [de, at], live: { not: no } }.";
    const message = "takes fields, each with a value, a list of values or { not: … }";
    return this.#fault(this.#in.reader.place(entry.value, entry.keyPlace), message, hint, `${path}.where`);
  }

  #isKept({ fields }: Row, filter: Filter, path: string): boolean {
    const kept = isKept(fields, filter);
    if (typeof kept === "boolean") return kept;
    if ("slip" in kept) {
      const message = `${path}.where leaves out this row: its ${kept.field} is "${kept.slip}", did you mean "${kept.meant}"?`;
      this.#in.diagnostics.warning("each", kept.place, message, { path: `${path}.where` });
      return false;
    }
    const message = `there is no "${kept.unknown}"${didYouMean(kept.unknown, kept.known)} in the row at ${locate(kept.row)}`;
    return this.#fault(kept.place, message, `It has ${kept.known.join(", ")}.`, `${path}.where`);
  }

  #given(entry: MapEntry, source: Exclude<Source, "matrix">, keyName: string | undefined, path: string): Row[] {
    const place = this.#in.reader.place(entry.value, entry.keyPlace);
    const data = source === "file" ? this.#file(entry, place, path) : dataOf(this.#in.reader, entry.value);
    if (data.kind === "list") return this.#ofList(data, keyName, place);
    if (data.kind === "scalar") return this.#fault(place, "takes a list or a map", undefined, `${path}.${source}`);
    if (keyName !== undefined) this.#fault(place, "the rows of a map have their keys", "Leave out key.", `${path}.key`);
    return this.#ofEntries(data);
  }

  #file({ value }: MapEntry, place: Place, path: string): DataValue {
    const name = isScalar(value) ? value.value : undefined;
    const asking = { from: place.file.path, place, path: `${path}.file` };
    if (typeof name !== "string" || name === "" || name.includes("${")) {
      const hint = "Write each: { file: cities.csv, key: slug }; nothing is filled in there.";
      return this.#fault(place, "takes the name of a file", hint, asking.path);
    }
    const found = this.#in.data.open(name, asking);
    if (!found) throw new Told();
    return found.data;
  }

  #ofList(list: DataValue, keyName: string | undefined, place: Place): Row[] {
    const items = list.kind === "list" ? list.items : [];
    this.#checkCount(items.length, place);
    this.#checkKey(items, keyName);
    return items.map((item) => {
      if (item.kind === "map") return this.#ofFields(item, keyName, place);
      if (item.kind === "list") return this.#fault(item.place, "a row is a text or a map, and this is a list");
      if (keyName !== undefined) this.#fault(item.place, `this row is no map, so it has no "${keyName}"`);
      return this.#row(textOf(item), item.place, new Map([["value", item]]));
    });
  }

  /** A key that no row has is a slip in the manifest, and none in a row. */
  #checkKey(items: readonly DataValue[], keyName: string | undefined): void {
    const maps = items.filter((item) => item.kind === "map");
    const [first] = maps;
    if (keyName === undefined || this.#keyNamed === undefined || first === undefined) return;
    if (maps.some(({ entries }) => entries.has(keyName))) return;
    const known = [...first.entries.keys()];
    const message = `no row has "${keyName}"${didYouMean(keyName, known)}`;
    this.#fault(this.#keyNamed, message, `The rows have ${known.join(", ")}.`, `${this.#path}.key`);
  }

  #ofFields(item: DataMap, chosen: string | undefined, place: Place): Row {
    const name = chosen ?? "key";
    const key = item.entries.get(name)?.value;
    if (key?.kind === "scalar") return this.#row(textOf(key), key.place, fieldsIn(item));
    if (key !== undefined)
      return this.#fault(key.place, `the key of a row is a text or a number, and "${name}" is a ${key.kind}`);
    const known = [...item.entries.keys()];
    const source = place.file === item.place.file ? "items: …" : "file: …";
    const hint =
      chosen === undefined
        ? `The key of a row makes its logical name. Name the field that has it (${known.join(", ")}): each: { ${source}, key: … }.`
        : `It has ${known.join(", ")}.`;
    return this.#fault(item.place, `this row has no "${name}"${didYouMean(name, known)}`, hint);
  }

  #ofEntries({ entries, place }: DataMap): Row[] {
    this.#checkCount(entries.size, place);
    return [...entries].map(([key, { keyPlace, value }]) => {
      if (value.kind === "list") return this.#fault(value.place, "a row is a text or a map, and this is a list");
      return this.#row(key, keyPlace, value.kind === "map" ? fieldsIn(value) : new Map([["value", value]]));
    });
  }

  #matrix({ value, keyPlace }: MapEntry, path: string): Row[] {
    const lists = isMap(value) ? this.#in.reader.entries(value) : [];
    const place = this.#in.reader.place(value, keyPlace);
    const [first, ...others] = lists.map(({ key: name, value: list, keyPlace: at }) => ({
      name,
      rows: this.#rows(list, this.#in.reader.place(list, at), `${path}.matrix.${name}`),
    }));
    if (!first || others.length === 0) {
      const hint = "Write matrix: { brand: [acme, zen], locale: { file: locales.csv, key: code } }.";
      return this.#fault(place, "takes two lists or more, each under a name", hint, `${path}.matrix`);
    }
    this.#checkCount(
      others.reduce((count, { rows }) => count * rows.length, first.rows.length),
      place,
    );
    const start = first.rows.map((row) => named(first.name, row));
    const rows = others.reduce(
      (left, { name, rows: right }) => left.flatMap((one) => right.map((row) => joined(one, name, row))),
      start,
    );
    return this.#unique(rows);
  }

  #row(key: string, place: Place, fields: ReadonlyMap<string, DataValue>): Row {
    if (key === "") this.#fault(place, "this row has no key", "The key of a row makes its logical name.");
    const hint =
      key === "__proto__" ? "Choose another name." : "Leave out ::, control characters, and spaces at the ends.";
    if (!isKey(key) || key === "__proto__") this.#fault(place, `"${key}" can't be the key of a row`, hint);
    const own = fields.get("key");
    if (own && !(own.kind === "scalar" && textOf(own) === key)) {
      const message = `\${each.key} is the key of a row, "${key}", and this field is called key, too`;
      this.#fault(own.place, message, "Rename the field.");
    }
    const all = new Map<string, DataValue>([["key", { kind: "scalar", value: key, place }], ...fields]);
    const entries = new Map([...all].map(([name, value]) => [name, { keyPlace: value.place, value }]));
    return { key, place, fields: { kind: "map", entries, place } };
  }

  #unique(rows: Row[]): Row[] {
    const first = new Map<string, Row>();
    for (const row of rows) {
      const { key, place } = row;
      const earlier = first.get(key);
      if (earlier)
        tellRepeated(this.#in.diagnostics, key, place, earlier.place, {
          message: `two rows have the key "${key}": the first is at`,
          path: this.#path,
          hint: "Each row needs a key of its own. Change one of the keys, or choose another field with key.",
        });
      else first.set(key, row);
    }
    if (first.size < rows.length) throw new Told();
    return rows;
  }

  #checkCount(count: number, place: Place): void {
    const message = `makes ${count} entries, and at most ${MAX_ROWS} come of one`;
    if (count > MAX_ROWS) this.#fault(place, message, "Split it into several entries.");
  }

  #fault(place: Place, message: string, hint?: string, path = this.#path): never {
    this.#in.diagnostics.fault("each", { place, path }, `: ${message}`, hint);
    throw new Told();
  }
}

function isSource({ key, value }: Pair, source: Source): boolean {
  if (!isScalar(key) || key.value !== source) return false;
  return source === "file" ? isScalar(value) : !isScalar(value);
}
