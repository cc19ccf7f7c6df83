/** Fills in texts: `${each.…}` at once, `${stack}` and `${config.…}` when the program runs. */
import { isScalar, type YAMLMap } from "yaml";
import type { z } from "zod";
import { inputWording } from "../../provider/values/wording.ts";
import type { Json } from "../../provider/values/json.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { type DataScalar, type DataValue, jsonOf } from "../data/value.ts";
import { isSendable, type Layer, overlaid, readLayers, sourceLayers } from "../data/layers.ts";
import { below } from "../language/addresses.ts";
import { localeChain } from "../language/locales.ts";
import {
  coerce,
  isFault,
  type LayerForm,
  layerFormOf,
  layerForms,
  type TextPart,
  textParts,
  type Wanted,
} from "../language/forms.ts";
import { type Diagnostics, Told, unlessTold } from "../source/diagnostics.ts";
import type { Place } from "../source/file.ts";
import { locate } from "../source/parse.ts";
import { fault, FAULTY, textHint } from "./faults.ts";
import {
  type At,
  Deferred,
  type LayerTexts,
  type Localized,
  type Origin,
  type Reading,
  type Spot,
  type Tree,
  type TreeMap,
} from "./model.ts";
import { fieldAt, type Row, textOf } from "./rows.ts";

export interface Filled {
  /** Undefined if the field of the row says nothing, so that nothing is declared. */
  readonly value: Tree | undefined;
  /** The places of the data. */
  readonly from: readonly Place[];
}

const EXPRESSION_HINT =
  "Write ${each.x}, ${stack} or ${config.x}; { env: } or { ref: } for other values, {{name}} for one of the page's variables, or $${ for the characters themselves.";

export class Filler {
  readonly #row: Row | undefined;
  readonly #diagnostics: Diagnostics;

  constructor(row: Row | undefined, diagnostics: Diagnostics) {
    this.#row = row;
    this.#diagnostics = diagnostics;
  }

  /** Returns undefined if the text can't be filled in, and reports why. */
  text(text: string, wanted: Wanted, at: At): Filled | undefined {
    return unlessTold(() => this.#text(text, wanted, at));
  }

  #text(text: string, wanted: Wanted, at: At): Filled {
    const parts = textParts(text);
    if (isFault(parts)) {
      if (parts.fault === "open")
        return this.#tell("invalid-value", at, `the \${ is never closed`, "Write $${ for the characters themselves.");
      return this.#tell("invalid-value", at, `there is no value for ${parts.written}`, EXPRESSION_HINT);
    }
    const [only] = parts;
    if (parts.length > 1) return this.#joined(parts, wanted, at);
    if (only === undefined || typeof only === "string") return { value: only ?? "", from: [] };
    if (only.from === "each") return this.#whole(only, wanted, at);
    return { value: new Deferred(originOf(only), wanted, at.place, at.path), from: [] };
  }

