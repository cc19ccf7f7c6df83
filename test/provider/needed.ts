/** The required inputs of a kind's new object, by its schema and its own rules, each with a value. */
import type { z } from "zod";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { checkInputs } from "../../provider/reconcile/check.ts";
import { registry, type Kind } from "../../provider/kinds/registry.ts";
import { isOptional, shapeOf } from "../../provider/definition/schema-walk.ts";

/** A text that is long enough for every input, and an address. */
const TEXT = `https://example.com/${"word-by-word-".repeat(20)}`;

export const KINDS = Object.keys(registry) as Kind[];

export function neededBy(kind: Kind): JsonMap {
  const needed = neededIn(kind, registry[kind].inputs.shape);
  const missing = checkInputs(registry[kind], needed).flatMap(({ path: [input] }) =>
    input === undefined || input in needed ? [] : [String(input)],
  );
  return { ...needed, ...Object.fromEntries(missing.map((input) => [input, TEXT])) };
}

function neededIn(place: string, fields: Readonly<Record<string, z.ZodType>>): JsonMap {
  const needed = Object.entries(fields).filter(([, schema]) => !isOptional(schema));
  return Object.fromEntries(needed.map(([name, schema]) => [name, valueFor(`${place}.${name}`, schema)]));
}

function valueFor(place: string, schema: z.ZodType): Json {
  const shape = shapeOf(schema);
  if (shape.type === "object") return neededIn(place, shape.fields);
  if (shape.type === "list") return [valueFor(`${place}[0]`, shape.element)];
  const words = shape.type === "choice" ? shape.options : [];
  const found = [...words, TEXT, 1, true].find((value) => schema.safeParse(value).success);
  if (found === undefined) throw new Error(`${place} is needed, and takes none of the values that are tried here`);
  return found;
}
