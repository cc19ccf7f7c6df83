/**
 * Keys and values out of several places, in order: what a later one says stands over what an earlier one does. Each value
 * knows where it stands, and what it stands over.
 */
import { type Diagnostics, tellRepeated } from "../source/diagnostics.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { below } from "../language/addresses.ts";
import type { Place } from "../source/file.ts";
import type { Asking, DataFile } from "./files.ts";
import type { DataEntry, DataMap, DataValue, DataScalar } from "./value.ts";
import { respelled, type Respelled } from "../source/reader.ts";

export interface Sourced<Value = DataValue> {
  readonly key: string;
  readonly value: Value;
  readonly keyPlace: Place;
  /** Of the value, in whichever file. */
  readonly place: Place;
  /** The same key in the layers below, the nearest first. */
  readonly over: readonly Sourced<Value>[];
}

/** What one place says: keys in their order. */
export type Layer<Value = DataValue> = ReadonlyMap<string, Omit<Sourced<Value>, "over">>;

/** Keys stand where the first layer that has them puts them. */
export function overlaid<Value>(layers: readonly Layer<Value>[]): Map<string, Sourced<Value>> {
  const result = new Map<string, Sourced<Value>>();
  for (const layer of layers) {
    for (const [key, one] of layer) {
      const below = result.get(key);
      result.set(key, { ...one, over: below ? [below, ...below.over] : [] });
    }
  }
  return result;
}

/** The tags to look under for a language, the nearest last: `de-AT` is looked for under `de`, too. */
export function localeChain(tag: string): string[] {
  const parts = tag.split(/[-_]/);
  const separator = tag.includes("_") ? "_" : "-";
  return parts.map((_, index) => parts.slice(0, index + 1).join(separator));
}

/** Which columns of a CSV file hold keys and values. */
export interface Columns {
  readonly key?: string | undefined;
  readonly value?: string | undefined;
}

/**
 * The keys and values of a data file: a map of JSON or YAML as it is, or the two columns of a CSV file. A cell without
 * anything in it says nothing. Undefined where the file holds something else; that is told.
 */
export function layerOf(
  { file, data }: DataFile,
  columns: Columns,
  diagnostics: Diagnostics,
  asking: Asking,
): Layer | undefined {
  if (data.kind === "map") {
    const named = Object.entries(columns).find(([, name]) => name !== undefined);
    if (!named) return soundLayer(layerOfMap(data), diagnostics, asking);
    diagnostics.error("data", asking.place, `${asking.path}: ${file.name} has no columns`, {
      path: asking.path,
      hint: `Leave out ${named[0]}: its keys and values are those of the map.`,
    });
    return undefined;
  }
  if (data.kind === "list" && data.items.every((item) => item.kind === "map"))
    return layerOfRows(data.items, columns, diagnostics, { ...asking, file: file.name, header: data.columns });
  diagnostics.error("data", data.place, `${file.name} holds no map of keys and values`, {
    path: asking.path,
    hint: "Write key: value, or a CSV file with the columns key and value.",
  });
  return undefined;
}

export function layerOfMap({ entries }: DataMap): Layer {
  return new Map(
    [...entries].map(([key, { keyPlace, value }]) => [key, { key, keyPlace, value, place: value.place }] as const),
  );
}

function layerOfRows(
  rows: readonly DataMap[],
  { key: keyColumn = "key", value: valueColumn = "value" }: Columns,
  diagnostics: Diagnostics,
  asking: Asking & { readonly file: string; readonly header: readonly string[] | undefined },
): Layer | undefined {
  const names = [...(asking.header ? [asking.header] : []), ...rows.map((row) => [...row.entries.keys()])];
  if (!haveColumns(names, [keyColumn, valueColumn], diagnostics, asking)) return undefined;
  const layer = new Map<string, Omit<Sourced, "over">>();
  let isSound = true;
  for (const row of rows) {
    const { value: key } = row.entries.get(keyColumn) as DataEntry;
    const { value } = row.entries.get(valueColumn) as DataEntry;
    const name = key.kind === "scalar" && key.value !== null ? String(key.value) : "";
    const earlier = layer.get(name);
    if (name === "" || earlier) {
      isSound = false;
      tellKey(name, key.place, earlier?.keyPlace, diagnostics);
    } else if (value.kind !== "scalar" || value.value !== null)
      layer.set(name, { key: name, keyPlace: key.place, value, place: value.place });
  }
  return isSound ? soundLayer(layer, diagnostics, asking) : undefined;
}

