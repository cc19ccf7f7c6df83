/** Placeholders in texts: {{name}}. Rendering is one pass: a value that itself holds {{x}} is inserted as it is. Pure. */
import { type Json, type JsonMap, mapEach, same } from "./json.ts";

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

export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
