/**
 * Whether a leaf of a page says a text. The builder may show a text of a content field as it is, or between tags with its
 * characters escaped, and a service keeps numbers and booleans as texts. Pure.
 */
import type { Json } from "../../values/json.ts";

/** A text as it is compared: what stands around it, and how its spaces are written, is the service's business. */
export function plain(value: Json): string {
  return innerText(value).normalize("NFC").replaceAll(/\s+/g, " ").trim();
}

/** The text itself, of a leaf that may show it between tags. */
export function innerText(value: Json): string {
  const text = asText(value);
  const { open, inner } = partsOf(text);
  return open === "" ? text : unescaped(inner);
}

/** The leaf as it would be if it said this instead, in each form that the service may have it in. */
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
