/** Fills in values that stand elsewhere: `${each.…}` at once, `${stack}` and `${config.…}` when the program runs, forms, and layers of content. */
import { isScalar, type YAMLMap } from "yaml";
import type { z } from "zod";
import { inputWording } from "../../provider/values/wording.ts";
import type { Json } from "../../provider/values/json.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { dataOf } from "../data/json.ts";
import { type DataScalar, type DataValue, jsonOf } from "../data/value.ts";
import { isSendable, type Layer, overlaid, readLayers, sourceLayers } from "../data/layers.ts";
import { below } from "../language/addresses.ts";
import { localeChain } from "../language/locales.ts";
import * as language from "../language/forms.ts";
import type { FormName, LayerForm, TextPart, Wanted } from "../language/forms.ts";
import { type Diagnostics, Told, unlessTold } from "../source/diagnostics.ts";
import type { Place } from "../source/file.ts";
import { locate } from "../source/parse.ts";
import { keysOf, respelledNode } from "../source/reader.ts";
import { fault, FAULTY, textHint } from "./faults.ts";
import { type At, Deferred, type LayerTexts, type Localized, type Reading, type Spot } from "./model.ts";
import type { Origin, Tree, TreeMap } from "./model.ts";
import type { Resolver } from "./resolver.ts";
import { fieldAt, type Row, textOf } from "./rows.ts";

/** The context that reads the values of one entry. */
export interface EntryReading extends Reading {
  readonly resolver: Resolver;
  readonly row: Row | undefined;
  readonly sourceLocale: string | undefined;
  /** The place of each value, by its property path. */
  readonly spots: Map<string, Spot>;
  /** The translated layers and their sources. */
  readonly localized: Localized[];
  /** The texts that are in the language of their layer. The source language of a later layer does not come over them. */
  readonly translated: Set<Spot>;
}

export interface Filled {
  /** Undefined if the field of the row says nothing, so that nothing is declared. */
  readonly value: Tree | undefined;
  readonly from: readonly Place[];
}

type EachPart = Extract<TextPart, { from: "each" }>;

const EXPRESSION_HINT =
  "Write ${each.x}, ${stack} or ${config.x}; { env: } or { ref: } for other values, {{name}} for one of the page's variables, or $${ for the characters themselves.";

/** Returns undefined if the text can't be filled in, and reports why. */
export function fillIn(reading: EntryReading, text: string, wanted: Wanted, at: At): Filled | undefined {
  return unlessTold(() => filled(reading, text, wanted, at));
}

function filled(reading: EntryReading, text: string, wanted: Wanted, at: At): Filled {
  const parts = language.textParts(text);
  if (language.isFault(parts))
    return parts.fault === "open"
      ? stop(reading, "invalid-value", at, "the ${ is never closed", "Write $${ for the characters themselves.")
      : stop(reading, "invalid-value", at, `there is no value for ${parts.written}`, EXPRESSION_HINT);
  const [only] = parts;
  if (parts.length > 1) return joined(reading, parts, wanted, at);
  if (only === undefined || typeof only === "string") return { value: only ?? "", from: [] };
  if (only.from === "each") return wholeField(reading, only, wanted, at);
  return { value: new Deferred(originOf(only), wanted, at.place, at.path), from: [] };
}

function wholeField(reading: EntryReading, part: EachPart, wanted: Wanted, at: At): Filled {
  const data = fieldOf(reading, part, at);
  const from = [data.place];
  const isNothing = data.kind === "scalar" && data.value === null;
  if (wanted === "json" && !isNothing && !isSendable(data, data.place, at.path, reading.diagnostics)) throw new Told();
  if (data.kind !== "scalar")
    return wanted === "json" ? { value: jsonOf(data), from } : structured(reading, part.written, data, at);
  if (data.value === null) return { value: undefined, from };
  if (typeof data.value === "string") return fitting(reading, data.value, wanted, part.written, { ...at, from });
  return { value: wanted === "text" ? textOf(data) : data.value, from };
}

function fitting(reading: EntryReading, text: string, wanted: Wanted, written: string, at: At): Filled {
  const value = language.coerce(text, wanted);
  if (value !== undefined) return { value, from: at.from ?? [] };
  const message = `takes a ${wanted}, and ${written} is "${text}"`;
  return stop(reading, "invalid-value", at, message, textHint(wanted, text));
}

