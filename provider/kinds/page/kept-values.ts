/**
 * Values of variables that the code no longer declares. Such a variable stays on the page as it is, so a text that holds its
 * placeholder is written with the value that it had, for as long as a text holds it. Pure.
 */
import { mapOf, type Json, type JsonMap } from "../../values/json.ts";
import type { ObjectState } from "../../reconcile/object-state.ts";
import { placeholdersIn } from "./variables.ts";

const VALUES = "values";

type Known = Pick<ObjectState, "declared" | "notes">;

/** What texts were rendered with at the last apply. */
export function valuesThen({ declared, notes }: Known): JsonMap {
  return { ...mapOf(notes[VALUES]), ...mapOf(declared.get("variables")) };
}

export function valuesNow(object: Known, variables: Json | undefined): JsonMap {
  return { ...valuesThen(object), ...mapOf(variables) };
}

/** The notes with the values that are no longer declared, and that a text still holds. */
export function withKeptValues(object: Known, { content, variables = {} }: Declared): JsonMap {
  const { [VALUES]: _, ...notes } = object.notes;
  const texts = { ...mapOf(notes["texts"]), ...mapOf(content) };
  const held = new Set(Object.values(texts).flatMap(placeholdersIn));
  const kept = Object.entries(valuesThen(object)).filter(([name]) => !Object.hasOwn(variables, name) && held.has(name));
  return kept.length === 0 ? notes : { ...notes, [VALUES]: Object.fromEntries(kept) };
}

interface Declared {
  readonly content?: JsonMap;
  readonly variables?: object;
}
