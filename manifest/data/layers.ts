/** What stands for keys and values: files and folders, and for a language the nearest of several. */
import type { Diagnostics } from "../source/diagnostics.ts";
import type { Asking, DataFile, DataFiles } from "./files.ts";
import { layerOf, layerOfMap, soundLayer, localeChain, type Columns, type Layer } from "./overlay.ts";

export interface FileLayer extends Columns {
  readonly file: string;
  /** Chooses the files where the name has a `*`, and else the columns of a CSV file: `de` first, `de-AT` over it. */
  readonly locale?: string | undefined;
}

/** The texts of a folder: the name of each file is a key. */
export interface FolderLayer {
  readonly folder: string;
}

/** In their order; undefined where one can't be had, which is told. */
export function readLayers(
  layer: FileLayer | FolderLayer,
  data: DataFiles,
  diagnostics: Diagnostics,
  asking: Asking & { readonly mayBeMissing?: "told" | "silently" },
): readonly Layer[] | undefined {
  if ("folder" in layer) {
    const texts = data.texts(layer.folder, asking);
    return texts && whole([soundLayer(layerOfMap(texts), diagnostics, asking)]);
  }
  const { file, locale, ...columns } = layer;
  if (locale === undefined) return whole([open(file, columns)]);
  const chain = localeChain(locale);
  if (file.includes("*")) return byName();
  const found = data.open(file, asking);
  return found && byColumn(found);

  function open(name: string, of: Columns): Layer | undefined {
    const opened = data.open(name, asking);
    return opened && layerOf(opened, of, diagnostics, asking);
  }

  function byName(): readonly Layer[] | undefined {
    const names = chain.map((tag) => file.replaceAll("*", tag));
    const there = names.filter((name) => data.folder.has(asking.from, name));
    if (there.length > 0) return whole(there.map((name) => open(name, columns)));
    if (asking.mayBeMissing !== undefined) return untranslated(names);
    tell(`there is none of ${names.join(", ")}`, "Add one of them, or take another locale.");
    return undefined;
  }

  function byColumn({ file: source, data: rows }: DataFile): readonly Layer[] | undefined {
    const [row] = rows.kind === "list" ? rows.items : [];
    const names = row?.kind === "map" ? [...row.entries.keys()] : [];
    const there = chain.filter((tag) => names.includes(tag));
    if (there.length > 0) return whole(there.map((value) => open(file, { ...columns, value })));
    if (asking.mayBeMissing !== undefined)
      return untranslated([`${source.name} with the column ${chain.join(" or ")}`]);
    const hint = `Its columns are ${names.join(", ")}. Or put a * into the name of the file, where the locale stands.`;
    tell(`${source.name} has no column ${chain.join(" or ")}`, hint);
    return undefined;
  }

  /** A language that nobody has translated into yet: the texts stand that it is translated from. */
  function untranslated(names: readonly string[]): readonly Layer[] {
    if (asking.mayBeMissing === "silently" || !data.isNews(`${names.join()} is missing`)) return [];
    const message = `${asking.path}: there is no ${names.join(" or ")} yet: the texts that are translated stand`;
    const hint = "npx landform copy extract writes them for translators, and copy import takes them back.";
    diagnostics.warning("data", asking.place, message, { path: asking.path, hint });
    return [];
  }

  function tell(problem: string, hint: string): void {
    const message = asking.path === "" ? problem : `${asking.path}: ${problem}`;
    diagnostics.error("data", asking.place, message, { path: asking.path, hint });
  }
}

/** What the language says that is translated from, where it is another one. Empty where there is none. */
export function sourceLayers(
  layer: FileLayer | FolderLayer,
  source: string | undefined,
  data: DataFiles,
  diagnostics: Diagnostics,
  asking: Asking,
): readonly Layer[] {
  if (!("file" in layer) || layer.locale === undefined || source === undefined) return [];
  const { file, locale } = layer;
  if (localeChain(locale).includes(source)) return [];
  const names = localeChain(source).map((tag) => file.replaceAll("*", tag));
  if (!names.some((name) => data.folder.has(asking.from, name))) return [];
  return readLayers({ ...layer, locale: source }, data, diagnostics, { ...asking, mayBeMissing: "told" }) ?? [];
}

function whole(layers: readonly (Layer | undefined)[]): readonly Layer[] | undefined {
  return layers.every((one) => one !== undefined) ? layers : undefined;
}
