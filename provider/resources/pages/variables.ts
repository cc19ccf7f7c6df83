/** Placeholders of the form {{name}}. Rendering is one pass: a value that itself holds {{x}} is inserted as it is. */
import type { Json, JsonMap } from "../../json.ts";

const PLACEHOLDER = /\{\{\s*([^{}]+?)\s*\}\}/g;

export function render(text: Json, variables: JsonMap): Json {
  if (typeof text !== "string") return text;
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return value === undefined ? whole : asText(value);
  });
}

export function placeholdersIn(text: Json): string[] {
  return typeof text === "string" ? [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? "") : [];
}

export function mentions(text: Json, variables: JsonMap): boolean {
  return placeholdersIn(text).some((name) => Object.hasOwn(variables, name));
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
