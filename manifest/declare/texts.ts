/** The texts that a manifest declares, each with its place in YAML or in a file that it names. */
import { propertyPath } from "../../provider/values/paths.ts";
import { Deferred, type Entry, type Manifest, type Tree, type Spot } from "./model.ts";
import type { Place } from "../source/file.ts";
import { refersTo, schemaBelow, shapeOf } from "../../provider/definition/schema-walk.ts";

export interface DeclaredText {
  readonly entry: Entry;
  /** The path in the manifest: `pages.offer.content["hero.title"]`. */
  readonly path: string;
  readonly value: string;
  /** The place in YAML, in a data file, or of a whole text file. */
  readonly place: Place;
  /** The values that replace its `{{placeholders}}`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** `outside` returns the text of a value from the environment or the configuration, if it is known. */
export function declaredTexts(manifest: Manifest, outside: (value: Deferred) => string | undefined): DeclaredText[] {
  return manifest.entries.flatMap((entry) => {
    const variables = variablesOf(entry, outside);
    return textsIn(entry.inputs, entry.definition.inputs, []).flatMap(({ path, value }): DeclaredText[] => {
      const spot = entry.places.get(propertyPath(path));
      if (spot === undefined) return [];
      const place = cellOf(spot) ?? spot.place;
      // A text that is put together from several places stands in none of them as a whole.
      if (place === spot.place && spot.from) return [];
      return [{ entry, path: spot.path, value, place, variables: path[0] === "content" ? variables : {} }];
    });
  });
}

function variablesOf({ inputs }: Entry, outside: (value: Deferred) => string | undefined): Record<string, string> {
  const { variables } = inputs;
  if (typeof variables !== "object" || variables === null || Array.isArray(variables)) return {};
  if (variables instanceof Deferred) return {};
  const known = Object.entries(variables).flatMap(([name, value]): [string, string][] => {
    const text = value instanceof Deferred ? outside(value) : value;
    return typeof text === "string" ? [[name, text]] : [];
  });
  return Object.fromEntries(known);
}

interface FoundText {
  readonly path: readonly PropertyKey[];
  readonly value: string;
}

/** Finds the texts that are neither ids nor choices. */
export function textsIn(tree: Tree | undefined, schema: unknown, path: readonly PropertyKey[]): FoundText[] {
  if (tree instanceof Deferred || tree === undefined || tree === null) return [];
  if (typeof tree === "string") {
    const isText = refersTo(schema).length === 0 && shapeOf(schema).type !== "choice" && path[0] !== "adoptId";
    return isText ? [{ path, value: tree }] : [];
  }
  if (Array.isArray(tree))
    return tree.flatMap((item, index) => textsIn(item, schemaBelow(schema, index), [...path, index]));
  if (typeof tree !== "object") return [];
  return Object.entries(tree).flatMap(([key, item]) => textsIn(item, schemaBelow(schema, key), [...path, key]));
}

const WHOLE = /^["']?\$\{each[^{}]*\}["']?$/;

/** Returns the cell that holds the whole value; undefined if none does. */
export function cellOf({ place, by, from = [] }: Spot): Place | undefined {
  if (by) return place;
  const [cell, ...more] = from;
  return cell && more.length === 0 && WHOLE.test(place.file.text.slice(place.start, place.end)) ? cell : undefined;
}
