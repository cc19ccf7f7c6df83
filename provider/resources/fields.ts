/** Small words for describing outputs, and for moving inputs to the wire. */
import { z } from "zod";
import { snake } from "../json.ts";

export const out = {
  text: (doc: string) => z.string().describe(doc),
  nullable: (doc: string) => z.string().nullable().describe(doc),
  flag: (doc: string) => z.boolean().describe(doc),
  number: (doc: string) => z.number().nullable().describe(doc),
};

export const timestamps = {
  createdAt: out.nullable("When it was created, ISO-8601."),
  updatedAt: out.nullable("When it was last changed, ISO-8601."),
};

/** The declared inputs among `fields` that an apply has to send, under their wire names. */
export function wireInputs<T extends object>(now: T, fields: readonly (keyof T & string)[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((field) => now[field] !== undefined).map((field) => [snake(field), now[field]]),
  );
}
