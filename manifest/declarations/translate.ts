/**
 * From a node of the YAML to the value of an input: fields in the words of the manifest become inputs, references and
 * forms become deferred values. Faults of the value itself are left to the schema, which sees it afterwards; what only
 * the manifest can tell (references, files, empty values, properties by their names here) is told at once.
 */
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { z } from "zod";
import { didYouMean } from "../../provider/lifecycle/nearest.ts";
import { propertyPath } from "../../provider/paths.ts";
import { inputWording } from "../../provider/wording.ts";
import { UNKNOWN } from "../../provider/lifecycle/unknown.ts";
import { below } from "../language/addresses.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { isOptional, shapeOf, takesAnything } from "../../provider/schema-walk.ts";
import { alternative, fieldsOf, manifestName, onlyReference, type Field, type Fields } from "../language/fields.ts";
import { formOf, forms, unescaped, wantedBy, type FormName, type Wanted } from "../language/forms.ts";
import { Deferred, type At, type Origin, type Spot, type Tree, type TreeMap } from "./model.ts";
import type { Resolver } from "./resolver.ts";
import type { Folder } from "../source/folder.ts";
import type { MapEntry, Reader } from "../source/reader.ts";

/** Stands for a value whose fault is told already: the schema takes it for one that is not known yet. */
const FAULTY: Tree = UNKNOWN;

export class Translator {
  readonly spots = new Map<string, Spot>();
  readonly #reader: Reader;
  readonly #folder: Folder;
  readonly #diagnostics: Diagnostics;
  readonly #resolver: Resolver;

  constructor(reader: Reader, folder: Folder, diagnostics: Diagnostics, resolver: Resolver) {
    this.#reader = reader;
    this.#folder = folder;
    this.#diagnostics = diagnostics;
    this.#resolver = resolver;
  }

  value(node: Node | null, schema: unknown, at: At): Tree {
    const real = this.#reader.follow(node);
    this.#reader.checkDepth(at.input.length, real);
    const here = { ...at, place: this.#reader.place(real, at.place) };
    this.spots.set(propertyPath(at.input), { place: here.place, path: at.path });
    if (isMap(real)) return this.#map(real, schema, here);
    if (isSeq(real)) return this.#list(real.items as Node[], schema, here);
    const scalar = this.#scalar(real, here);
    if (scalar === null && !takesAnything(schema)) return this.#empty(here);
    const shape = shapeOf(schema);
    return shape.type === "choice" ? this.#choice(scalar, shape.options, here) : scalar;
  }

  /** The fields of an object, by their names in the manifest. */
  fields(entries: readonly MapEntry[], fields: Fields, at: At): TreeMap {
    const inputs: TreeMap = {};
    const givenBy = new Map<string, MapEntry>();
    for (const entry of entries) {
      const field = fields.get(entry.key);
      if (!field) this.#unknownField(entry, fields, at);
      else if (givenBy.has(field.input)) this.#twice(entry, givenBy.get(field.input) as MapEntry, at);
      else {
        givenBy.set(field.input, entry);
        inputs[field.input] = this.#field(entry, field, at);
      }
    }
    for (const field of new Set([...fields.values()].map(({ input }) => input)))
      if (!givenBy.has(field)) this.#missing(field, fields, inputs, at);
    return inputs;
  }

  #field(entry: MapEntry, field: Field, at: At): Tree {
    const inner = {
      input: [...at.input, field.input],
      path: below(at.path, entry.key),
      place: this.#reader.place(entry.value, entry.keyPlace),
    };
    if (!field.reference) return this.value(entry.value, field.schema, inner);
    this.spots.set(propertyPath(inner.input), { place: inner.place, path: inner.path });
    return this.#reference(entry.value, field, inner);
  }

