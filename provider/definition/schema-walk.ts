/** The one place that looks inside zod's classes. It tells "may be left out" and "may be null" apart from the type. */
import { z } from "zod";

export type SchemaShape =
  | { readonly type: "object"; readonly object: z.ZodObject; readonly fields: Readonly<Record<string, z.ZodType>> }
  | { readonly type: "list"; readonly element: z.ZodType }
  | { readonly type: "map"; readonly value: z.ZodType }
  | { readonly type: "union"; readonly options: readonly z.ZodType[] }
  | { readonly type: "choice"; readonly options: readonly string[] }
  /** `json`: any JSON. `unknown`: whatever the service says. */
  | { readonly type: "text" | "number" | "boolean" | "json" | "unknown" };

export function shapeOf(schema: unknown): SchemaShape {
  const inner = withoutWrapping(schema);
  if (inner instanceof z.ZodObject) return { type: "object", object: inner, fields: inner.shape };
  if (inner instanceof z.ZodArray) return { type: "list", element: inner.element as z.ZodType };
  if (inner instanceof z.ZodRecord) return { type: "map", value: inner.valueType as z.ZodType };
  if (inner instanceof z.ZodUnion) return { type: "union", options: inner.options as z.ZodType[] };
  if (inner instanceof z.ZodEnum) return { type: "choice", options: inner.options.map(String) };
  if (inner instanceof z.ZodString) return { type: "text" };
  if (inner instanceof z.ZodNumber) return { type: "number" };
  if (inner instanceof z.ZodBoolean) return { type: "boolean" };
  // z.json() is a lazy schema.
  return { type: inner instanceof z.ZodLazy ? "json" : "unknown" };
}

/** Returns the schema without the wrappers that only say that a value may be left out or be null. */
export function withoutWrapping(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return withoutWrapping(schema.unwrap());
  return schema instanceof z.ZodType ? schema : z.unknown();
}

export function isOptional(schema: unknown): boolean {
  return schema instanceof z.ZodOptional;
}

export function isNullable(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return isNullable(schema.unwrap());
  return schema instanceof z.ZodNullable;
}

/** Tells if the schema takes null, also as JSON that may be anything. */
export function takesNull(schema: unknown): boolean {
  return withoutWrapping(schema).safeParse(null).success;
}

/** Tells if any JSON may stand there, so that the schema says nothing about its inside. */
export function takesAnything(schema: unknown): boolean {
  const { type } = shapeOf(schema);
  return type === "json" || type === "unknown";
}

/** Returns the schema one step below: a field, an item, or the value of a key. Undefined if the schema has nothing there. */
export function schemaBelow(schema: unknown, step: PropertyKey): z.ZodType | undefined {
  const shape = shapeOf(schema);
  switch (shape.type) {
    case "object":
      return Object.hasOwn(shape.fields, step) ? shape.fields[String(step)] : undefined;
    case "list":
      return shape.element;
    case "map":
      return shape.value;
    case "union":
      return shape.options.flatMap((option) => schemaBelow(option, step) ?? [])[0];
    default:
      return undefined;
  }
}

export function fieldNames(schema: unknown): string[] {
  const shape = shapeOf(schema);
  if (shape.type === "object") return Object.keys(shape.fields);
  return shape.type === "union" ? shape.options.flatMap(fieldNames) : [];
}

export function descriptionOf(schema: z.ZodType): string {
  return schema.description ?? withoutWrapping(schema).description ?? "";
}

interface Target {
  readonly to: readonly [string, ...string[]];
}

const targets = z.registry<Target>();

export function idOf(...to: [string, ...string[]]): z.ZodString {
  return z.string().min(1).register(targets, { to });
}

/** Returns the words of the collections that an input refers to; empty if it is no reference. */
export function refersTo(schema: unknown): readonly string[] {
  return targets.get(withoutWrapping(schema))?.to ?? [];
}
