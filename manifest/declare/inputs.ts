/**
 * Turns a node of the YAML into the value of an input. Fields in the words of the manifest become inputs; references and forms become deferred
 * values. The schema reports faults of the value itself later. This module reports the faults that only the manifest knows: references, files, empty
 * values, and properties by their names here.
 */
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import type { z } from "zod";
import { didYouMean } from "../../provider/values/nearest.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { listed } from "../../provider/values/wording.ts";
import { shapeOf, takesAnything } from "../../provider/definition/schema-walk.ts";
import { dataOf } from "../data/json.ts";
import { isSendable, NO_VALUE_HINT } from "../data/layers.ts";
import { jsonOf } from "../data/value.ts";
import { below } from "../language/addresses.ts";
import { fieldsOf, fieldsOfAny, type Field, type Fields } from "../language/fields.ts";
import { formOf, forms, wantedBy, type FormName, type Wanted } from "../language/forms.ts";
import type { Place } from "../source/file.ts";
import { type MapEntry, respelledNode } from "../source/reader.ts";
import { ContentLayers, type Filled, Filler, readForm } from "./fill.ts";
import { empty, fault, FAULTY, tellMissing, tellTwice, tellUnknown } from "./faults.ts";
import {
  Deferred,
  type At,
  type Localized,
  type Origin,
  type Spot,
  type Tree,
  type TreeMap,
  type Reading,
  isTreeMap,
} from "./model.ts";
import { ReferenceReader } from "./references.ts";
import type { Resolver } from "./resolver.ts";
import type { Row } from "./rows.ts";

export class Translator {
  readonly spots = new Map<string, Spot>();
  readonly #in: Reading;
  readonly #resolver: Resolver;
  readonly #filler: Filler;
  readonly #layers: ContentLayers;
  readonly #references: ReferenceReader;

