/**
 * Reads the editable fields of a content map. The specification does not show the shape of an entry (2026-11-21), so
 * keys and values are found by shape: an array of objects (key/id/name with value/text/content/default), groups of such,
 * an object map of scalars, or one of objects. A declared key decides which of several naming properties counts.
 */
import { isMap, type Json } from "../values/json.ts";
import { placeholdersIn } from "../values/placeholders.ts";

const KEY_NAMES = ["key", "field_key", "fieldKey", "content_key", "path", "id", "field_id", "fieldId", "name", "slug"];
const VALUE_NAMES = [
  "value",
  "text",
  "content",
  "current_value",
  "currentValue",
  "current",
  "raw",
  "html",
  "default",
  "default_value",
];
/** Names of a text inside a value that shows it in several spellings at once. */
const SPELLINGS = ["raw", "html", "value", "text"];
const ABOUT_SPELLINGS = ["format", "type"];
const GROUP_NAMES = ["fields", "items", "entries", "children", "groups", "sections", "elements"];

export class ContentFields {
  /** One index per naming property, in the order of their precedence. */
  readonly #indexes = new Map<string, Map<string, Json | undefined>>();

  constructor(fields: unknown) {
    for (const name of ["", ...KEY_NAMES]) this.#indexes.set(name, new Map());
    this.#collect(fields, "");
  }

  /** Returns every key under the naming property that most entries have. */
  keys(): string[] {
    let best: string[] = [];
    for (const index of this.#indexes.values()) if (index.size > best.length) best = [...index.keys()];
    return best;
  }

  has(key: string): boolean {
    return this.#indexOf(key) !== undefined;
  }

  /** Returns the text of a key; undefined if there is no such key, or if its entry shows no value or one that may be no text. */
  value(key: string): Json | undefined {
    return textOf(this.#shown(key));
  }

  /** Returns the value of a field that is known to hold the declared value, which may be JSON. */
  valueLike(key: string, declared: Json | undefined): Json | undefined {
    return isStructured(declared) ? this.#shown(key) : this.value(key);
  }

  holding(name: string): string[] {
    return this.keys().filter((key) => placeholdersIn(JSON.stringify(this.#shown(key) ?? null)).includes(name));
  }

  /** Returns the keys that show a value which nobody can read as a text. */
  unread(): string[] {
    return this.keys().filter((key) => this.value(key) === undefined && isFilled(this.#shown(key)));
  }

  entries(): [string, Json][] {
    return this.keys().flatMap((key): [string, Json][] => {
      const value = this.value(key);
      return value === undefined ? [] : [[key, value]];
    });
  }

  all(): Map<string, Json | undefined> {
    return new Map(this.keys().map((key) => [key, this.value(key)]));
  }

  #shown(key: string): Json | undefined {
    return this.#indexOf(key)?.get(key);
  }

  #indexOf(key: string): Map<string, Json | undefined> | undefined {
    for (const index of this.#indexes.values()) if (index.has(key)) return index;
    return undefined;
  }

  #collect(fields: unknown, prefix: string): void {
    if (Array.isArray(fields)) for (const entry of fields) this.#collectEntry(entry, prefix);
    else if (isMap(fields)) this.#collectMap(fields, prefix);
  }

  #collectEntry(entry: unknown, prefix: string): void {
    if (typeof entry === "string") this.#add("", prefix + entry, undefined);
    if (!isMap(entry)) return;
    const group = groupIn(entry);
    const value = valueOf(entry);
    if (group !== undefined) this.#collect(entry[group], "");
    else
      for (const name of KEY_NAMES) {
        const key = entry[name];
        if (typeof key === "string" && key !== "") this.#add(name, key, value);
      }
  }

  #collectMap(map: Record<string, unknown>, prefix: string): void {
    for (const [key, entry] of Object.entries(map)) {
      if (Array.isArray(entry)) this.#collect(entry, "");
      else if (!isMap(entry)) this.#add("", prefix + key, (entry as Json | undefined) ?? undefined);
      else if (describesField(entry)) this.#add("", prefix + key, valueOf(entry));
      else this.#collectMap(nested(entry), groupIn(entry) !== undefined ? "" : `${prefix}${key}.`);
    }
  }

  #add(name: string, key: string, value: Json | undefined): void {
    const index = this.#indexes.get(name);
    if (index && !index.has(key)) index.set(key, value);
  }
}

function valueOf(entry: Record<string, unknown>): Json | undefined {
  for (const name of VALUE_NAMES) {
    const value = entry[name];
    if (value !== undefined && value !== null) return value as Json;
  }
  return undefined;
}

/** Any other shape would go back as JSON in place of the text, so it counts as not shown. */
function textOf(shown: Json | undefined): Json | undefined {
  if (!isStructured(shown)) return shown;
  if (!isMap(shown)) return undefined;
  const names = Object.keys(shown);
  const isText =
    typeof shown["raw"] === "string" || names.every((name) => [...SPELLINGS, ...ABOUT_SPELLINGS].includes(name));
  if (!isText) return undefined;
  const spelt = SPELLINGS.map((name) => shown[name]).find((value) => value !== undefined && value !== null);
  return isStructured(spelt) ? undefined : spelt;
}

function isStructured(value: Json | undefined): boolean {
  return typeof value === "object" && value !== null;
}

function isFilled(shown: Json | undefined): boolean {
  return isMap(shown) ? Object.values(shown).some((value) => value !== null) : Array.isArray(shown) && shown.length > 0;
}

/** Tells if an object describes one field: it has a value, or only scalars such as type and label. */
function describesField(entry: Record<string, unknown>): boolean {
  if (groupIn(entry) !== undefined) return false;
  if (VALUE_NAMES.some((name) => name in entry)) return true;
  return ("type" in entry || "label" in entry) && Object.values(entry).every((value) => !isMap(value));
}

function groupIn(entry: Record<string, unknown>): string | undefined {
  return GROUP_NAMES.find((name) => typeof entry[name] === "object" && entry[name] !== null);
}

function nested(entry: Record<string, unknown>): Record<string, unknown> {
  const name = GROUP_NAMES.find((group) => isMap(entry[group]));
  if (name !== undefined) return entry[name] as Record<string, unknown>;
  const list = GROUP_NAMES.find((group) => Array.isArray(entry[group]));
  return list === undefined ? entry : { [list]: entry[list] };
}
