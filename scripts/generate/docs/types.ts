/** The type of an input or output in the words of a table. */
import { z } from "zod";
import { bare, isJson } from "../../../manifest/language/fields.ts";

export function typeName(schema: unknown): string {
  if (schema instanceof z.ZodNullable) return `${typeName(schema.unwrap())} or null`;
  const inner = bare(schema);
  if (isJson(inner)) return "any JSON";
  if (inner instanceof z.ZodEnum) return inner.options.map((option) => `\`${String(option)}\``).join(", ");
  if (inner instanceof z.ZodArray) return listName(inner.element);
  if (inner instanceof z.ZodRecord) return `map of ${typeName(inner.valueType).replace(/^(text|object)$/, "$1s")}`;
  if (inner instanceof z.ZodUnion) return [...new Set(inner.options.map(typeName))].join(" or ");
  if (inner instanceof z.ZodObject) return "object";
  if (inner instanceof z.ZodString) return "text";
  if (inner instanceof z.ZodNumber) return "number";
  if (inner instanceof z.ZodBoolean) return "true or false";
  throw new Error("no name for this type of input; add one to scripts/generate/docs/types.ts");
}

function listName(element: unknown): string {
  const name = typeName(element);
  return name === "text" ? "list of texts" : name === "any JSON" ? "list" : `list of ${name}s`;
}

/** The fields of an object, or of the objects that a list, map or union holds. */
export function nestedShape(schema: unknown): Record<string, z.ZodType> {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) return inner.shape;
  if (inner instanceof z.ZodArray) return nestedShape(inner.element);
  if (inner instanceof z.ZodRecord) return nestedShape(inner.valueType);
  if (inner instanceof z.ZodUnion) return Object.assign({}, ...inner.options.map(nestedShape)) as never;
  return {};
}

export function description(schema: z.ZodType): string {
  return schema.description ?? (bare(schema) as z.ZodType).description ?? "";
}