  #map(map: YAMLMap, schema: unknown, at: At): Tree {
    const entries = this.#reader.entries(map);
    const keys = entries.map(({ key }) => key);
    const shape = shapeOf(schema);
    if (shape.type === "object") return this.fields(entries, fieldsOf(shape.object), at);
    if (shape.type === "union") return this.#map(map, alternative(shape.options, keys), at);
    if (shape.type === "map") return this.#formForMap(map, at) ?? this.#entriesOf(entries, shape.value, at);
    const wanted = wantedBy(schema);
    const form = wanted && formOf(keys, schema);
    if (form) return this.#form(map, form, wanted, at);
    if (takesAnything(schema)) return this.#entriesOf(entries, schema, at);
    return this.#mistaken("a map", wanted, at);
  }

  /** A form stands for one value; a key that is really called so is told by its quotes. */
  #formForMap(map: YAMLMap, at: At): Tree | undefined {
    const [pair, ...more] = map.items;
    const { key, value } = pair ?? {};
    if (more.length > 0 || !isScalar<string>(key) || key.type !== "PLAIN" || !isScalar(value)) return undefined;
    const name = key.value;
    if (!Object.hasOwn(forms, name)) return undefined;
    return this.#fault(
      `${at.path} takes a map of keys and values, and { ${name}: } stands for one value`,
      at,
      `Write the keys out, each with its value: key: { ${name}: … }. A key that is called ${name} is put in quotes: "${name}": ….`,
    );
  }

  #entriesOf(entries: readonly MapEntry[], schema: unknown, at: At): Tree {
    const values: TreeMap = {};
    for (const { key, keyPlace, value } of entries) {
      const inner = { input: [...at.input, key], path: below(at.path, key), place: keyPlace };
      values[key] = this.value(value, schema, inner);
    }
    return values;
  }

  #list(items: readonly Node[], schema: unknown, at: At): Tree {
    const shape = shapeOf(schema);
    if (shape.type !== "list" && !takesAnything(schema)) return this.#mistaken("a list", wantedBy(schema), at);
    const element = shape.type === "list" ? shape.element : schema;
    return items.map((item, index) => {
      const inner = { input: [...at.input, index], path: `${at.path}[${index}]`, place: at.place };
      return this.#byKeyAlone(item, element, inner) ?? this.value(item, element, inner);
    });
  }

  /** An item that is nothing but a reference may be written as its key: `pages: [offer, thanks]`. */
  #byKeyAlone(item: Node, element: unknown, at: At): Tree | undefined {
    const real = this.#reader.follow(item);
    const spellings = onlyReference(element);
    const [first] = spellings;
    if (first === undefined || !isScalar(real)) return undefined;
    const place = this.#reader.place(real, at.place);
    const key = this.#scalar(real, { ...at, place });
    if (typeof key !== "string" && typeof key !== "number") return undefined;
    const field = spellings.find(({ reference }) => this.#declares(reference, textOf(real, key))) ?? first;
    const input = [...at.input, field.input];
    for (const path of [at.input, input]) this.spots.set(propertyPath(path), { place, path: at.path });
    return { [field.input]: this.#reference(real, field, { input, path: at.path, place }) };
  }

  #declares(reference: Field["reference"], key: string): boolean {
    return reference?.kind !== undefined && this.#resolver.declares(reference.kind, key);
  }

  #scalar(node: Node | null, at: At): Tree {
    const value = isScalar(node) ? this.#reader.scalar(node, at.path) : null;
    if (typeof value !== "string") return value;
    return (
      unescaped(value) ??
      this.#fault(`${at.path} has an expression \${…}, and nothing fills it in`, at, EXPRESSION_HINT)
    );
  }

  #choice(value: Tree, options: readonly string[], at: At): Tree {
    if (typeof value === "string" && options.includes(value)) return value;
    const given = typeof value === "string" ? `"${value}"` : JSON.stringify(value);
    const suggestion = typeof value === "string" ? didYouMean(value, options) : "";
    this.#diagnostics.error("invalid-value", at.place, `${at.path} can't be ${given}${suggestion}`, {
      path: at.path,
      hint: `It is one of ${options.join(", ")}.`,
    });
    return FAULTY;
  }

  #form(map: YAMLMap, name: FormName, wanted: Wanted, at: At): Tree {
    if (name === "literal") return this.#literal(map, at);
    const found = forms[name].safeParse(this.#reader.json(map, at.path), { error: inputWording });
    if (!found.success) {
      const reasons = found.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ");
      return this.#fault(`${at.path}: { ${name}: } is not complete: ${reasons}`, at, literalHint(wanted));
    }
    const form = found.data;
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
    const [entry] = this.#reader.entries(map);
    return this.#reader.json(entry?.value ?? null, at.path);
  }

  #text(name: string, wanted: Wanted, at: At): Tree {
    const result = this.#folder.read(this.#reader.parsed.file.path, name);
    if ("text" in result) return this.#resolver.coerced(result.text, wanted, at, `the text of ${name}`) ?? FAULTY;
    this.#diagnostics.error(result.code, at.place, `${at.path}: ${result.problem}`, {
      path: at.path,
      hint: result.hint || undefined,
    });
    return FAULTY;
  }

  #reference(node: Node | null, field: Field, at: At): Tree {
    const real = this.#reader.follow(node);
    const { reference } = field;
    if (!reference) return FAULTY;
    if (isMap(real)) {
      const entries = this.#reader.entries(real);
      const [entry, ...more] = entries;
      if (more.length === 0 && entry?.key === "id") return this.#nested(entry, at);
      if (more.length === 0 && entry?.key === "lookup") return this.#lookup(entry, reference.what, at);
      if (!reference.kind && formOf([...entries.map(({ key }) => key)], z.string())) {
        return this.value(real, z.string(), at);
      }
      return this.#fault(`${at.path} is not a reference`, at, referenceHint(field));
    }
    const key = this.#scalar(real, at);
    if (key === null && !isSeq(real)) return this.#empty(at);
    if (typeof key !== "string" && typeof key !== "number") {
      return this.#fault(`${at.path} is not a reference`, at, referenceHint(field));
    }
    if (!reference.kind) return String(key);
    return this.#resolver.reference(reference.kind, textOf(real, key), at) ?? FAULTY;
  }

  #nested(entry: MapEntry, at: At): Tree {
    const inner = { ...at, path: `${at.path}.${entry.key}`, place: entry.keyPlace };
    return this.value(entry.value, z.string().min(1), inner);
  }

  #lookup(entry: MapEntry, what: string, at: At): Tree {
    const names = isMap(entry.value) ? this.#reader.entries(entry.value) : [];
    const [name, ...more] = names;
    if (name?.key !== "name" || more.length > 0) {
      return this.#fault(`${at.path}: a lookup takes a name and nothing else`, at, "Write { lookup: { name: … } }.");
    }
    const value = this.#nested(name, { ...at, path: `${at.path}.lookup` });
    if (value instanceof Deferred && value.origin.from === "resource") {
      return this.#fault(
        `${at.path}: a lookup is made before there are any resources`,
        at,
        "Refer to the resource itself.",
      );
    }
    if (!(value instanceof Deferred) && (typeof value !== "string" || value === "")) {
      return this.#fault(`${at.path}: a lookup takes the name as text`, at, "Put it in quotes.");
    }
    return value === FAULTY ? FAULTY : new Deferred({ from: "lookup", what, name: value }, "text", at.place, at.path);
  }

  #unknownField({ key, keyPlace }: MapEntry, fields: Fields, at: At): void {
    const names = [...fields.keys()];
    const path = below(at.path, key);
    const meant = [...fields.values()].find(({ input, name }) => input === key && name !== key);
    const suggestion = meant ? `; here it is "${meant.name}"` : didYouMean(key, names);
    this.#diagnostics.error("unknown-property", keyPlace, `${at.path} has no property "${key}"${suggestion}`, {
      path,
      hint: meant ? referenceHint(meant) : `Known are ${names.join(", ")}.`,
    });
  }

  #twice(entry: MapEntry, first: MapEntry, at: At): void {
    const message = `${at.path} has "${first.key}" already, so it can't have "${entry.key}"`;
    this.#diagnostics.error("invalid-value", entry.keyPlace, message, { path: at.path });
  }

  #missing(input: string, fields: Fields, inputs: TreeMap, at: At): void {
    const field = [...fields.values()].find((candidate) => candidate.input === input);
    if (!field || isOptional(field.schema)) return;
    const name = manifestName(input);
    inputs[input] = FAULTY;
    this.#diagnostics.error("missing-property", at.place, `${at.path} has no "${name}"`, {
      path: at.path,
      hint: field.schema.description === undefined ? undefined : `${name}: ${field.schema.description}`,
    });
  }

  #empty(at: At): Tree {
    this.#diagnostics.error("empty-value", at.place, `${at.path} has no value`, {
      path: at.path,
      hint: "Give it one, or remove the line.",
    });
    return FAULTY;
  }

  #mistaken(what: string, wanted: Wanted | undefined, at: At): Tree {
    const noun = wanted === undefined ? "a map" : wanted === "text" ? "text" : `a ${wanted}`;
    const hint = wanted === undefined ? undefined : "A value can be { file: }, { env: }, { config: } or { ref: }.";
    return this.#fault(`${at.path} takes ${noun}, and this is ${what}`, at, hint);
  }

  #fault(message: string, at: At, hint: string | undefined): Tree {
    this.#diagnostics.error("invalid-value", at.place, message, { path: at.path, hint });
    return FAULTY;
  }
}

/** A key as it is written: the key 007 is not 7. */
function textOf(node: Node | null, value: string | number): string {
  return isScalar(node) && typeof value === "number" ? (node.source ?? String(value)) : String(value);
}

function referenceHint({ name, reference }: Field): string {
  const direct = reference?.kind ? `the key of a ${reference.kind}` : "an id";
  return `${name} takes ${direct}, { id: … } or { lookup: { name: … } }.`;
}

const EXPRESSION_HINT =
  "Write { config: } or { env: } for a value from outside, {{name}} for one of the page's variables, or $${ for the characters themselves.";

function literalHint(wanted: Wanted): string | undefined {
  return wanted === "json" ? "JSON that only looks like it is written { literal: … }." : undefined;
}
