/** Puts the type of an input or output into the words of a table. */
import type { z } from "zod";
import { isNullable, shapeOf, type SchemaShape } from "../../../provider/definition/schema-walk.ts";

export function typeName(schema: unknown): string {
  return isNullable(schema) ? `${nameOf(shapeOf(schema))} or null` : nameOf(shapeOf(schema));
}

function nameOf(shape: SchemaShape): string {
  switch (shape.type) {
    case "choice":
      return shape.options.map((option) => `\`${option}\``).join(", ");
    case "list":
      return listName(shape.element);
    case "map":
      return `map of ${several(typeName(shape.value))}`;
    case "union":
      return [...new Set(shape.options.map(typeName))].join(" or ");
    case "boolean":
      return "boolean";
    case "json":
    case "unknown":
      return "any JSON";
    default:
      return shape.type;
  }
}

function listName(element: unknown): string {
  const name = typeName(element);
  return name === "any JSON" ? "list" : `list of ${several(name)}`;
}

/** The plural: "maps of any JSON". */
function several(name: string): string {
  return name.replace(/^(text|number|object|map|list)\b/, "$1s");
}

/** Returns the fields of an object, or of the objects in a list, map or union. */
export function nestedShape(schema: unknown): Record<string, z.ZodType> {
  const shape = shapeOf(schema);
  if (shape.type === "object") return shape.fields;
  if (shape.type === "list") return nestedShape(shape.element);
  if (shape.type === "map") return nestedShape(shape.value);
  return shape.type === "union" ? eitherOf(shape.options.map(nestedShape)) : {};
}

/** A field that one of the shapes doesn't have may be left out. */
function eitherOf(shapes: readonly Record<string, z.ZodType>[]): Record<string, z.ZodType> {
  const fields = shapes.flatMap((shape) => Object.entries(shape));
  const isInAll = (name: string): boolean => shapes.every((shape) => name in shape);
  return Object.fromEntries(fields.map(([name, schema]) => [name, isInAll(name) ? schema : schema.optional()]));
}
