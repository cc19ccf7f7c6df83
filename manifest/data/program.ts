/** Data files in programs: the readers of landform.yaml, with types. */
import { basename, dirname, join, resolve } from "node:path";
import { existsSync } from "node:fs";
import { isMap, type Json } from "../../provider/values/json.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import { renderText } from "../source/report.ts";
import { layerFormOf } from "../language/forms.ts";
import { SourceFile, type Place } from "../source/file.ts";
import { Folder } from "../source/folder.ts";
import { DataError, jsonOf, type DataMap, type DataScalar, type DataValue, type RowSchema } from "./value.ts";
import { DataFiles, type Asking } from "./files.ts";
import { type FileLayer, type FolderLayer, overlaid, readLayers } from "./layers.ts";

/**
 * Returns the rows of a CSV, JSON or YAML file, each checked with a schema: `landform.data("cities.csv", z.object({ slug: z.string() }))`. The rows
 * of a map have their key as `key`. An empty cell is left out. Paths start at the program's folder.
 */
export function data<Row>(file: string, row: RowSchema<Row>): Row[] {
  if (typeof (row as Partial<RowSchema<Row>> | undefined)?.safeParse !== "function")
    throw new DataError(`data(${JSON.stringify(file)}) needs the zod schema of a row as its second argument`);
  return reading(file, (files, asking, diagnostics) => {
    const found = files.open(basename(file), asking)?.data;
    if (!found) return undefined;
    return rowsOf(found, diagnostics)?.flatMap((one): Row[] => {
      const result = row.safeParse(valueOf(one));
      if (result.success) return [result.data];
      for (const { path, message } of result.error.issues)
        diagnostics.fault("data", { place: placeAt(one, path), path: propertyPath(path) }, `: ${message}`);
      return [];
    });
  });
}

export type ContentLayer = FileLayer | FolderLayer | Readonly<Record<string, Json>>;

export function content(layers: ContentLayer | readonly ContentLayer[]): Record<string, Json> {
  const all = Array.isArray(layers) ? (layers as readonly ContentLayer[]) : [layers as ContentLayer];
  return Object.assign({}, ...all.map(keysOf)) as Record<string, Json>;
}

function keysOf(layer: ContentLayer): Record<string, Json> {
  refuseOtherLayer(layer as Json);
  const form = layerFormOf(Object.keys(layer).map((name) => ({ name, plain: true })));
  if (form === undefined) return { ...(layer as Record<string, Json>) };
  const path = form === "folder" ? (layer as FolderLayer).folder : (layer as FileLayer).file;
  const named = { ...layer, [form]: basename(path) } as FileLayer | FolderLayer;
  return reading(path, (files, asking, diagnostics) => {
    const found = readLayers(named, files, diagnostics, asking);
    return found && Object.fromEntries([...overlaid(found)].map(([key, { value }]) => [key, jsonOf(value)]));
  });
}

/** Refuses a text, which would count as a map of its letters. */
function refuseOtherLayer(layer: Json): void {
  if (isMap(layer)) return;
  const what = 'a source is { file: "…" }, { folder: "…" } or a map of keys and texts';
  throw new DataError(`content(${JSON.stringify(layer)}): ${what}`);
}

function reading<Result>(
  file: string,
  read: (files: DataFiles, asking: Asking, diagnostics: Diagnostics) => Result | undefined,
): Result {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new DataError(`${file} does not exist. Paths start at ${process.cwd()}.`);
  const diagnostics = new Diagnostics();
  const files = new DataFiles(new Folder(folder, process.cwd()), diagnostics);
  const from = join(files.folder.root, "program");
  const asking = { from, place: new SourceFile(from, file, "").whole, path: "" };
  const result = read(files, asking, diagnostics);
  if (result === undefined || diagnostics.failed) throw new DataError(renderText(diagnostics.list()));
  return result;
}

function rowsOf(found: DataValue, diagnostics: Diagnostics): readonly DataValue[] | undefined {
  if (found.kind === "list") return found.items;
  if (found.kind === "map") return [...found.entries].map(([key, { keyPlace, value }]) => keyed(key, keyPlace, value));
  diagnostics.error("data", found.place, `${found.place.file.name} holds neither a list nor a map`);
}

function keyed(key: string, keyPlace: Place, value: DataValue): DataMap {
  const own: DataScalar = { kind: "scalar", value: key, place: keyPlace };
  const fields = value.kind === "map" ? value.entries : new Map([["value", { keyPlace, value }]]);
  return { kind: "map", entries: new Map([["key", { keyPlace, value: own }], ...fields]), place: value.place };
}

/** Leaves empty values out, so that a schema may have them optional. */
function valueOf(row: DataValue): unknown {
  if (row.kind !== "map") return jsonOf(row);
  const told = [...row.entries].filter(([, { value }]) => value.kind !== "scalar" || value.value !== null);
  return Object.fromEntries(told.map(([name, { value }]) => [name, jsonOf(value)]));
}

/** Returns the place of the nearest value that exists. */
function placeAt(row: DataValue, path: readonly PropertyKey[]): Place {
  let here = row;
  for (const step of path) {
    const next: DataValue | undefined =
      here.kind === "map"
        ? here.entries.get(String(step))?.value
        : here.kind === "list"
          ? here.items[Number(step)]
          : undefined;
    if (!next) return here.place;
    here = next;
  }
  return here.place;
}
