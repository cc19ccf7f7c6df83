/**
 * The values that fill in the texts of a page, and how a leaf says a text. Values of variables that the code no longer declares: such a
 * variable stays on the page as it is, so a text that holds its placeholder is written with its old value, for as long as a text holds it.
 * Pure.
 */
import type { PageLife } from "./document.ts";
import { isIgnored } from "../../../reconcile/diff.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { filterMap, type Json, type JsonMap, mapOf } from "../../../values/json.ts";
import { asText, mentions, placeholdersIn, render } from "../../../values/placeholders.ts";

const VALUES = "values";

type Known = Pick<ObjectState, "declared" | "notes">;

/** Returns the values that the last apply rendered texts with. */
export function valuesThen({ declared, notes }: Known): JsonMap {
  return { ...mapOf(notes[VALUES]), ...mapOf(declared.get("variables")) };
}

export function valuesNow(object: Known, variables: Json | undefined): JsonMap {
  return { ...valuesThen(object), ...mapOf(variables) };
}

/**
 * Returns the declared texts of which the page shows a placeholder that has a value, as it shows them. A run leaves none: somebody has typed
 * it in the app. The state learns such a text as any other, and it may be the very text of the code.
 */
export function unfilledTexts(
  object: Known & Pick<ObjectState, "answer" | "ignored">,
  { content, variables }: JsonMap,
): JsonMap {
  const [said, values] = [mapOf(content), valuesNow(object, variables)];
  return filterMap(mapOf(object.answer["content"]), (text, key) => {
    const isOurs = Object.hasOwn(said, key) && !isIgnored(object.ignored, ["content", key]);
    return isOurs && mentions(text, values) && plain(text) !== plain(render(said[key] ?? null, values));
  });
}

/** Returns the notes with the values that are no longer declared and that a text still holds. */
export function withKeptValues(object: Known, { content, variables = {} }: PageLife, all: JsonMap): JsonMap {
  const { [VALUES]: _, ...notes } = all;
  const texts = { ...mapOf(notes["texts"]), ...mapOf(content) };
  const held = new Set(Object.values(texts).flatMap(placeholdersIn));
  const kept = filterMap(valuesThen(object), (_value, name) => !Object.hasOwn(variables, name) && held.has(name));
  return Object.keys(kept).length === 0 ? notes : { ...notes, [VALUES]: kept };
}

// Compares a leaf of a page with a text. The builder may show a text of a content field as it is, or between tags with its characters
// escaped, and a service keeps numbers and booleans as texts. Pure.

/** Returns a text as it is compared: the tags around it and the spelling of its spaces and signs are the service's business. */
export function plain(value: Json): string {
  return unescaped(innerText(value)).normalize("NFC").replaceAll(/\s+/g, " ").trim();
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

function partsOf(text: string): { readonly open: string; readonly inner: string; readonly close: string } {
  const open = /^(?:<[a-z][^<>]*>)+/i.exec(text)?.[0] ?? "";
  const close = open === "" ? "" : (/(?:<\/[a-z][^<>]*>)+$/i.exec(text.slice(open.length))?.[0] ?? "");
  return { open, inner: text.slice(open.length, text.length - close.length), close };
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign);
}

const SIGNS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#34": '"',
  "#39": "'",
  "#x22": '"',
  "#x27": "'",
};

function unescaped(text: string): string {
  return text.replaceAll(/&(#?\w{2,4});/g, (entity, name: string) => SIGNS[name.toLowerCase()] ?? entity);
}
