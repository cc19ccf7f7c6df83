/** Layers of keys and values: files and folders, and for a language the nearest of several. */
import { landform } from "../../provider/values/command-line.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { below } from "../language/addresses.ts";
import { instead, localeChain } from "../language/locales.ts";
import { type Diagnostics, tellRepeated } from "../source/diagnostics.ts";
import { type Place, textAt } from "../source/file.ts";
import { respelled } from "../source/reader.ts";
import { type Asking, type DataFile, type DataFiles, told } from "./files.ts";
import type { DataEntry, DataMap, DataValue } from "./value.ts";

export interface FileLayer extends Columns {
  readonly file: string;
  /** Chooses the files if the name has a `*`, and the columns of a CSV file if not: `de` first, `de-AT` over it. */
  readonly locale?: string | undefined;
}

/** The texts of a folder: the name of each file is a key. */
export interface FolderLayer {
  readonly folder: string;
}

/** Reads the layers in their order. Returns undefined if one can't be read, and reports it. */
export function readLayers(
  layer: FileLayer | FolderLayer,
  data: DataFiles,
  diagnostics: Diagnostics,
  asking: Asking & { readonly mayBeMissing?: "told" | "silently"; readonly source?: string | undefined },
): readonly Layer[] | undefined {
  if ("folder" in layer) {
    const texts = data.texts(layer.folder, asking);
    return texts && whole([soundLayer(layerOfMap(texts), diagnostics, asking)]);
  }
  const { file, locale, ...columns } = layer;
  if (locale === undefined) return whole([open(file, columns)]);
  const chain = localeChain(locale);
  if (file.includes("*")) return byName();
  const found = data.open(file, asking);
  return found && byColumn(found);

  function open(name: string, of: Columns): Layer | undefined {
    const opened = data.open(name, asking);
    return opened && layerOf(opened, of, diagnostics, asking);
  }

  function byName(): readonly Layer[] | undefined {
    const names = chain.map((tag) => file.replaceAll("*", tag));
    const there = names.filter((name) => data.folder.has(asking.from, name));
    if (there.length > 0) return whole(there.map((name) => open(name, columns)));
    if (asking.mayBeMissing !== undefined) return untranslated(`there is no ${names.join(" or ")} yet:`);
    const source = locale === asking.source ? " (the source language)" : "";
    tell(`${names.join(" or ")}${source} is missing`, "Add the file, or name another locale.");
    return undefined;
  }

  function byColumn({ file: source, data: rows }: DataFile): readonly Layer[] | undefined {
    const [row] = rows.kind === "list" ? rows.items : [];
    const header = rows.kind === "list" ? rows.columns : undefined;
    const names = header ?? (row?.kind === "map" ? [...row.entries.keys()] : []);
    const there = chain.filter((tag) => names.includes(tag));
    if (there.length > 0) return whole(there.map((value) => open(file, { ...columns, value })));
    const near = didYouMean(locale ?? "", names);
    if (asking.mayBeMissing !== undefined)
      return untranslated(`${source.name} has no column ${chain.join(" or ")}${near || "."}`);
    const hint = `Its columns are ${names.join(", ")}. Or write * in place of the locale in the name of the file.`;
    tell(`${source.name} has no column ${chain.join(" or ")}${near}`, hint);
    return undefined;
  }

  /** Nobody has translated into this language yet, so the source texts stand. */
  function untranslated(missing: string): readonly Layer[] {
    if (asking.mayBeMissing === "silently" || !data.isNews(missing)) return [];
    const isOriginal = locale === asking.source;
    const shown = isOriginal ? "Texts without a translation are missing here" : instead(locale ?? "", asking.source);
    const message = `${asking.path}: ${missing} ${shown}`;
    const hint = isOriginal
      ? undefined
      : `${landform("copy extract")} writes them for translators, and copy import takes them back.`;
    diagnostics.warning("data", asking.place, message, { path: asking.path, hint });
    return [];
  }

  function tell(problem: string, hint: string): void {
    diagnostics.error("data", asking.place, told(asking.path, problem), { path: asking.path, hint });
  }
}

/** Returns the texts of the source language, or nothing if the form is in the source language itself. */
export function sourceLayers(
  layer: FileLayer | FolderLayer,
  source: string | undefined,
  data: DataFiles,
  diagnostics: Diagnostics,
  asking: Asking & { readonly mayBeMissing: "told" | "silently" },
): readonly Layer[] {
  if (!("file" in layer) || layer.locale === undefined || source === undefined) return [];
  const { file, locale } = layer;
  if (localeChain(locale).includes(source)) return [];
  const names = localeChain(source).map((tag) => file.replaceAll("*", tag));
  if (!names.some((name) => data.folder.has(asking.from, name))) return [];
  return readLayers({ ...layer, locale: source }, data, diagnostics, { ...asking, source }) ?? [];
}