function joined(reading: EntryReading, parts: readonly TextPart[], wanted: Wanted, at: At): Filled {
  const from: Place[] = [];
  const texts: (string | Deferred)[] = [];
  for (const part of parts) {
    let text: string | Deferred;
    if (typeof part === "string") text = part;
    else if (part.from === "each") {
      const data = fieldOf(reading, part, at);
      if (data.kind !== "scalar") return structured(reading, part.written, data, at);
      from.push(data.place);
      text = textOf(data);
    } else text = new Deferred(originOf(part), "text", at.place, at.path);
    const before = texts.at(-1);
    if (typeof text === "string" && typeof before === "string") texts[texts.length - 1] = before + text;
    else texts.push(text);
  }
  const [only] = texts;
  if (texts.length > 1 || typeof only !== "string")
    return { value: new Deferred({ from: "text", parts: texts }, wanted, at.place, at.path), from };
  return fitting(reading, only, wanted, "it", { ...at, from });
}

function fieldOf(reading: EntryReading, { path, written }: EachPart, at: At): DataValue {
  const { row, diagnostics } = reading;
  if (!row) {
    const hint = "Add each: to the entry, or write $${ for the characters themselves.";
    return stop(reading, "each", at, `${written} is used in an entry that has no each`, hint);
  }
  const found = fieldAt(row.fields, path);
  if (!("unknown" in found)) return found;
  const message = `there is no ${written}${didYouMean(found.unknown, found.known)}`;
  const has = found.known.length === 0 ? "" : `, which has ${found.known.join(", ")}`;
  diagnostics.error("each", at.place, `${at.path}: ${message}`, {
    path: at.path,
    hint: `The row is at ${locate(found.row)}${has}.`,
    related: [{ place: found.row, message: "this row has none" }],
  });
  throw new Told();
}

function structured(reading: EntryReading, written: string, data: Exclude<DataValue, DataScalar>, at: At): never {
  const message = `${written} is a ${data.kind}, and a text takes one value`;
  return stop(reading, "each", { ...at, from: [data.place] }, message, "Name one of its fields.");
}

function stop(
  { diagnostics }: Reading,
  code: "each" | "invalid-value",
  at: At,
  message: string,
  hint: string | undefined,
): never {
  diagnostics.fault(code, at, `: ${message}`, hint);
  throw new Told();
}

function originOf(part: Exclude<TextPart, string | EachPart>): Origin {
  return part.from === "stack" ? { from: "stack" } : { from: "config", key: part.key, fallback: undefined };
}

export function readForm(reading: EntryReading, map: YAMLMap, name: FormName, wanted: Wanted, at: At): Tree {
  const { reader, resolver } = reading;
  const entries = reader.entries(map);
  if (name === "literal") {
    const data = dataOf(reader, entries[0]?.value ?? null);
    return isSendable(data, entries[0]?.keyPlace ?? at.place, at.path, reading.diagnostics) ? jsonOf(data) : FAULTY;
  }
  const standIn = entries.find(({ key }) => key === "default");
  const other = wanted === "text" || wanted === "json" ? respelledNode(standIn?.value ?? null) : undefined;
  if (other) return fault(reading, at, `: ${other.problem}`, other.hint);
  const hint = wanted === "json" ? "If you mean JSON that only looks like this form, write { literal: … }." : undefined;
  const form = filledForm(reading, map, language.forms[name], name, at, hint);
  if (!form) return FAULTY;
  if ("file" in form) return textOfFile(reading, form.file, wanted, at);
  if ("ref" in form) return resolver.output(form.ref, wanted, at) ?? FAULTY;
  const { default: fallback } = form;
  const origin: Origin =
    "env" in form
      ? { from: "env", name: form.env, fallback, secret: form.secret ?? false }
      : { from: "config", key: form.config, fallback };
  return new Deferred(origin, wanted, at.place, at.path);
}

function textOfFile({ data, spots, resolver }: EntryReading, name: string, wanted: Wanted, at: At): Tree {
  const file = data.text(name, { from: at.place.file.path, place: at.place, path: at.path });
  if (!file) return FAULTY;
  const place = { file, start: 0, end: file.text.length };
  spots.set(propertyPath(at.input), { place, path: at.path, by: at.place, isAlone: true });
  return resolver.coerced(file.text, wanted, at, `the text of ${name}`) ?? FAULTY;
}

function filledForm<Schema extends z.ZodType>(
  reading: EntryReading,
  map: YAMLMap,
  schema: Schema,
  name: string,
  at: At,
  hint?: string,
): z.infer<Schema> | undefined {
  const given = reading.reader.json(map, at.path);
  const texts = Object.entries(given as Record<string, Json>).map(([key, value]): [string, Tree] => {
    if (typeof value !== "string") return [key, value];
    const found = fillIn(reading, value, "text", at);
    if (!(found?.value instanceof Deferred)) return [key, found ? (found.value ?? "") : FAULTY];
    const message = `: { ${name}: } can't have \${stack} or \${config.x}: Landform reads the file before it knows them`;
    return [key, fault(reading, at, message, "It can have ${each.x}.")];
  });
  if (texts.some(([, value]) => value === FAULTY)) return undefined;
  const found = schema.safeParse(Object.fromEntries(texts), { error: inputWording });
  if (found.success) return found.data;
  const reasons = found.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ");
  fault(reading, at, `: { ${name}: } can't be used: ${reasons}`, hint);
  return undefined;
}

