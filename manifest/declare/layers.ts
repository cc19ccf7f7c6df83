/** Keys and values that come from files and folders, in layers and languages. */
import { isScalar, type YAMLMap } from "yaml";
import type { Json } from "../../provider/values/json.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { jsonOf, localeChain, overlaid, readLayers, sourceLayers, type DataValue, type Layer } from "../data/index.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { below } from "../language/addresses.ts";
import { layerFormOf, layerForms, type LayerForm } from "../language/forms.ts";
import type { Place } from "../source/file.ts";
import { FAULTY } from "./faults.ts";
import type { FormReader } from "./fill.ts";
import type { At, LayerTexts, Localized, Spot, Tree, TreeMap, Reading } from "./model.ts";

export class ContentLayers {
  /** What is a translation, and of what. */
  readonly localized: Localized[] = [];
  readonly #in: Reading;
  readonly #forms: FormReader;
  readonly #spots: Map<string, Spot>;
  readonly #sourceLocale: string | undefined;

  /** `spots`: where each value stands, to which the values of files are added. */
  constructor(reading: Reading, forms: FormReader, spots: Map<string, Spot>, sourceLocale: string | undefined) {
    this.#in = reading;
    this.#forms = forms;
    this.#spots = spots;
    this.#sourceLocale = sourceLocale;
  }

  /** The keys and values of a file or a folder. Texts are taken as they stand there. */
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
    const form = this.#forms.read(map, layerForms[name], name, at, undefined);
    if (!form) return FAULTY;
    const asking = { from: at.place.file.path, place: at.place, path: at.path };
    const source = sourceLayers(form, this.#sourceLocale, this.#in.data, this.#in.diagnostics, asking);
    const hasSource = Object.keys(before).length + source.length > 0;
    const mayBeMissing = this.#isSource(form) ? "silently" : "told";
    const layers = readLayers(form, this.#in.data, this.#in.diagnostics, {
      ...asking,
      ...(hasSource && { mayBeMissing }),
    });
    if (!layers) return FAULTY;
    this.#keepLocalized(form, { source, own: layers, before }, at);
    const values: TreeMap = {};
    for (const { key, value, place, over } of overlaid([...source, ...layers]).values()) {
      const input = propertyPath([...at.input, key]);
      const under = [...over.map((one) => one.place), ...placesIn(this.#spots.get(input))];
      const path = below(at.path, key);
      this.#spots.set(input, { place, path, by: at.place, ...(under.length > 0 && { over: under }) });
      values[key] = jsonOf(value);
      warnOfExpressions(value, path, this.#in.diagnostics);
    }
    return values;
  }

  /** Of the language that everything is translated from, or of one that is nearer to it: there is nothing to translate. */
  #isSource(form: LayerForm): boolean {
    if (!("file" in form) || form.locale === undefined || this.#sourceLocale === undefined) return false;
    return localeChain(form.locale).includes(this.#sourceLocale);
  }

  /** What is translated, and from what: the texts of the layers before, and of the language that is translated from. */
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

/** What stands under a value that comes over it. */
function placesIn(spot: Spot | undefined): readonly Place[] {
  return spot ? [spot.place, ...(spot.over ?? [])] : [];
}

/** Translators' files are texts, and whoever wrote an expression into one meant something else. */
function warnOfExpressions(data: DataValue, path: string, diagnostics: Diagnostics): void {
  if (data.kind !== "scalar" || typeof data.value !== "string") return;
  const [found] = /\$\{(?:each\.|config\.|stack\})/.exec(data.value) ?? [];
  if (found === undefined) return;
  diagnostics.warning(
    "each",
    data.place,
    `${path}: nothing fills in ${found}… in a data file: the text is taken as it is`,
    {
      path,
      hint: "Use {{name}} and the page's variables, or write the text in the manifest.",
    },
  );
}