function whole(layers: readonly (Layer | undefined)[]): readonly Layer[] | undefined {
  return layers.every((one) => one !== undefined) ? layers : undefined;
}

// Keys and values from several places, in order: a later one wins over an earlier one. Each value knows its place and the places that it hides.

export interface Sourced<Value = DataValue> {
  readonly key: string;
  readonly value: Value;
  readonly keyPlace: Place;
  /** The place of the value, in whichever file. */
  readonly place: Place;
  /** The same key in the layers below, the nearest first. */
  readonly over: readonly Sourced<Value>[];
}

export type Layer<Value = DataValue> = ReadonlyMap<string, Omit<Sourced<Value>, "over">>;

/** The first layer that has a key sets its position. */
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

export interface Columns {
  readonly key?: string | undefined;
  readonly value?: string | undefined;
}

/**
 * Returns the keys and values of a data file: a map of JSON or YAML, or two columns of a CSV file. An empty cell says nothing. Returns undefined for
 * any other content, and reports it.
 */
export function layerOf(
  { file, data }: DataFile,
  columns: Columns,
  diagnostics: Diagnostics,
  asking: Asking,
): Layer | undefined {
  if (data.kind === "map") {
    const [named] = Object.entries(columns).flatMap(([word, name]) => (name === undefined ? [] : [word]));
    if (named === undefined) return soundLayer(layerOfMap(data), diagnostics, asking);
    const hint = `Leave out ${named}: its keys and values are those of the map.`;
    const { place, path } = asking;
    diagnostics.fault("data", { place, path }, `: ${file.name} has no columns`, hint);
    return undefined;
  }
  if (data.kind === "list" && data.items.every((item) => item.kind === "map"))
    return layerOfRows(data.items, columns, diagnostics, { ...asking, file: file.name, header: data.columns });
  diagnostics.error("data", data.place, `${file.name} holds no map of keys and values`, {
    path: asking.path,
    hint: "Write key: value, or a CSV file with the columns key and value.",
  });
}

function layerOfMap({ entries }: DataMap): Layer {
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
      if (earlier) tellRepeated(diagnostics, name, key.place, earlier.keyPlace);
      else diagnostics.error("data", key.place, "this row has no key");
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
    const message = `: ${file} has no column "${missing}"${didYouMean(missing, known)}`;
    const hint = `Its columns are ${known.join(", ")}; key: and value: say which to take.`;
    diagnostics.fault("data", { place, path }, message, hint);
    return false;
  }
  return true;
}

/** Returns undefined if a key can't be stored or a value can't be sent as it stands, and reports it. */
function soundLayer(layer: Layer, diagnostics: Diagnostics, { path }: Asking): Layer | undefined {
  const sound = [...layer.values()].map((one) => isSound(one, below(path, one.key), diagnostics));
  return sound.every(Boolean) ? layer : undefined;
}

function isSound({ key, value, keyPlace }: Omit<Sourced, "over">, path: string, diagnostics: Diagnostics): boolean {
  // JavaScript would take this key for the prototype of the map.
  if (key === "__proto__") {
    const hint = "Choose another name.";
    diagnostics.error("text-key", keyPlace, "a key named __proto__ can't be stored", { hint });
    return false;
  }
  const isNothing = value.kind === "scalar" && value.value === null;
  return isNothing ? tellValueless(keyPlace, path, diagnostics) : isSendable(value, keyPlace, path, diagnostics);
}

export const NO_VALUE_HINT = 'Write "" for an empty text, or leave the key out to keep what is there.';

/** Returns false if a part can't be sent, and reports it. `keyPlace`: the place of the value's key. */
export function isSendable(data: DataValue, keyPlace: Place, path: string, diagnostics: Diagnostics): boolean {
  if (data.kind !== "scalar") {
    const inner =
      data.kind === "list"
        ? data.items.map((value, index) => isSendable(value, value.place, `${path}[${index}]`, diagnostics))
        : [...data.entries].map(([key, one]) => isSendable(one.value, one.keyPlace, below(path, key), diagnostics));
    return inner.every(Boolean);
  }
  const { value, place } = data;
  const written = textAt(place);
  if (value === null && written === "") return tellValueless(keyPlace, path, diagnostics);
  const other = respelled(value, written);
  if (other) diagnostics.fault("invalid-value", { place, path }, `: ${other.problem}`, other.hint);
  return other === undefined;
}

function tellValueless(place: Place, path: string, diagnostics: Diagnostics): false {
  diagnostics.fault("empty-value", { place, path }, " has no value", NO_VALUE_HINT);
  return false;
}
