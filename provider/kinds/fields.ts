/** Small words for describing outputs, and for moving inputs to the wire. */
import { z } from "zod";
import { snake, type Camel, type SnakeKeys } from "../values/json.ts";

export const out = {
  text: (doc: string) => z.string().describe(doc),
  nullable: (doc: string) => z.string().nullable().describe(doc),
  flag: (doc: string) => z.boolean().describe(doc),
  number: (doc: string) => z.number().nullable().describe(doc),
};

/** Services trim names and refuse an empty result. For a new object they do so when it exists already. */
export const displayName = z
  .string()
  .min(1)
  .refine((name) => name === "" || name.trim() !== "", "a name needs more than white space")
  .optional();

export const timestamps = {
  createdAt: out.nullable("When it was created, ISO-8601."),
  updatedAt: out.nullable("When it was last changed, ISO-8601."),
};

/** No call takes these inputs away again. */
export function staying<Field extends string>(fields: readonly Field[]): Record<Field, { readonly stays: true }> {
  return Object.fromEntries(fields.map((field) => [field, { stays: true }])) as ReturnType<typeof staying<Field>>;
}

/** The fields of a body in the words of programs. An input that the operation doesn't take is not among them. */
export type FieldOf<Body> = Camel<keyof Body & string>;

/** Checks that nothing is forgotten: the type names the forgotten fields. */
export type Nothing<Forgotten extends never> = Forgotten;

/** The declared inputs among `fields` that an apply has to send, under their wire names. */
export function wireInputs<T extends object, Field extends keyof T & string>(
  now: T,
  fields: readonly Field[],
): Partial<SnakeKeys<Pick<T, Field>>> {
  const due = fields.filter((field) => now[field] !== undefined).map((field) => [snake(field), now[field]]);
  return Object.fromEntries(due) as Partial<SnakeKeys<Pick<T, Field>>>;
}