function haveColumns(
  rows: readonly (readonly string[])[],
  wanted: readonly string[],
  diagnostics: Diagnostics,
  { place, path, file }: Asking & { readonly file: string },
): boolean {
  for (const known of rows) {
    const missing = wanted.find((name) => !known.includes(name));
    if (missing === undefined) continue;
    const message = `${path}: ${file} has no column "${missing}"${didYouMean(missing, known)}`;
    const hint = `Its columns are ${known.join(", ")}; key: and value: say which to take.`;
    diagnostics.error("data", place, message, { path, hint });
    return false;
  }
  return true;
}

/** Undefined where a key can't be stored, or a value not be sent as it stands; that is told. */
export function soundLayer(layer: Layer, diagnostics: Diagnostics, { path }: Asking): Layer | undefined {
  const sound = [...layer.values()].map((one) => isSound(one, below(path, one.key), diagnostics));
  return sound.every(Boolean) ? layer : undefined;
}

function isSound({ key, value, keyPlace }: Omit<Sourced, "over">, path: string, diagnostics: Diagnostics): boolean {
  // It would be taken for the prototype of whatever holds it.
  if (key === "__proto__") {
    const hint = "Choose another name.";
    diagnostics.error("text-key", keyPlace, "a key named __proto__ can't be stored", { hint });
    return false;
  }
  if (value.kind !== "scalar" || value.value !== null) return isSendable(value, keyPlace, path, diagnostics);
  tellValueless(keyPlace, path, diagnostics);
  return false;
}

function tellKey(name: string, place: Place, earlier: Place | undefined, diagnostics: Diagnostics): void {
  if (earlier) tellRepeated(diagnostics, name, { place, first: earlier });
  else diagnostics.error("data", place, "this row has no key");
}

export const NO_VALUE_HINT = 'Write "" for an empty text, or leave the key out to keep what is there.';

export function respelledScalar({ value, place }: DataScalar): Respelled | undefined {
  return respelled(value, writtenAt(place));
}

/** False where something in it can't, which is told. `keyPlace`: of the key that it is the value of. */
export function isSendable(data: DataValue, keyPlace: Place, path: string, diagnostics: Diagnostics): boolean {
  if (data.kind === "scalar") return isScalarSendable(data, keyPlace, path, diagnostics);
  const inner =
    data.kind === "list"
      ? data.items.map((value, index) => isSendable(value, value.place, `${path}[${index}]`, diagnostics))
      : [...data.entries].map(([key, one]) => isSendable(one.value, one.keyPlace, below(path, key), diagnostics));
  return inner.every(Boolean);
}

function isScalarSendable(data: DataScalar, keyPlace: Place, path: string, diagnostics: Diagnostics): boolean {
  const { value, place } = data;
  if (value === null && writtenAt(place) === "") {
    tellValueless(keyPlace, path, diagnostics);
    return false;
  }
  const other = respelledScalar(data);
  if (other) diagnostics.error("invalid-value", place, `${path}: ${other.problem}`, { path, hint: other.hint });
  return other === undefined;
}

export function tellValueless(place: Place, path: string, diagnostics: Diagnostics): void {
  diagnostics.error("empty-value", place, `${path} has no value`, { path, hint: NO_VALUE_HINT });
}

function writtenAt({ file, start, end }: Place): string {
  return file.text.slice(start, end);
}
