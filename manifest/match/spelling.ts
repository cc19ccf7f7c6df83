/** Compares spellings. A slug is a path: its case and its outer slashes mean nothing, and the service has its own spelling. */
import { isMap, type Json, type JsonMap } from "../../provider/values/json.ts";
import { normalSlug } from "../../provider/values/addresses.ts";
import { Deferred, type Tree, type Origin } from "../declare/model.ts";
import { isPlainMap, type Value } from "./model.ts";
import { diffWordsWithSpace } from "diff";
import { escaped } from "../source/file.ts";
import { pieces } from "../data/xliff-write.ts";
import { coerce } from "../language/forms.ts";
import { asText, placeholdersIn, render } from "../../provider/values/placeholders.ts";

/** Returns the live value in the spelling of the first of `others` that means the same. */
export function spelledAs(
  field: string,
  live: Value,
  others: readonly (Tree | undefined)[],
  outside: OutsideValues,
): Value {
  if (field !== "publish" || !isPlainMap(live)) return live;
  const { slug: shown = "" } = live;
  if (typeof shown !== "string") return live;
  const said = others
    .map((other) => slugIn(other, outside))
    .find((slug) => slug !== undefined && normalSlug(slug) === normalSlug(shown));
  return said === undefined || said === shown ? live : { ...live, slug: said };
}

function slugIn(place: Tree | undefined, outside: OutsideValues): string | undefined {
  if (!isMap(place) || place instanceof Deferred) return undefined;
  const slug = (place as Record<string, Tree>)["slug"];
  const known = slug instanceof Deferred ? outside.valueOf(slug)?.value : slug;
  return typeof known === "string" ? known : undefined;
}

interface Part {
  readonly source: string;
  readonly rendered: string;
}

/** Returns a declared text as the page shows it; undefined if that is not known. */
export function renderedText(declared: Tree | undefined, variables: Tree | undefined): Json | undefined {
  if (typeof declared !== "string" || !isMap(variables)) return undefined;
  return render(declared, variables as JsonMap);
}

/**
 * Puts the placeholders of the declared text back into the live text wherever their values are untouched. Rendering the result gives the live text
 * again.
 */
export function withPlaceholders(declared: Tree | undefined, live: string, variables: Tree | undefined): string {
  if (typeof declared !== "string" || !isMap(variables)) return live;
  const parts = partsOf(declared, variables as JsonMap);
  const before = parts.map(({ rendered }) => rendered).join("");
  const moved = offsetsIn(before, live);
  let result = "";
  let [from, at] = [0, 0];
  for (const { source, rendered } of parts) {
    const start = moved(at, at + rendered.length);
    at += rendered.length;
    if (source === rendered || start === undefined || start < from) continue;
    result += live.slice(from, start) + source;
    from = start + rendered.length;
  }
  result += live.slice(from);
  const words = parts.filter(({ source, rendered }) => source === rendered).map(({ source }) => source);
  const used = new Set(placeholdersIn(declared));
  const said = Object.entries(variables).filter(
    ([name, value]) => used.has(name) && !words.some((text) => holds(text, value)),
  );
  const repeated = withNames(result, Object.fromEntries(said));
  return [repeated, result].find((text) => render(text, variables as JsonMap) === live) ?? live;
}

/** Puts placeholders in place of the values of variables. A number, or a value that two variables have, may mean something else. */
export function withNames(text: string, variables: Readonly<Record<string, unknown>>): string {
  const values = Object.values(variables);
  const names = new Map(
    Object.entries(variables).flatMap(([name, value]) =>
      isName(value) && values.indexOf(value) === values.lastIndexOf(value) ? [[value, name] as const] : [],
    ),
  );
  const longestFirst = [...names.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  if (longestFirst.length === 0) return text;
  const value = new RegExp(`(?<!${LETTER})(?:${longestFirst.join("|")})(?!${LETTER})`, "gu");
  return pieces(text)
    .map((part, index) => (index % 2 === 0 ? part.replace(value, (found) => `{{${names.get(found) ?? ""}}}`) : part))
    .join("");
}

/** Tells if a text says the value of a variable itself. A name may have an ending there. */
export function holds(text: string, value: unknown): boolean {
  if (typeof value !== "string" || value === "") return false;
  const found = new RegExp(`(?<!${LETTER})${escaped(value)}${isName(value) ? "" : `(?!${LETTER})`}`, "u");
  return pieces(text).some((part, index) => index % 2 === 0 && found.test(part));
}

const LETTER = String.raw`[\p{L}\p{N}]`;

function isName(value: unknown): value is string {
  return typeof value === "string" && (value.match(/\p{L}/gu) ?? []).length > 2;
}

/** Tells if a text may come from a template's text with one of these variables. */
export function mayBeRendered(live: Json, variables: Tree | undefined): boolean {
  if (variables === undefined) return false;
  if (!isMap(variables)) return true;
  const text = typeof live === "string" ? live : JSON.stringify(live);
  return Object.values(variables as Record<string, Tree>).some((value) => {
    if (typeof value === "object" && value !== null) return true;
    const shown = String(value);
    return shown === "" || text.includes(shown);
  });
}

function partsOf(declared: string, variables: JsonMap): Part[] {
  return pieces(declared)
    .filter((source) => source !== "")
    .map((source) => ({ source, rendered: rendered(source, variables) }));
}

/** Returns a function that finds a stretch of one text in the other, or undefined if an edit has touched it. */
function offsetsIn(before: string, now: string): (start: number, end: number) => number | undefined {
  const kept: { start: number; end: number; to: number }[] = [];
  let [at, to] = [0, 0];
  for (const { added, removed, value } of diffWordsWithSpace(before, now)) {
    if (!added && !removed) kept.push({ start: at, end: at + value.length, to });
    if (!added) at += value.length;
    if (!removed) to += value.length;
  }
  return (start, end) => {
    const stretch = kept.find((one) => one.start <= start && end <= one.end);
    return stretch && start < end ? stretch.to + start - stretch.start : undefined;
  };
}

/** Renders a text as visitors see it. A placeholder without a value stays. */
export function rendered(text: string, variables: JsonMap): string {
  return asText(render(text, variables));
}

/** The values that a manifest takes from outside, as far as they are known without a run. */
export interface OutsideValues {
  /** Returns undefined if the value is not known; then the export doesn't compare it. */
  valueOf(deferred: Deferred): { readonly value: Json } | undefined;
}

export interface OutsideSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined if no stack is chosen. */
  readonly stack?: string;
  /** Reads the stack's configuration: undefined if it can't be read, and no value if none is set. */
  readonly config?: (key: string) => { readonly value?: string } | undefined;
}

export function outsideValues(sources: OutsideSources): OutsideValues {
  return {
    valueOf: ({ origin, wanted }) => {
      const found = givenBy(origin, sources);
      if (found === undefined) return undefined;
      const value =
        wanted === "json" ? found : coerce(typeof found === "object" ? JSON.stringify(found) : String(found), wanted);
      return value === undefined ? undefined : { value };
    },
  };
}

function givenBy(origin: Origin, sources: OutsideSources): Json | undefined {
  const { env, stack, config = () => undefined } = sources;
  if (origin.from === "env") return env[origin.name] || origin.fallback;
  if (origin.from === "config") {
    const found = config(origin.key);
    return found && (found.value ?? origin.fallback);
  }
  if (origin.from === "stack") return stack;
  if (origin.from !== "text") return undefined;
  const parts = origin.parts.map((part) => (typeof part === "string" ? part : givenBy(part.origin, sources)));
  return parts.every((part) => part !== undefined) ? parts.map(String).join("") : undefined;
}
