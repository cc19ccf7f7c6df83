/** Writes objects of the same shape as one entry with `each`: its rows in a CSV file, and the texts of each row in a file of its own. */
import { type Pair, Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { same } from "../../provider/values/json.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { asText } from "../../provider/values/placeholders.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { csvLine } from "../data/csv.ts";
import { manifestName } from "../language/fields.ts";
import { wantedBy } from "../language/forms.ts";
import { addressOf, isPlainMap, plain, Reference, tellingInputs } from "../match/model.ts";
import type { Inputs, Model, Resource, Value } from "../match/model.ts";
import { fitsFile, type TextFiles, unique } from "../write/files.ts";
import { flow, listOf, mapOf, type NodeWriter } from "../write/nodes.ts";

/** The fewest objects that are worth a table. */
const FEWEST = 3;

export interface Table {
  readonly key: string;
  readonly kind: Kind;
  /** The start of the names of its files. */
  readonly stem: string;
  /** The objects under their new keys, and the keys of their rows. */
  readonly rows: readonly { readonly resource: Resource; readonly key: string }[];
}

/** Finds what repeats. The model gets the keys that the rows make. */
export function tablesIn(model: Model, texts: TextFiles): { readonly model: Model; readonly tables: readonly Table[] } {
  const taken = new Set(model.resources.map(addressOf));
  const keys = new Map<string, string>();
  const groups = Map.groupBy(model.resources.filter(isRow), shapeOf).values();
  const found = [...groups].flatMap((own) => {
    const [first] = own;
    if (first === undefined || own.length < FEWEST) return [];
    const { kind } = first;
    const isFree = (key: string): boolean =>
      [key, ...own.map((one) => `${key}-${one.key}`)].every((one) => !taken.has(addressOf({ kind, key: one })));
    let key: string = kind;
    for (let n = 2; !isFree(key); n++) key = `${kind}-${n}`;
    taken.add(addressOf({ kind, key }));
    for (const one of own) keys.set(addressOf(one), `${key}-${one.key}`);
    return [{ key, kind, own }];
  });
  const renamed = new Map(model.resources.map((one) => [one, renamedIn(one, keys)] as const));
  const tables = found.map(({ key, kind, own }): Table => {
    const rows = own.map((one) => ({ key: one.key, resource: renamed.get(one) ?? one }));
    return { key, kind, stem: texts.free(`content/${registry[kind].section}`), rows };
  });
  return { model: { ...model, resources: [...renamed.values()] }, tables };
}

/** Tells if an object can be a row. A note belongs to one object and not to its table. */
function isRow({ kind, id, name, inputs, notes }: Resource): boolean {
  const { content } = inputs;
  const isShaped = registry[kind].named && "content" in registry[kind].inputs.shape && isPlainMap(content);
  if (!isShaped || id === undefined || name === undefined || !fitsFile(name) || notes.length > 0) return false;
  return Object.entries(content).every(
    ([key, text]) => typeof text === "string" && fitsFile(text) && fitsFile(key) && key !== "" && key !== "__proto__",
  );
}

/** Returns all that a table says once: references, structure, the keys of the content, and values that fit into no cell. */
function shapeOf(resource: Resource): string {
  const fixed = fieldsOf(resource).flatMap(({ path, value, isCell }) => (isCell ? [] : [[path, plain(value)]]));
  const keys = Object.keys(contentOf(resource)).sort();
  return JSON.stringify([resource.kind, fixed, keys, resource.inputs["publish"] === undefined]);
}

interface FieldValue {
  readonly path: readonly string[];
  readonly value: Value;
  readonly isCell: boolean;
}

function fieldsOf(resource: Resource): FieldValue[] {
  const { shape } = registry[resource.kind].inputs;
  return tellingInputs(resource).flatMap(([field, value]): FieldValue[] => {
    if (field === "content") return [];
    // The page of the root has no slug. An empty cell would be no value.
    if (field === "publish" && isPlainMap(value))
      return Object.entries({ ...value, slug: value["slug"] ?? "" }).map(([name, inner]) => ({
        path: [field, name],
        value: inner,
        isCell: typeof inner === "string" && fitsFile(inner),
      }));
    const wanted = wantedBy((shape as Readonly<Record<string, unknown>>)[field]);
    const isCell = typeof value === "string" ? wanted === "text" && fitsFile(value) : typeof value === wanted;
    return [{ path: [field], value, isCell }];
  });
}

function contentOf({ inputs: { content } }: Resource): Readonly<Record<string, string>> {
  return isPlainMap(content) ? (content as Record<string, string>) : {};
}

function renamedIn(resource: Resource, keys: ReadonlyMap<string, string>): Resource {
  const renamed = (value: Value): Value => {
    if (value instanceof Reference) return new Reference(value.kind, keys.get(value.address) ?? value.key);
    if (Array.isArray(value)) return value.map(renamed);
    return isPlainMap(value) ? mapped(value) : value;
  };
  const mapped = (map: Inputs): Inputs =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, renamed(value)]));
  return { ...resource, key: keys.get(addressOf(resource)) ?? resource.key, inputs: mapped(resource.inputs) };
}

