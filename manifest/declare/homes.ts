/** The file and the column of a language: the place of a text that has no translation yet. */
import { dirname, relative, resolve, sep } from "node:path";
import { propertyPath } from "../../provider/values/paths.ts";
import type { Entry, Localized } from "./model.ts";
import type { Place } from "../source/file.ts";

/** The file and column that keep the texts of a language. */
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