/** Reads the keys and values of a file or a folder as they stand there. Returns undefined if the map names none. */
export function readLayer(reading: EntryReading, map: YAMLMap, at: At, before: TreeMap = {}): Tree | undefined {
  const { data, diagnostics, spots, translated, sourceLocale } = reading;
  const name = language.layerFormOf(keysOf(map));
  const isNamed = map.items.every(({ key, value }) => !isScalar(key) || key.value !== name || isScalar(value));
  if (name === undefined || !isNamed) return undefined;
  const form = filledForm(reading, map, language.layerForms[name], name, at);
  if (!form) return FAULTY;
  const asking = { from: at.place.file.path, place: at.place, path: at.path };
  const spotOf = (key: string): Spot | undefined => spots.get(propertyPath([...at.input, key]));
  const isTranslated = (spot: Spot | undefined): boolean => spot !== undefined && translated.has(spot);
  const isAfterSource = Object.keys(before).length > 0;
  const source = sourceLayers(form, sourceLocale, data, diagnostics, {
    ...asking,
    mayBeMissing: isAfterSource ? "silently" : "told",
  });
  const fallback = source.map((layer) => new Map([...layer].filter(([key]) => !isTranslated(spotOf(key)))));
  const hasSource = isAfterSource || source.length > 0;
  const layers = readLayers(form, data, diagnostics, {
    ...asking,
    source: sourceLocale,
    ...(hasSource && { mayBeMissing: isSource(form, sourceLocale) ? "silently" : "told" }),
  });
  if (!layers) return FAULTY;
  keepLocalized(reading, form, { source, own: layers, before }, at);
  const values: TreeMap = {};
  for (const { key, value, place, over } of overlaid([...fallback, ...layers]).values()) {
    const hidden = spotOf(key);
    const under = [...over.map((one) => one.place), ...(hidden ? [hidden.place, ...(hidden.over ?? [])] : [])];
    const path = below(at.path, key);
    const spot = { place, path, by: at.place, ...(under.length > 0 && { over: under }) };
    spots.set(propertyPath([...at.input, key]), spot);
    if ("file" in form && form.locale !== undefined && layers.some((layer) => layer.has(key))) translated.add(spot);
    values[key] = jsonOf(value);
    warnOfExpressions(value, path, diagnostics);
  }
  return values;
}

/** Tells if the form is in the source language, or in a parent of it: then there is nothing to translate. */
function isSource(form: LayerForm, sourceLocale: string | undefined): boolean {
  if (!("file" in form) || form.locale === undefined || sourceLocale === undefined) return false;
  return localeChain(form.locale).includes(sourceLocale);
}

/** Notes the translated texts and their sources: the layers before, and the source language. */
function keepLocalized(
  { spots, localized, sourceLocale }: EntryReading,
  form: LayerForm,
  { source, own, before }: { source: readonly Layer[]; own: readonly Layer[]; before: TreeMap },
  at: At,
): void {
  if (!("file" in form) || form.locale === undefined || form.locale === sourceLocale) return;
  const { file, locale, key, value } = form;
  const said = Object.entries(before).flatMap(([name, text]) => {
    const place = spots.get(propertyPath([...at.input, name]))?.place;
    return place && typeof text === "string" ? [[name, { value: text, place }] as const] : [];
  });
  const under: LayerTexts = new Map([...said, ...textsOf(source)]);
  localized.push({ locale, file, from: at.place.file.path, columns: { key, value }, under, own: textsOf(own) });
}

function textsOf(layers: readonly Layer[]): LayerTexts {
  return new Map(
    [...overlaid(layers)].map(([key, { value, place }]) => [key, { value: jsonOf(value), place }] as const),
  );
}

/** Warns of expressions in data files, which nothing fills in. */
function warnOfExpressions(data: DataValue, path: string, diagnostics: Diagnostics): void {
  if (data.kind !== "scalar" || typeof data.value !== "string") return;
  const [found] = /\$\{(?:each\.|config\.|stack\})/.exec(data.value) ?? [];
  if (found === undefined) return;
  const message = `${path}: Landform does not fill in ${found}… in a data file: visitors read it as it is`;
  const hint = "Use {{name}} and the page's variables, or write the text in the manifest.";
  diagnostics.warning("each", data.place, message, { path, hint });
}