  #whole(part: Extract<TextPart, { from: "each" }>, wanted: Wanted, at: At): Filled {
    const data = this.#field(part, at);
    const from = [data.place];
    if (wanted === "json" && !(data.kind === "scalar" && data.value === null)) this.#refuseUnsendable(data, at);
    if (data.kind !== "scalar")
      return wanted === "json" ? { value: jsonOf(data), from } : this.#structured(part.written, data, at);
    if (data.value === null) return { value: undefined, from };
    if (typeof data.value === "string") return this.#fitting(data.value, wanted, part.written, { ...at, from });
    return { value: wanted === "text" ? textOf(data) : data.value, from };
  }

  #refuseUnsendable(data: DataValue, { path }: At): void {
    if (!isSendable(data, data.place, path, this.#diagnostics)) throw new Told();
  }

  #fitting(text: string, wanted: Wanted, written: string, at: At): Filled {
    const value = coerce(text, wanted);
    if (value !== undefined) return { value, from: at.from ?? [] };
    return this.#tell("invalid-value", at, `takes a ${wanted}, and ${written} is "${text}"`, textHint(wanted, text));
  }

  #joined(parts: readonly TextPart[], wanted: Wanted, at: At): Filled {
    const from: Place[] = [];
    const filled: (string | Deferred)[] = [];
    for (const part of parts) {
      let text: string | Deferred;
      if (typeof part === "string") text = part;
      else if (part.from === "each") {
        const data = this.#field(part, at);
        if (data.kind !== "scalar") return this.#structured(part.written, data, at);
        from.push(data.place);
        text = textOf(data);
      } else text = new Deferred(originOf(part), "text", at.place, at.path);
      const before = filled.at(-1);
      if (typeof text === "string" && typeof before === "string") filled[filled.length - 1] = before + text;
      else filled.push(text);
    }
    const [only] = filled;
    if (filled.length > 1 || typeof only !== "string")
      return { value: new Deferred({ from: "text", parts: filled }, wanted, at.place, at.path), from };
    return this.#fitting(only, wanted, "it", { ...at, from });
  }

  #field({ path, written }: Extract<TextPart, { from: "each" }>, at: At): DataValue {
    const row = this.#row;
    if (!row)
      return this.#tell(
        "each",
        at,
        `${written} is used in an entry that has no each`,
        "Add each: to the entry, or write $${ for the characters themselves.",
      );
    const found = fieldAt(row.fields, path);
    if (!("unknown" in found)) return found;
    const message = `there is no ${written}${didYouMean(found.unknown, found.known)}`;
    const related = [{ place: found.row, message: "this row has none" }];
    const has = found.known.length === 0 ? "" : `, which has ${found.known.join(", ")}`;
    this.#diagnostics.error("each", at.place, `${at.path}: ${message}`, {
      path: at.path,
      hint: `The row is at ${locate(found.row)}${has}.`,
      related,
    });
    throw new Told();
  }

  #structured(written: string, data: Exclude<DataValue, DataScalar>, at: At): never {
    const from = [data.place];
    return this.#tell(
      "each",
      { ...at, from },
      `${written} is a ${data.kind}, and a text takes one value`,
      "Name one of its fields.",
    );
  }

  #tell(code: "each" | "invalid-value", { path, place, from }: At, message: string, hint: string | undefined): never {
    this.#diagnostics.error(code, place, `${path}: ${message}`, {
      path,
      hint,
      from,
    });
    throw new Told();
  }
}

function originOf(part: Exclude<TextPart, string | { from: "each" }>): Origin {
  return part.from === "stack" ? { from: "stack" } : { from: "config", key: part.key, fallback: undefined };
}

/** Returns a form with its texts filled in. Returns undefined if the map is no valid form, and reports it. */
export function readForm<Schema extends z.ZodType>(
  reading: Reading,
  filler: Filler,
  map: YAMLMap,
  schema: Schema,
  name: string,
  at: At,
  hint: string | undefined,
): z.infer<Schema> | undefined {
  const given = reading.reader.json(map, at.path);
  const filled = Object.entries(given as Record<string, Json>).map(([key, value]) => {
    if (typeof value !== "string") return [key, value] as const;
    const found = filler.text(value, "text", at);
    if (found?.value instanceof Deferred) {
      fault(
        reading,
        at,
        `: { ${name}: } can't have \${stack} or \${config.x}: Landform reads the file before it knows them`,
        "It can have ${each.x}.",
      );
      return [key, FAULTY] as const;
    }
    return [key, found ? (found.value ?? "") : FAULTY] as const;
  });
  if (filled.some(([, value]) => value === FAULTY)) return undefined;
  const found = schema.safeParse(Object.fromEntries(filled), { error: inputWording });
  if (found.success) return found.data;
  const reasons = found.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`).join("; ");
  fault(reading, at, `: { ${name}: } can't be used: ${reasons}`, hint);
  return undefined;
}

export class ContentLayers {
  /** The translated layers and their sources. */
  readonly localized: Localized[] = [];
  readonly #in: Reading;
  readonly #filler: Filler;
  readonly #spots: Map<string, Spot>;
  readonly #sourceLocale: string | undefined;
  /** The texts that are in the language of their layer. The source language of a later layer does not come over them. */
  readonly #translated = new Set<Spot>();

  /** `spots`: the place of each value. The layers add the values of files to it. */
  constructor(reading: Reading, filler: Filler, spots: Map<string, Spot>, sourceLocale: string | undefined) {
    this.#in = reading;
    this.#filler = filler;
    this.#spots = spots;
    this.#sourceLocale = sourceLocale;
  }

