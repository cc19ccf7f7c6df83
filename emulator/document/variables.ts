import { sectionsOf } from "./content.ts";
import { allNodes } from "./tree.ts";
import type { PageDocument, PageNode, VariablesResult } from "./types.ts";

const placeholder = /\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}/gu;

/** Returns the names of the placeholders in a page, in document order, each once. */
export function variables(document: PageDocument): string[] {
  return [...new Set(allNodes(document).flatMap(variablesOfNode))];
}

export function variablesOfNode(node: PageNode): string[] {
  const names: string[] = [];
  mapStrings(node.misc, (text) => text.replace(placeholder, (match, name: string) => (names.push(name), match)));
  return names;
}

/** Replaces placeholders for good. All values go in at once: a value that itself holds `{{x}}` goes in as it is, and `x` is then a remaining name. */
export function replaceVariables(document: PageDocument, values: Readonly<Record<string, unknown>>): VariablesResult {
  const copy = structuredClone(document);
  const replaced = new Set<string>();
  const touched = new Set<PageNode>();
  let replacements = 0;
  for (const node of allNodes(copy)) {
    const substitute = (match: string, name: string): string => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || value === null) return match;
      replaced.add(name);
      touched.add(node);
      replacements++;
      return typeof value === "string" ? value : JSON.stringify(value);
    };
    node.misc = mapStrings(node.misc, (text) => text.replace(placeholder, substitute)) as PageNode["misc"];
  }
  return {
    document: copy,
    replacements,
    changedSections: sectionsOf(copy, touched),
    replaced: [...replaced],
    remaining: variables(copy),
  };
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapStrings(entry, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapStrings(entry, change)]));
}
