/**
 * Texts of a page: their placeholders, the values that fill them in, and how a leaf says a text. Pure.
 * A placeholder is {{name}}. Rendering is one pass: a value that itself holds {{x}} is inserted as it is.
 */
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { filterMap, type Json, type JsonMap, mapEach, mapOf, same } from "../../../values/json.ts";

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

export function render(text: Json, variables: JsonMap): Json {
  if (typeof text !== "string") return text;
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined ? whole : asText(value);
  });
}

export function renderAll(texts: JsonMap = {}, variables: JsonMap): JsonMap {
  return mapEach(texts, (text) => render(text, variables));
}

export function placeholdersIn(text: Json): string[] {
  return typeof text === "string" ? [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? "") : [];
}

export function mentions(text: Json, variables: JsonMap): boolean {
  return placeholdersIn(text).some((name) => Object.hasOwn(variables, name));
}

/** Tells if a shown text may be rendered from this one, whatever its variables hold. */
export function isRenderedFrom(text: Json, shown: Json): boolean {
  if (typeof text !== "string" || typeof shown !== "string") return same(text, shown);
  // Every second part is the name of a placeholder.
  const [first = "", ...others] = text.split(PLACEHOLDER).filter((_, index) => index % 2 === 0);
  const last = others.pop();
  if (last === undefined) return text === shown;
  let at = first.length;
  for (const part of others) {
    const found = shown.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return shown.startsWith(first) && shown.endsWith(last) && at + last.length <= shown.length;
}

// Values of variables that the code no longer declares. Such a variable stays on the page as it is, so a text that holds its placeholder is
// written with its old value, for as long as a text holds it. Pure.

const VALUES = "values";

type Known = Pick<ObjectState, "declared" | "notes">;

/** Returns the values that the last apply rendered texts with. */
export function valuesThen({ declared, notes }: Known): JsonMap {
  return { ...mapOf(notes[VALUES]), ...mapOf(declared.get("variables")) };
}

export function valuesNow(object: Known, variables: Json | undefined): JsonMap {
  return { ...valuesThen(object), ...mapOf(variables) };
}

/** Returns the notes with the values that are no longer declared and that a text still holds. */
export function withKeptValues(object: Known, { content, variables = {} }: Declared, all: JsonMap): JsonMap {
  const { [VALUES]: _, ...notes } = all;
  const texts = { ...mapOf(notes["texts"]), ...mapOf(content) };
  const held = new Set(Object.values(texts).flatMap(placeholdersIn));
  const kept = filterMap(valuesThen(object), (_value, name) => !Object.hasOwn(variables, name) && held.has(name));
  return Object.keys(kept).length === 0 ? notes : { ...notes, [VALUES]: kept };
}

interface Declared {
  readonly content?: JsonMap;
  readonly variables?: object;
}

// Compares a leaf of a page with a text. The builder may show a text of a content field as it is, or between tags with its characters
// escaped, and a service keeps numbers and booleans as texts. Pure.

/** Returns a text as it is compared: the tags around it and the spelling of its spaces are the service's business. */
export function plain(value: Json): string {
  return innerText(value).normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** Returns the text itself, from a leaf that may show it between tags. */
export function innerText(value: Json): string {
  const text = asText(value);
  const { open, inner } = partsOf(text);
  return open === "" ? text : unescaped(inner);
}

/** Returns the leaf as it would be if it said this instead, in each form that the service may have it in. */
export function sayingInstead(leaf: Json, value: Json): string[] {
  const { open, close } = partsOf(asText(leaf));
  const text = asText(value);
  return open === "" ? [text] : [open + text + close, open + escaped(text) + close];
}

export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A text may stand between tags. */
function partsOf(text: string): { readonly open: string; readonly inner: string; readonly close: string } {
  const open = /^(?:<[a-z][^<>]*>)+/i.exec(text)?.[0] ?? "";
  const close = open === "" ? "" : (/(?:<\/[a-z][^<>]*>)+$/i.exec(text.slice(open.length))?.[0] ?? "");
  return { open, inner: text.slice(open.length, text.length - close.length), close };
}

const ENTITIES = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
] as const;

function escaped(text: string): string {
  return ENTITIES.reduce((done, [character, entity]) => done.replaceAll(character, entity), text);
}

function unescaped(text: string): string {
  return ENTITIES.toReversed().reduce((done, [character, entity]) => done.replaceAll(entity, character), text);
}
