/** The texts that a manifest declares, each with its place in YAML or in a file that it names. */
import { dirname, relative, resolve, sep } from "node:path";
import { parseDocument } from "yaml";
import { propertyPath } from "../../provider/values/paths.ts";
import { isFault, textParts } from "../language/forms.ts";
import { Deferred, type Entry, isTreeMap, type Localized, type Manifest, type Tree, type Spot } from "./model.ts";
import { type Place, textAt } from "../source/file.ts";
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
  const given = isTreeMap(variables) ? Object.entries(variables) : [];
  const known = given.flatMap(([name, value]): [string, string][] => {
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
  return cell && more.length === 0 && WHOLE.test(textAt(place)) ? cell : undefined;
}

/** A cell, and its new text. */
interface ChangedCell {
  readonly place: Place;
  readonly value: string;
}

/** Returns the only cell whose change explains the new text of a value that is put together from cells and words. */
export function changedCell({ place, from = [] }: Spot, before: string, now: string): ChangedCell | undefined {
  const template: unknown = parseDocument(textAt(place)).toJS();
  const parts = typeof template === "string" ? textParts(template) : [];
  const cells = [...from];
  if (isFault(parts) || parts.filter((part) => typeof part !== "string").length !== cells.length) return undefined;
  const spans: (ChangedCell & { readonly start: number })[] = [];
  let text = "";
  for (const part of parts) {
    const cell = typeof part === "string" ? undefined : cells.shift();
    const value = typeof part === "string" ? part : cell === undefined ? "" : unquoted(textAt(cell));
    if (cell !== undefined) spans.push({ place: cell, value, start: text.length });
    text += value;
  }
  if (text !== before) return undefined;
  const shorter = Math.min(before.length, now.length);
  let same = 0;
  while (same < shorter && before[same] === now[same]) same++;
  let after = 0;
  while (after < shorter - same && before.at(-1 - after) === now.at(-1 - after)) after++;
  const around = spans.filter(({ start, value }) => start <= same && start + value.length >= before.length - after);
  const [only, other] = around;
  if (only === undefined || other !== undefined) return undefined;
  const value = now.slice(only.start, now.length - (before.length - only.start - only.value.length));
  return value.trim() === "" ? undefined : { place: only.place, value };
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}

// The file and the column of a language: the place of a text that has no translation yet.

export interface Home {
  /** Absolute. */
  readonly path: string;
  /** The name in translators' files: relative to the manifest, with the column if the file has several. */
  readonly name: string;
  /** The columns of a CSV file that hold the keys and the texts. */
  readonly columns: { readonly key: string; readonly value: string };
}

export function homeOf({ file, from, locale, columns }: Localized, folder: string): Home {
  const byName = file.includes("*");
  const path = resolve(dirname(from), file.replaceAll("*", locale));
  const name = relative(folder, path).split(sep).join("/");
  const { key = "key", value = "value" } = columns;
  return byName
    ? { path, name, columns: { key, value } }
    : { path, name: `${name}#${locale}`, columns: { key, value: locale } };
}

/** A text that its language does not have: the page shows the source. */
export interface MissingText {
  readonly home: Home;
  readonly locale: string;
  readonly key: string;
  readonly source: string;
}

/** Returns undefined if the page shows no source in place of a translation. */
export function missingText({ localized = [], places }: Entry, key: string, folder: string): MissingText | undefined {
  const shown = places.get(propertyPath(["content", key]))?.place;
  const isShown = (text: { readonly place: Place } | undefined): boolean =>
    text !== undefined && shown !== undefined && isSame(text.place, shown);
  // A file of the language may give the text of an earlier layer.
  if (localized.some(({ own }) => isShown(own.get(key)))) return undefined;
  const layer = localized.findLast(({ under, own }) => !own.has(key) && isShown(under.get(key)));
  const source = layer?.under.get(key)?.value;
  if (layer === undefined || typeof source !== "string") return undefined;
  return { home: homeOf(layer, folder), locale: layer.locale, key, source };
}

export function isSame(a: Place, b: Place): boolean {
  return a.file.path === b.file.path && a.start === b.start;
}
