/**
 * Turns a node of the YAML into the value of an input. Fields in the words of the manifest become inputs; references and forms become deferred
 * values. The schema reports faults of the value itself later. This module reports the faults that only the manifest knows: references, files, empty
 * values, and properties by their names here.
 */
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { z } from "zod";
import { didYouMean } from "../../provider/values/nearest.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { listed } from "../../provider/values/wording.ts";
import { shapeOf, takesAnything } from "../../provider/definition/schema-walk.ts";
import { NO_VALUE_HINT } from "../data/layers.ts";
import { below } from "../language/addresses.ts";
import { fieldsOf, fieldsOfAny, onlyReference, type Field, type Fields } from "../language/fields.ts";
import { formOf, forms, wantedBy, type Wanted } from "../language/forms.ts";
import type { Place } from "../source/file.ts";
import { type MapEntry, respelledNode } from "../source/reader.ts";
import { type EntryReading, type Filled, fillIn, readForm, readLayer } from "./fill.ts";
import { empty, fault, FAULTY, referenceHint, tellMissing, tellTwice, tellUnknown } from "./faults.ts";
import { Deferred, type At, type Tree, type TreeMap, isTreeMap } from "./model.ts";

/** Returns undefined if the text takes a field that says nothing: then nothing is declared. */
export function readValue(reading: EntryReading, node: Node | null, schema: unknown, at: At): Tree | undefined {
  const { reader, spots } = reading;
  const real = reader.follow(node);
  reader.checkDepth(at.input.length, real);
  const here = { ...at, place: reader.place(real, at.place) };
  const input = propertyPath(at.input);
  spots.set(input, { place: here.place, path: at.path });
  if (isMap(real)) return mapValue(reading, real, schema, here);
  if (isSeq(real)) return listValue(reading, real.items as Node[], schema, here);
  const { value, from } = scalarValue(reading, real, wantedBy(schema), here);
  if (from.length > 0) spots.set(input, { place: here.place, path: at.path, from });
  if (value === null && !takesAnything(schema)) return empty(reading.diagnostics, here);
  if (takesAnything(schema)) return asWritten(reading, real, value, here);
  const shape = shapeOf(schema);
  return shape.type === "choice" && value !== undefined
    ? choiceValue(reading, value, shape.options, { ...here, from })
    : value;
}

/** Refuses empty and respelled values in JSON, where no schema tells a text from a number or a gap from null. */
function asWritten(reading: EntryReading, node: Node | null, value: Tree | undefined, at: At): Tree | undefined {
  if (isBlank(node)) return empty(reading.diagnostics, at, isCutOff(at.place) ? COMMENT_HINT : NO_VALUE_HINT);
  const other = respelledNode(node);
  return other ? fault(reading, at, `: ${other.problem}`, other.hint) : value;
}

/** Returns the fields of an object by their names in the manifest. */
export function readFields(reading: EntryReading, entries: readonly MapEntry[], fields: Fields, at: At): TreeMap {
  const { diagnostics } = reading;
  const inputs: TreeMap = {};
  const givenBy = new Map<string, MapEntry>();
  for (const entry of entries) {
    const field = fields.get(entry.key);
    const earlier = field && givenBy.get(field.input);
    if (!field) tellUnknown(diagnostics, entry, fields, at);
    else if (earlier) tellTwice(diagnostics, entry, earlier, at);
    else {
      const value = fieldValue(reading, entry, field, at);
      if (value === undefined) continue;
      givenBy.set(field.input, entry);
      inputs[field.input] = value;
    }
  }
  for (const field of new Set([...fields.values()].map(({ input }) => input)))
    if (!givenBy.has(field) && tellMissing(diagnostics, field, fields, at)) inputs[field] = FAULTY;
  return inputs;
}

function fieldValue(reading: EntryReading, entry: MapEntry, field: Field, at: At): Tree | undefined {
  const inner = {
    input: [...at.input, field.input],
    path: below(at.path, entry.key),
    place: reading.reader.place(entry.value, entry.keyPlace),
  };
  if (!field.reference) return readValue(reading, entry.value, field.schema, inner);
  reading.spots.set(propertyPath(inner.input), { place: inner.place, path: inner.path });
  return referenceValue(reading, entry.value, field, field.reference, inner);
}

function mapValue(reading: EntryReading, map: YAMLMap, schema: unknown, at: At): Tree | undefined {
  const entries = reading.reader.entries(map);
  const shape = shapeOf(schema);
  if (shape.type === "object") return readFields(reading, entries, fieldsOf(shape.object), at);
  // The check of the inputs tells which fields may stand together.
  if (shape.type === "union") return readFields(reading, entries, fieldsOfAny(shape.options), at);
  if (shape.type === "map")
    return (
      readLayer(reading, map, at) ?? formForMap(reading, map, at) ?? keyedValues(reading, entries, shape.value, at)
    );
  const wanted = wantedBy(schema);
  const form = wanted && formOf(namesIn(entries), schema);
  if (form) return readForm(reading, map, form, wanted, at);
  if (isBracedText(map)) return empty(reading.diagnostics, at, BRACES_HINT);
  if (takesAnything(schema)) return keyedValues(reading, entries, schema, at);
  if (shape.type === "list") return fault(reading, at, " takes a list, and this is a map");
  return mistaken(reading, "a map", wanted, at);
}