  /** Reads the keys and values of a file or a folder. It takes texts as they stand there. */
  read(map: YAMLMap, at: At, before: TreeMap = {}): Tree | undefined {
    const keys = map.items.flatMap(({ key }) =>
      isScalar(key) ? [{ name: String(key.value), plain: key.type === "PLAIN" }] : [],
    );
    const name = layerFormOf(keys);
    if (
      name === undefined ||
      map.items.some(({ key, value }) => isScalar(key) && key.value === name && !isScalar(value))
    )
      return undefined;
    const form = readForm(this.#in, this.#filler, map, layerForms[name], name, at, undefined);
    if (!form) return FAULTY;
    const asking = { from: at.place.file.path, place: at.place, path: at.path };
    const isTranslated = (key: string): boolean => {
      const spot = this.#spots.get(propertyPath([...at.input, key]));
      return spot !== undefined && this.#translated.has(spot);
    };
    const isAfterSource = Object.keys(before).length > 0;
    const source = sourceLayers(form, this.#sourceLocale, this.#in.data, this.#in.diagnostics, {
      ...asking,
      mayBeMissing: isAfterSource ? "silently" : "told",
    });
    const fallback = source.map((layer) => new Map([...layer].filter(([key]) => !isTranslated(key))));
    const hasSource = isAfterSource || source.length > 0;
    const mayBeMissing = this.#isSource(form) ? "silently" : "told";
    const layers = readLayers(form, this.#in.data, this.#in.diagnostics, {
      ...asking,
      source: this.#sourceLocale,
      ...(hasSource && { mayBeMissing }),
    });
    if (!layers) return FAULTY;
    this.#keepLocalized(form, { source, own: layers, before }, at);
    const values: TreeMap = {};
    for (const { key, value, place, over } of overlaid([...fallback, ...layers]).values()) {
      const input = propertyPath([...at.input, key]);
      const under = [...over.map((one) => one.place), ...placesIn(this.#spots.get(input))];
      const path = below(at.path, key);
      const spot = { place, path, by: at.place, ...(under.length > 0 && { over: under }) };
      this.#spots.set(input, spot);
      if ("file" in form && form.locale !== undefined && layers.some((layer) => layer.has(key)))
        this.#translated.add(spot);
      values[key] = jsonOf(value);
      warnOfExpressions(value, path, this.#in.diagnostics);
    }
    return values;
  }

  /** Tells if the form is in the source language, or in a parent of it: then there is nothing to translate. */
  #isSource(form: LayerForm): boolean {
    if (!("file" in form) || form.locale === undefined || this.#sourceLocale === undefined) return false;
    return localeChain(form.locale).includes(this.#sourceLocale);
  }

  /** Notes the translated texts and their sources: the layers before, and the source language. */
  #keepLocalized(
    form: LayerForm,
    { source, own, before }: { source: readonly Layer[]; own: readonly Layer[]; before: TreeMap },
    at: At,
  ): void {
    if (!("file" in form) || form.locale === undefined || form.locale === this.#sourceLocale) return;
    const { file, locale, key, value } = form;
    const under = new Map<string, { value: Json; place: Place }>();
    for (const [name, said] of Object.entries(before)) {
      const place = this.#spots.get(propertyPath([...at.input, name]))?.place;
      if (place && typeof said === "string") under.set(name, { value: said, place });
    }
    for (const [name, said] of textsOf(source)) under.set(name, said);
    const from = at.place.file.path;
    this.localized.push({ locale, file, from, columns: { key, value }, under, own: textsOf(own) });
  }
}

function textsOf(layers: readonly Layer[]): LayerTexts {
  return new Map(
    [...overlaid(layers)].map(([key, { value, place }]) => [key, { value: jsonOf(value), place }] as const),
  );
}

/** Returns the places that a value hides when it comes over this one. */
function placesIn(spot: Spot | undefined): readonly Place[] {
  return spot ? [spot.place, ...(spot.over ?? [])] : [];
}

/** Warns of expressions in data files, which nothing fills in. */
function warnOfExpressions(data: DataValue, path: string, diagnostics: Diagnostics): void {
  if (data.kind !== "scalar" || typeof data.value !== "string") return;
  const [found] = /\$\{(?:each\.|config\.|stack\})/.exec(data.value) ?? [];
  if (found === undefined) return;
  diagnostics.warning(
    "each",
    data.place,
    `${path}: Landform does not fill in ${found}… in a data file: visitors read it as it is`,
    {
      path,
      hint: "Use {{name}} and the page's variables, or write the text in the manifest.",
    },
  );
}
