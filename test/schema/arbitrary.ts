/** Values that a schema of schema/api.yaml accepts, and values that it refuses. */
import * as fc from "fast-check";
import type { Schema } from "./openapi.ts";
import { violations } from "./validator.ts";

/** Values that exist on the server, by the name of the field or parameter that can carry them. */
export type Pool = Readonly<Record<string, readonly string[]>>;

const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 10 }).filter((value) => value.isWellFormed()),
  fc.constantFrom("", "{{name}}", "__proto__", "null", "../x", "<b>", "0"),
);

const anything = fc.jsonValue({ maxDepth: 2 });

/** Makes a value which the schema accepts. `name` is its field or parameter. */
export function accepted(schema: Schema, pool: Pool, name = ""): fc.Arbitrary<unknown> {
  const known = pool[name];
  const plain = unaided(schema, pool);
  return known?.length && schema.type === "string"
    ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, plain)
    : plain;
}

function unaided(schema: Schema, pool: Pool): fc.Arbitrary<unknown> {
  if (schema.allOf) return allOf(schema.allOf, pool);
  if (schema.oneOf) return oneOf(schema.oneOf, pool);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case undefined:
      return anything;
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case "number":
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "string":
      return string(schema);
    case "array":
      return fc.array(accepted(schema.items ?? {}, pool), { maxLength: 3 });
    case "object":
      return object(schema, pool);
  }
}

function string(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === "uri") return fc.oneof(fc.webUrl(), fc.webUrl({ validSchemes: ["https"] }));
  const shortest = schema.minLength ?? 0;
  return shortest === 0 ? text : fc.string({ minLength: shortest, maxLength: shortest + 20 });
}

/** A JSON string holds a value of the other alternatives. */
function oneOf(alternatives: Schema[], pool: Pool): fc.Arbitrary<unknown> {
  const [encoded, plain] = [
    alternatives.filter((one) => one["x-json"] !== undefined),
    alternatives.filter((one) => one["x-json"] === undefined),
  ];
  const values = fc.oneof(...plain.map((one) => accepted(one, pool)));
  return encoded.length === 0
    ? values
    : fc.oneof(
        values,
        values.map((value) => JSON.stringify(value)),
        text,
      );
}

function allOf(parts: Schema[], pool: Pool): fc.Arbitrary<unknown> {
  const merged = fc.tuple(...parts.map((part) => accepted(part, pool)));
  return merged
    .map((values) => Object.assign({}, ...values) as unknown)
    .filter((value) => parts.every((part) => violations(part, value).length === 0));
}

function object(schema: Schema, pool: Pool): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  const fields = Object.fromEntries(properties.map(([name, property]) => [name, accepted(property, pool, name)]));
  const alternatives = schema.anyOf?.flatMap((one) => (one.required ? [one.required] : [])) ?? [[]];
  const records = alternatives.map((names) => {
    const requiredKeys = [...(schema.required ?? []), ...names];
    const missing = requiredKeys.filter((name) => !(name in fields)).map((name) => [name, anything] as const);
    return fc.record({ ...fields, ...Object.fromEntries(missing) }, { requiredKeys });
  });
  const free = properties.length === 0 ? [fc.dictionary(text, anything, { maxKeys: 3 })] : [];
  return fc.oneof(...free, ...records);
}

/** Makes a value which the schema refuses: an accepted one with a field left out or of another type, or no object at all. */
export function rejected(schema: Schema, pool: Pool): fc.Arbitrary<unknown> {
  const mutated = fc
    .tuple(accepted(schema, pool), fc.nat(), fc.option(anything, { nil: undefined }))
    .map(([value, index, replacement]) => {
      const names = Object.keys(value as object);
      const name = names[index % Math.max(names.length, 1)] ?? "x";
      return { ...(value as object), [name]: replacement };
    });
  return fc
    .oneof({ weight: 6, arbitrary: mutated }, anything)
    .filter((value) => violations(schema, sent(value)).length > 0);
}

/** Returns the value as it arrives: JSON drops undefined. */
const sent = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** Makes a query parameter's text which its schema refuses; undefined if the schema takes any text. */
export function rejectedText(schema: Schema): fc.Arbitrary<string> | undefined {
  if (schema.type === "string" && !schema.enum) return undefined;
  const reads = (value: string): unknown => {
    if (schema.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
    return schema.type === "integer" && /^-?\d+$/.test(value) ? Number(value) : value;
  };
  const numbers = fc.constantFrom("-1", "0", "101", "51", "1e3", "1.5", " 1", "");
  return fc.oneof(text, numbers).filter((value) => violations(schema, reads(value)).length > 0);
}