/** A form is one value. Quotes mark a key that only has the name of a form. */
function formForMap(reading: EntryReading, map: YAMLMap, at: At): Tree | undefined {
  const [pair, ...more] = map.items;
  const { key, value } = pair ?? {};
  if (more.length > 0 || !isScalar<string>(key) || key.type !== "PLAIN" || !isScalar(value)) return undefined;
  const name = key.value;
  if (!Object.hasOwn(forms, name)) return undefined;
  const hint = `Write the keys out, each with its value: key: { ${name}: … }. A key that is called ${name} is put in quotes: "${name}": ….`;
  return fault(reading, at, ` takes a map of keys and values, and { ${name}: } is one value`, hint);
}

function keyedValues(reading: EntryReading, entries: readonly MapEntry[], schema: unknown, at: At): TreeMap {
  const values: TreeMap = {};
  for (const { key, keyPlace, value } of entries) {
    const inner = { input: [...at.input, key], path: below(at.path, key), place: keyPlace };
    const found = readValue(reading, value, schema, inner);
    if (found !== undefined) values[key] = found;
  }
  return values;
}

function listValue(reading: EntryReading, items: readonly Node[], schema: unknown, at: At): Tree {
  const shape = shapeOf(schema);
  if (shape.type === "map") return layered(reading, items, shape.value, at);
  if (shape.type !== "list" && !takesAnything(schema)) return mistaken(reading, "a list", wantedBy(schema), at);
  const element = shape.type === "list" ? shape.element : schema;
  const list: Tree[] = [];
  const vacant: string[] = [];
  for (const [index, item] of items.entries()) {
    const inner = { input: [...at.input, list.length], path: `${at.path}[${index}]`, place: at.place };
    const alone = byKeyAlone(reading, item, element, inner);
    const value = alone ? undefined : readValue(reading, item, element, inner);
    list.push(...(alone ?? (value === undefined ? [] : [value])));
    if (alone?.length === 0) vacant.push(String(reading.reader.follow(item)));
  }
  const isEmptied = list.length === 0 && vacant.length > 0;
  if (!isEmptied || (schema as z.ZodType).safeParse([]).success) return list;
  return fault(reading, at, ` is empty, because there are no rows of ${listed(vacant)}`);
}

/** Joins maps and the forms that stand for maps, in order: a later one wins over an earlier one. */
function layered(reading: EntryReading, items: readonly Node[], schema: unknown, at: At): Tree {
  const { reader } = reading;
  const values: TreeMap = {};
  for (const item of items) {
    const real = reader.follow(item);
    const here = { ...at, place: reader.place(real, at.place) };
    const layer = isMap(real)
      ? (readLayer(reading, real, here, values) ?? keyedValues(reading, reader.entries(real), schema, at))
      : fault(reading, here, " takes a list of maps, { file: … } and { folder: … }");
    if (!isTreeMap(layer)) return FAULTY;
    Object.assign(values, layer);
  }
  return values;
}

function scalarValue(reading: EntryReading, node: Node | null, wanted: Wanted | undefined, at: At): Filled {
  const value = isScalar(node) ? reading.reader.scalar(node, at.path) : null;
  if (typeof value !== "string") return { value, from: [] };
  // A number in quotes is a text; a filled-in text may be a number.
  const target = value.includes("${") ? (wanted ?? "text") : "text";
  return fillIn(reading, value, target, at) ?? { value: FAULTY, from: [] };
}

function choiceValue(reading: EntryReading, value: Tree, options: readonly string[], at: At): Tree {
  if (value instanceof Deferred || value === FAULTY) return value;
  if (typeof value === "string" && options.includes(value)) return value;
  const given = typeof value === "string" ? `"${value}"${didYouMean(value, options)}` : JSON.stringify(value);
  return fault(reading, at, ` can't be ${given}`, `It is one of ${options.join(", ")}.`);
}

function mistaken(reading: EntryReading, what: string, wanted: Wanted | undefined, at: At): Tree {
  const noun = wanted === undefined ? "a map" : wanted === "text" ? "text" : `a ${wanted}`;
  const hint = wanted === undefined ? undefined : "A value can be { file: }, { env: }, { config: } or { ref: }.";
  return fault(reading, at, ` takes ${noun}, and this is ${what}`, hint);
}

const BRACES_HINT =
  'Put a text with braces in quotes: "{brand}". For a variable of the page, write two braces on each side, in quotes too: "{{brand}}".';
const COMMENT_HINT = "A # behind a blank begins a comment. Put the text in quotes.";

