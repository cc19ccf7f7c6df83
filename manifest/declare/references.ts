/** References to other entries: a key, an id or a lookup, alone or as items of a list. */
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { z } from "zod";
import { propertyPath } from "../../provider/values/paths.ts";
import { type Field, onlyReference } from "../language/fields.ts";
import { formOf } from "../language/forms.ts";
import type { MapEntry } from "../source/reader.ts";
import { empty, fault, FAULTY, referenceHint } from "./faults.ts";
import type { Filled } from "./fill.ts";
import { type At, Deferred, type Spot, type Tree, type Reading } from "./model.ts";
import type { Resolver } from "./resolver.ts";

/** The reader of values that aren't references (translate.ts). */
interface Values {
  value(node: Node | null, schema: unknown, at: At): Tree | undefined;
  text(node: Node | null, at: At): Filled;
}

export class ReferenceReader {
  readonly #in: Reading;
  readonly #resolver: Resolver;
  readonly #spots: Map<string, Spot>;
  readonly #values: Values;

  constructor(reading: Reading, resolver: Resolver, spots: Map<string, Spot>, values: Values) {
    this.#in = reading;
    this.#resolver = resolver;
    this.#spots = spots;
    this.#values = values;
  }

  read(node: Node | null, field: Field, at: At): Tree | undefined {
    const real = this.#in.reader.follow(node);
    const { reference } = field;
    if (!reference) return FAULTY;
    if (isMap(real)) {
      const entries = this.#in.reader.entries(real);
      const [entry, ...more] = entries;
      if (more.length === 0 && entry?.key === "id") return this.#nested(entry, at);
      if (more.length === 0 && entry?.key === "lookup") return this.#lookup(entry, reference.what, at);
      if (!reference.kind && formOf([...entries.map(({ key }) => key)], z.string())) {
        return this.#values.value(real, z.string(), at);
      }
      return fault(this.#in, at, " is not a reference", referenceHint(field));
    }
    const { value: key, from } = this.#values.text(real, at);
    if (key === undefined) return undefined;
    if (from.length > 0) this.#spots.set(propertyPath(at.input), { place: at.place, path: at.path, from });
    if (key === null && !isSeq(real)) return empty(this.#in.diagnostics, at);
    if (key instanceof Deferred) return this.#later(key, field, at);
    if (typeof key !== "string" && typeof key !== "number") {
      return fault(this.#in, at, " is not a reference", referenceHint(field));
    }
    return this.#named(reference.kind ? textOf(real, key) : String(key), field, { ...at, from });
  }

  /** The keys of a manifest must be known before it runs. */
  #later(value: Deferred, { reference, name }: Field, at: At): Tree {
    if (reference?.kind === undefined) return value;
    const hint = `Write ${name}: { id: … } for an id from there.`;
    return fault(
      this.#in,
      at,
      " names an entry, so it can't use ${stack} or ${config.x}: Landform does not know them yet",
      hint,
    );
  }

  #nested(entry: MapEntry, at: At): Tree {
    const inner = { ...at, path: `${at.path}.${entry.key}`, place: entry.keyPlace };
    return this.#values.value(entry.value, z.string().min(1), inner) ?? empty(this.#in.diagnostics, inner);
  }

  #lookup(entry: MapEntry, what: string, at: At): Tree {
    const names = isMap(entry.value) ? this.#in.reader.entries(entry.value) : [];
    const [name, ...more] = names;
    if (name?.key !== "name" || more.length > 0) {
      return fault(this.#in, at, ": a lookup takes a name and nothing else", "Write { lookup: { name: … } }.");
    }
    const value = this.#nested(name, { ...at, path: `${at.path}.lookup` });
    if (value instanceof Deferred && value.origin.from === "resource") {
      return fault(this.#in, at, ": a lookup is made before there are any resources", "Refer to the resource itself.");
    }
    if (!(value instanceof Deferred) && (typeof value !== "string" || value === "")) {
      return fault(this.#in, at, ": a lookup takes the name as text", "Put it in quotes.");
    }
    return value === FAULTY ? FAULTY : new Deferred({ from: "lookup", what, name: value }, "text", at.place, at.path);
  }

  /**
   * Reads an item that is only a reference and may be written as its key: `pages: [offer, thanks]`. The key of an entry with `each` means all its rows.
   */
  byKeyAlone(item: Node, element: unknown, at: At): Tree[] | undefined {
    const real = this.#in.reader.follow(item);
    const spellings = onlyReference(element);
    const [first] = spellings;
    if (first === undefined || !isScalar(real)) return undefined;
    const place = this.#in.reader.place(real, at.place);
    const { value: key } = this.#values.text(real, { ...at, place });
    if (typeof key !== "string" && typeof key !== "number") return undefined;
    const field = spellings.find(({ reference }) => this.#declares(reference, textOf(real, key))) ?? first;
    const names = this.#resolver.all(field.reference?.kind, textOf(real, key)) ?? [textOf(real, key)];
    return names.map((name, index) => {
      const here = [...at.input.slice(0, -1), Number(at.input.at(-1)) + index];
      const input = [...here, field.input];
      for (const path of [here, input]) this.#spots.set(propertyPath(path), { place, path: at.path });
      return { [field.input]: this.#named(name, field, { input, path: at.path, place }) };
    });
  }

  #named(name: string, { reference }: Field, at: At): Tree {
    if (reference?.kind === undefined) return name;
    return this.#resolver.reference(reference.kind, name, at) ?? FAULTY;
  }

  #declares(reference: Field["reference"], key: string): boolean {
    return reference?.kind !== undefined && this.#resolver.declares(reference.kind, key);
  }
}

/** Returns a key as it is written: the key 007 is not 7. */
function textOf(node: Node | null, value: string | number): string {
  return isScalar(node) && typeof value === "number" ? (node.source ?? String(value)) : String(value);
}
