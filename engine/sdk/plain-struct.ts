/**
 * Carries properties in an SDK message as they are, and not as a tree of messages: a `Struct` holds them beside its empty fields. To make, write and
 * read the tree took longer than all other messages between a program and the engine.
 */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Json, PropertyMap } from "../model/types.ts";

export type StructClass = new () => Struct;

interface PlainStruct extends Struct {
  plain: PropertyMap;
}

/** Makes a struct from the values that `Struct.fromJavaScript` takes. It sorts keys, and refuses values in the same words. */
export function plainStruct(Class: StructClass, values: object): Struct {
  return receivedStruct(Class, inOrder(values));
}

/** Makes a struct from properties that the other end has prepared. */
export function receivedStruct(Class: StructClass, plain: PropertyMap): Struct {
  return Object.assign(new Class(), { plain, toJavaScript: () => plain });
}

/** Returns the properties of a struct that was made here. */
export function plainIn(struct: Struct | undefined): PropertyMap | undefined {
  return (struct as Partial<PlainStruct> | undefined)?.plain;
}

function inOrder(values: object): PropertyMap {
  const ordered: PropertyMap = {};
  for (const key of Object.keys(values).sort()) ordered[key] = json(Reflect.get(values, key));
  return ordered;
}

function json(value: unknown): Json {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "object":
      if (value === null) return value;
      return Array.isArray(value) ? Array.from(value, json) : inOrder(value);
    default:
      throw new Error("Unexpected struct type.");
  }
}

/** The field of each call that has properties. */
const PROPERTIES: Record<string, { asked: string; answered?: string } | undefined> = {
  registerResource: { asked: "Object", answered: "Object" },
  registerResourceOutputs: { asked: "Outputs" },
};

export type Side = "asked" | "answered";

/** Returns the struct with the properties of a call or its answer. */
export function structOf(method: string, side: Side, message: object): Struct | undefined {
  const field = PROPERTIES[method]?.[side];
  return field === undefined ? undefined : accessor<() => Struct | undefined>(message, `get${field}`)();
}

export function setStruct(method: string, side: Side, message: object, struct: Struct): void {
  const field = PROPERTIES[method]?.[side];
  if (field !== undefined) accessor<(struct: Struct) => void>(message, `set${field}`)(struct);
}

function accessor<Method extends (...args: never[]) => unknown>(message: object, name: string): Method {
  return (Reflect.get(message, name) as Method).bind(message) as Method;
}