  constructor(reading: Reading, resolver: Resolver, row: Row | undefined, sourceLocale?: string) {
    this.#in = reading;
    this.#resolver = resolver;
    this.#filler = new Filler(row, reading.diagnostics);
    this.#references = new ReferenceReader(reading, resolver, this.spots, {
      value: (node, schema, at) => this.value(node, schema, at),
      text: (node, at) => this.#scalar(node, "text", at),
    });
    this.#layers = new ContentLayers(reading, this.#filler, this.spots, sourceLocale);
  }

  get localized(): readonly Localized[] {
    return this.#layers.localized;
  }

  /** Returns undefined if the text takes a field that says nothing: then nothing is declared. */
  value(node: Node | null, schema: unknown, at: At): Tree | undefined {
    const real = this.#in.reader.follow(node);
    this.#in.reader.checkDepth(at.input.length, real);
    const here = { ...at, place: this.#in.reader.place(real, at.place) };
    const input = propertyPath(at.input);
    this.spots.set(input, { place: here.place, path: at.path });
    if (isMap(real)) return this.#map(real, schema, here);
    if (isSeq(real)) return this.#list(real.items as Node[], schema, here);
    const { value, from } = this.#scalar(real, wantedBy(schema), here);
    if (from.length > 0) this.spots.set(input, { place: here.place, path: at.path, from });
    if (value === null && !takesAnything(schema)) return empty(this.#in.diagnostics, here);
    if (takesAnything(schema)) return this.#asWritten(real, value, here);
    const shape = shapeOf(schema);
    return shape.type === "choice" && value !== undefined
      ? this.#choice(value, shape.options, { ...here, from })
      : value;
  }

  /** Refuses empty and respelled values in JSON, where no schema tells a text from a number or a gap from null. */
  #asWritten(node: Node | null, value: Tree | undefined, at: At): Tree | undefined {
    if (isBlank(node)) return empty(this.#in.diagnostics, at, isCutOff(at.place) ? COMMENT_HINT : NO_VALUE_HINT);
    const other = respelledNode(node);
    return other ? fault(this.#in, at, `: ${other.problem}`, other.hint) : value;
  }

  /** Returns the fields of an object by their names in the manifest. */
  fields(entries: readonly MapEntry[], fields: Fields, at: At): TreeMap {
    const inputs: TreeMap = {};
    const givenBy = new Map<string, MapEntry>();
    for (const entry of entries) {
      const field = fields.get(entry.key);
      if (!field) tellUnknown(this.#in.diagnostics, entry, fields, at);
      else if (givenBy.has(field.input))
        tellTwice(this.#in.diagnostics, entry, givenBy.get(field.input) as MapEntry, at);
      else {
        const value = this.#field(entry, field, at);
        if (value === undefined) continue;
        givenBy.set(field.input, entry);
        inputs[field.input] = value;
      }
    }
    for (const field of new Set([...fields.values()].map(({ input }) => input)))
      if (!givenBy.has(field) && tellMissing(this.#in.diagnostics, field, fields, at)) inputs[field] = FAULTY;
    return inputs;
  }

  #field(entry: MapEntry, field: Field, at: At): Tree | undefined {
    const inner = {
      input: [...at.input, field.input],
      path: below(at.path, entry.key),
      place: this.#in.reader.place(entry.value, entry.keyPlace),
    };
    if (!field.reference) return this.value(entry.value, field.schema, inner);
    this.spots.set(propertyPath(inner.input), { place: inner.place, path: inner.path });
    return this.#references.read(entry.value, field, inner);
  }

  #map(map: YAMLMap, schema: unknown, at: At): Tree | undefined {
    const entries = this.#in.reader.entries(map);
    const keys = entries.map(({ key }) => key);
    const shape = shapeOf(schema);
    if (shape.type === "object") return this.fields(entries, fieldsOf(shape.object), at);
    // The check of the inputs tells which fields may stand together.
    if (shape.type === "union") return this.fields(entries, fieldsOfAny(shape.options), at);
    if (shape.type === "map")
      return this.#layers.read(map, at) ?? this.#formForMap(map, at) ?? this.#entriesOf(entries, shape.value, at);
    const wanted = wantedBy(schema);
    const form = wanted && formOf(keys, schema);
    if (form) return this.#form(map, form, wanted, at);
    if (isBracedText(map)) return empty(this.#in.diagnostics, at, BRACES_HINT);
    if (takesAnything(schema)) return this.#entriesOf(entries, schema, at);
    if (shape.type === "list") return fault(this.#in, at, " takes a list, and this is a map");
    return this.#mistaken("a map", wanted, at);
  }

  /** A form is one value. Quotes mark a key that only has the name of a form. */
  #formForMap(map: YAMLMap, at: At): Tree | undefined {
    const [pair, ...more] = map.items;
    const { key, value } = pair ?? {};
    if (more.length > 0 || !isScalar<string>(key) || key.type !== "PLAIN" || !isScalar(value)) return undefined;
    const name = key.value;
    if (!Object.hasOwn(forms, name)) return undefined;
    return fault(
      this.#in,
      at,
      ` takes a map of keys and values, and { ${name}: } is one value`,
      `Write the keys out, each with its value: key: { ${name}: … }. A key that is called ${name} is put in quotes: "${name}": ….`,
    );
  }

  #entriesOf(entries: readonly MapEntry[], schema: unknown, at: At): TreeMap {
    const values: TreeMap = {};
    for (const { key, keyPlace, value } of entries) {
      const inner = { input: [...at.input, key], path: below(at.path, key), place: keyPlace };
      const found = this.value(value, schema, inner);
      if (found !== undefined) values[key] = found;
    }
    return values;
  }

  #list(items: readonly Node[], schema: unknown, at: At): Tree {
    const shape = shapeOf(schema);
    if (shape.type === "map") return this.#inOrder(items, shape.value, at);
    if (shape.type !== "list" && !takesAnything(schema)) return this.#mistaken("a list", wantedBy(schema), at);
    const element = shape.type === "list" ? shape.element : schema;
    const list: Tree[] = [];
    const vacant: string[] = [];
    for (const [index, item] of items.entries()) {
      const inner = { input: [...at.input, list.length], path: `${at.path}[${index}]`, place: at.place };
      const alone = this.#references.byKeyAlone(item, element, inner);
      const value = alone ? undefined : this.value(item, element, inner);
      list.push(...(alone ?? (value === undefined ? [] : [value])));
      if (alone?.length === 0) vacant.push(String(this.#in.reader.follow(item)));
    }
    const isEmptied = list.length === 0 && vacant.length > 0;
    if (!isEmptied || (schema as z.ZodType).safeParse([]).success) return list;
    return fault(this.#in, at, ` is empty, because there are no rows of ${listed(vacant)}`);
  }

  /** Joins maps and the forms that stand for maps, in order: a later one wins over an earlier one. */
  #inOrder(items: readonly Node[], schema: unknown, at: At): Tree {
    const values: TreeMap = {};
    for (const item of items) {
      const real = this.#in.reader.follow(item);
      const place = this.#in.reader.place(real, at.place);
      const layer = isMap(real)
        ? (this.#layers.read(real, { ...at, place }, values) ??
          this.#entriesOf(this.#in.reader.entries(real), schema, at))
        : fault(this.#in, { ...at, place }, " takes a list of maps, { file: … } and { folder: … }");
      if (!isTreeMap(layer)) return FAULTY;
      Object.assign(values, layer);
    }
    return values;
  }

  #scalar(node: Node | null, wanted: Wanted | undefined, at: At): Filled {
    const value = isScalar(node) ? this.#in.reader.scalar(node, at.path) : null;
    if (typeof value !== "string") return { value, from: [] };
    // A number in quotes is a text; a filled-in text may be a number.
    const target = value.includes("${") ? (wanted ?? "text") : "text";
    return this.#filler.text(value, target, at) ?? { value: FAULTY, from: [] };
  }

  #choice(value: Tree, options: readonly string[], at: At): Tree {
    if (value instanceof Deferred || value === FAULTY) return value;
    if (typeof value === "string" && options.includes(value)) return value;
    const given = typeof value === "string" ? `"${value}"` : JSON.stringify(value);
    const suggestion = typeof value === "string" ? didYouMean(value, options) : "";
    this.#in.diagnostics.error("invalid-value", at.place, `${at.path} can't be ${given}${suggestion}`, {
      path: at.path,
      hint: `It is one of ${options.join(", ")}.`,
      from: at.from,
    });
    return FAULTY;
  }

  #form(map: YAMLMap, name: FormName, wanted: Wanted, at: At): Tree {
    if (name === "literal") return this.#literal(map, at);
    const standIn = this.#in.reader.entries(map).find(({ key }) => key === "default");
    const other = wanted === "text" || wanted === "json" ? respelledNode(standIn?.value ?? null) : undefined;
    if (other) return fault(this.#in, at, `: ${other.problem}`, other.hint);
    const form = readForm(this.#in, this.#filler, map, forms[name], name, at, literalHint(wanted));
    if (!form) return FAULTY;
    if ("file" in form) return this.#text(form.file, wanted, at);
    if ("ref" in form) return this.#resolver.output(form.ref, wanted, at) ?? FAULTY;
    const origin: Origin =
      "env" in form
        ? { from: "env", name: form.env, fallback: form.default, secret: form.secret ?? false }
        : {
            from: "config",
            key: (form as { config: string }).config,
            fallback: (form as { default?: string }).default,
          };
    return new Deferred(origin, wanted, at.place, at.path);
  }

  #literal(map: YAMLMap, at: At): Tree {
    const [entry] = this.#in.reader.entries(map);
    const data = dataOf(this.#in.reader, entry?.value ?? null);
    return isSendable(data, entry?.keyPlace ?? at.place, at.path, this.#in.diagnostics) ? jsonOf(data) : FAULTY;
  }

  #text(name: string, wanted: Wanted, at: At): Tree {
    const file = this.#in.data.text(name, { from: at.place.file.path, place: at.place, path: at.path });
    if (!file) return FAULTY;
    const place = { file, start: 0, end: file.text.length };
    this.spots.set(propertyPath(at.input), { place, path: at.path, by: at.place, isAlone: true });
    return this.#resolver.coerced(file.text, wanted, at, `the text of ${name}`) ?? FAULTY;
  }

  #mistaken(what: string, wanted: Wanted | undefined, at: At): Tree {
    const noun = wanted === undefined ? "a map" : wanted === "text" ? "text" : `a ${wanted}`;
    const hint = wanted === undefined ? undefined : "A value can be { file: }, { env: }, { config: } or { ref: }.";
    return fault(this.#in, at, ` takes ${noun}, and this is ${what}`, hint);
  }
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

function literalHint(wanted: Wanted): string | undefined {
  return wanted === "json" ? "If you mean JSON that only looks like this form, write { literal: … }." : undefined;
}
