/** Makes the JSON Schema of an entry in landform.yaml: its fields, their values, and references to other resources. */
import { z } from "zod";
import { fieldsOf, onlyReference, type Field, type Reference } from "../../manifest/language/fields.ts";
import { registry } from "../../provider/kinds/registry.ts";
import {
  descriptionOf,
  isOptional,
  shapeOf,
  takesAnything,
  takesNull,
  withoutWrapping,
} from "../../provider/definition/schema-walk.ts";

export type Schema = Record<string, unknown>;

const VALUE = ref("value");

export function referenceDefinitions(): Schema {
  const kinds = Object.values(registry).flatMap((definition) => references(definition.inputs));
  return Object.fromEntries(kinds.map((reference) => [referenceName(reference), referenceTo(reference)]));
}

function references(schema: unknown): Reference[] {
  const shape = shapeOf(schema);
  if (shape.type === "list") return references(shape.element);
  if (shape.type !== "object") return [];
  return [...fieldsOf(shape.object).values()].flatMap((field) => field.reference ?? references(field.schema));
}

function referenceName({ what }: Reference): string {
  return `${what}-reference`;
}

function referenceTo({ what, kind }: Reference): Schema {
  const direct = kind
    ? [{ type: ["string", "number"], description: `Key of a ${kind} of this manifest.` }]
    : [{ type: ["string", "number"], minLength: 1, description: `Id of a ${what}.` }, VALUE];
  const text = { anyOf: [{ type: "string", minLength: 1 }, VALUE] };
  const byId = oneProperty("id", text, `A ${what} of the account, by its id.`);
  const byName = oneProperty("lookup", oneProperty("name", text), `The one ${what} of the account with this name.`);
  return { anyOf: [...direct, byId, byName] };
}

export function oneProperty(name: string, schema: Schema, description?: string): Schema {
  return { description, type: "object", properties: { [name]: schema }, required: [name], additionalProperties: false };
}

/** `all` requires every required field. `some` lets defaults give them. */
type Told = "all" | "some";

export function objectOf(object: z.ZodObject, told: Told = "all"): Schema {
  const fields = [...fieldsOf(object).values()];
  const required = told === "all" ? requiredIn(object) : [];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, told)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function fieldSchema({ schema, reference }: Field, told: Told): Schema {
  const description = descriptionOf(schema) || undefined;
  if (reference) return { description, allOf: [ref(referenceName(reference))] };
  const shape = shapeOf(schema);
  const value = shape.type === "object" ? objectOf(shape.object, told) : valueSchema(schema);
  const fallback = defaultIn(description, schema);
  return { ...value, description, ...(fallback === undefined ? {} : { default: fallback }) };
}

function valueSchema(schema: unknown): Schema {
  const shape = shapeOf(schema);
  if (takesAnything(schema)) return { allOf: [ref("json"), ...(takesNull(schema) ? [] : [{ not: { type: "null" } }])] };
  if (shape.type === "object") return objectOf(shape.object);
  if (shape.type === "list") return { type: "array", items: itemSchema(shape.element) };
  if (shape.type === "map") return layered({ type: "object", additionalProperties: valueSchema(shape.value) });
  if (shape.type === "union") return { anyOf: shape.options.map(valueSchema) };
  const { $schema, description, ...leaf } = z.toJSONSchema(withoutWrapping(schema), { target: "draft-7" });
  return { anyOf: [leaf, VALUE] };
}

/** Allows the key alone for an item that is only a reference. Written out, it names one of its spellings. */
function itemSchema(element: unknown): Schema {
  const kinds = onlyReference(element).flatMap(({ reference }) => reference?.kind ?? []);
  const item = valueSchema(element);
  if (kinds.length === 0) return item;
  return {
    anyOf: [
      { type: ["string", "number"], description: `Key of a ${kinds.join(" or a ")} of this manifest.` },
      { ...item, minProperties: 1 },
    ],
  };
}

/** Returns the default in a description, if it is a value of the field. */
function defaultIn(description: string | undefined, schema: z.ZodType): unknown {
  const [, text] = /Default: (\w+)\.$/.exec(description ?? "") ?? [];
  if (text === undefined) return undefined;
  const value = text === "true" || text === "false" ? text === "true" : text;
  return schema.safeParse(value).success ? value : undefined;
}

export function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

/** A required input with two spellings (a step's page or quiz) can't be required under one of them. */
export function requiredIn(object: z.ZodObject): string[] {
  const fields = [...fieldsOf(object).values()];
  const spellings = (input: string): number => fields.filter((field) => field.input === input).length;
  return fields.filter(({ input, schema }) => !isOptional(schema) && spellings(input) === 1).map(({ name }) => name);
}

function layered(map: Schema): Schema {
  const layers = [ref("file-layer"), ref("folder-layer")];
  return { anyOf: [map, ...layers, { type: "array", items: { anyOf: [map, ...layers] } }] };
}