/** Returns the entry of a table, and puts its files beside it. */
export function writeTable({ key, stem, rows }: Table, writer: NodeWriter, texts: TextFiles): Pair<Scalar> {
  const resources = rows.map(({ resource }) => resource);
  const [first] = resources;
  const columns = new Map<string, readonly (string | undefined)[]>([
    ["key", rows.map((row) => row.key)],
    ["adoptId", resources.map(({ id }) => id)],
    ["name", resources.map(({ name }) => name)],
  ]);
  const fields = new Map(resources.flatMap(fieldsOf).map(({ path }) => [propertyPath(path), path]));
  const entry = mapOf([writer.pair("each", flow([writer.pair("file", `${stem}.csv`)]))]);
  for (const name of ["adoptId", "name"]) entry.items.push(writer.pair(name, expression(name)));
  const publish = flow([]);
  for (const path of fields.values()) {
    const values = resources.map((one) => fieldsOf(one).find((field) => same(field.path, path))?.value);
    const [field = "", inner] = path;
    const [value] = values;
    const isSame = values.every((one) => one !== undefined && same(plain(one), plain(value ?? null)));
    const node = isSame ? undefined : expression(columnFor(path, values));
    if (inner !== undefined)
      publish.items.push(writer.pair(manifestName(inner), node ?? writer.reference(inner, value ?? null)));
    else if (first !== undefined)
      entry.items.push(
        node === undefined ? writer.field(first, field, value ?? null) : writer.pair(manifestName(field), node),
      );
  }
  if (publish.items.length > 0) entry.items.push(writer.pair("publish", publish));
  const content = contentLayers();
  if (content !== undefined) entry.items.push(writer.pair("content", content));
  const cells = rows.map((_, at) => [...columns.values()].map((column) => column[at]));
  texts.files.set(`${stem}.csv`, csvOf([...columns.keys()], cells));
  return writer.pair(key, entry);

  function columnFor(path: readonly string[], values: readonly (Value | undefined)[]): string {
    const name = unique(manifestName(path.at(-1) ?? ""), new Set(columns.keys()));
    const cells = values.map((value) => (value === undefined ? undefined : asText(plain(value))));
    columns.set(name, cells);
    return name;
  }

  function contentLayers(): YAMLMap | YAMLSeq | undefined {
    const all = resources.map(contentOf);
    const keys = Object.keys(all[0] ?? {});
    const isSame = (name: string): boolean => all.every((content) => content[name] === all[0]?.[name]);
    const [shared, own] = [keys.filter(isSame), keys.filter((name) => !isSame(name))];
    const layers: YAMLMap[] = [];
    if (shared.length > 0) {
      texts.files.set(`${stem}-texts.csv`, textsCsv(shared, all[0] ?? {}));
      layers.push(flow([writer.pair("file", `${stem}-texts.csv`)]));
    }
    if (own.length > 0) {
      for (const [at, row] of rows.entries()) texts.files.set(`${stem}/${row.key}.csv`, textsCsv(own, all[at] ?? {}));
      layers.push(flow([writer.pair("file", new Scalar(`${stem}/\${each.key}.csv`))]));
    }
    if (layers.length < 2) return layers[0];
    return listOf(layers);
  }
}

function expression(column: string): Scalar {
  return new Scalar(`\${${propertyPath(["each", column])}}`);
}

function textsCsv(keys: readonly string[], content: Readonly<Record<string, string>>): string {
  const rows = keys.map((key) => [key, content[key]]);
  return csvOf(["key", "value"], rows);
}

function csvOf(header: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  return [header, ...rows].map((cells) => `${csvLine(cells)}\n`).join("");
}