/** Tells if the map is `{brand}`, which nobody writes for a map. */
function isBracedText({ items, flow }: YAMLMap): boolean {
  return flow === true && items.length > 0 && items.every(({ value }) => value === null);
}

function isCutOff({ file, start }: Place): boolean {
  return /^[ \t]*#/.test(file.text.slice(start, start + 100));
}

/** Tells if nothing is written there, as behind the colon of a key. */
function isBlank(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null && (node.source ?? "") === "");
}

function namesIn(entries: readonly MapEntry[]): string[] {
  return entries.map(({ key }) => key);
}

/** Reads a reference to another entry: a key, an id or a lookup. */
function referenceValue(
  reading: EntryReading,
  node: Node | null,
  field: Field,
  reference: NonNullable<Field["reference"]>,
  at: At,
): Tree | undefined {
  const { reader, spots, diagnostics } = reading;
  const real = reader.follow(node);
  if (isMap(real)) {
    const entries = reader.entries(real);
    const [entry, ...more] = entries;
    if (more.length === 0 && entry?.key === "id") return namedBy(reading, entry, at);
    if (more.length === 0 && entry?.key === "lookup") return lookupValue(reading, entry, reference.what, at);
    if (!reference.kind && formOf(namesIn(entries), z.string())) return readValue(reading, real, z.string(), at);
    return fault(reading, at, " is not a reference", referenceHint(field));
  }
  const { value: key, from } = scalarValue(reading, real, "text", at);
  if (key === undefined) return undefined;
  if (from.length > 0) spots.set(propertyPath(at.input), { place: at.place, path: at.path, from });
  if (key === null && !isSeq(real)) return empty(diagnostics, at);
  if (key instanceof Deferred) {
    if (reference.kind === undefined) return key;
    const message = " names an entry, so it can't use ${stack} or ${config.x}: Landform does not know them yet";
    return fault(reading, at, message, `Write ${field.name}: { id: … } for an id from there.`);
  }
  if (typeof key !== "string" && typeof key !== "number")
    return fault(reading, at, " is not a reference", referenceHint(field));
  return targetValue(reading, reference.kind ? textOf(real, key) : String(key), field, { ...at, from });
}

function namedBy(reading: EntryReading, entry: MapEntry, at: At): Tree {
  const inner = { ...at, path: `${at.path}.${entry.key}`, place: entry.keyPlace };
  return readValue(reading, entry.value, z.string().min(1), inner) ?? empty(reading.diagnostics, inner);
}

function lookupValue(reading: EntryReading, { value: map }: MapEntry, what: string, at: At): Tree {
  const [name, ...more] = isMap(map) ? reading.reader.entries(map) : [];
  if (name?.key !== "name" || more.length > 0)
    return fault(reading, at, ": a lookup takes a name and nothing else", "Write { lookup: { name: … } }.");
  const value = namedBy(reading, name, { ...at, path: `${at.path}.lookup` });
  if (value instanceof Deferred && value.origin.from === "resource")
    return fault(reading, at, ": a lookup is made before there are any resources", "Refer to the resource itself.");
  if (!(value instanceof Deferred) && (typeof value !== "string" || value === ""))
    return fault(reading, at, ": a lookup takes the name as text", "Put it in quotes.");
  return value === FAULTY ? FAULTY : new Deferred({ from: "lookup", what, name: value }, "text", at.place, at.path);
}

/**
 * Reads an item that is only a reference and may be written as its key: `pages: [offer, thanks]`. The key of an entry with `each` means all its rows.
 */
function byKeyAlone(reading: EntryReading, item: Node, element: unknown, at: At): Tree[] | undefined {
  const { reader, resolver, spots } = reading;
  const real = reader.follow(item);
  const spellings = onlyReference(element);
  const [first] = spellings;
  if (first === undefined || !isScalar(real)) return undefined;
  const place = reader.place(real, at.place);
  const { value } = scalarValue(reading, real, "text", { ...at, place });
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const key = textOf(real, value);
  const declares = ({ reference }: Field): boolean =>
    reference?.kind !== undefined && resolver.declares(reference.kind, key);
  const field = spellings.find(declares) ?? first;
  const names = resolver.all(field.reference?.kind, key) ?? [key];
  return names.map((name, index) => {
    const here = [...at.input.slice(0, -1), Number(at.input.at(-1)) + index];
    const input = [...here, field.input];
    for (const path of [here, input]) spots.set(propertyPath(path), { place, path: at.path });
    return { [field.input]: targetValue(reading, name, field, { input, path: at.path, place }) };
  });
}

function targetValue({ resolver }: EntryReading, name: string, { reference }: Field, at: At): Tree {
  if (reference?.kind === undefined) return name;
  return resolver.reference(reference.kind, name, at) ?? FAULTY;
}

/** Returns a key as it is written: the key 007 is not 7. */
function textOf(node: Node | null, value: string | number): string {
  return isScalar(node) && typeof value === "number" ? (node.source ?? String(value)) : String(value);
}
