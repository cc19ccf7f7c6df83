/** The translations that a manifest takes: layers of content that are chosen by a language, over what the layers before say. */
import { extname, relative, resolve, dirname, sep } from "node:path";
import type { Entry, Localized, Manifest } from "../declare/model.ts";
import type { Place, SourceFile } from "../source/file.ts";
import { below } from "../language/addresses.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import { locate } from "../source/parse.ts";
import { type CopyRecord, digestOf } from "./record.ts";
import { readXliff, type Xliff } from "../data/xliff.ts";
import type { Home } from "../write/data.ts";

export interface Said {
  readonly text: string;
  readonly place: Place;
}

export interface Translation {
  /** The first that takes it. */
  readonly entry: Entry;
  /** Content key. */
  readonly key: string;
  /** In the manifest's words. */
  readonly path: string;
  readonly locale: string;
  readonly source: Said;
  readonly target: Said | undefined;
  /** Where the translation is to be written. */
  readonly home: Home;
}

/** Each text once, however many take it from the same file. */
export function translationsIn(manifest: Manifest): Translation[] {
  const found = new Map<string, Translation>();
  for (const entry of manifest.entries) {
    for (const layer of entry.localized ?? []) {
      const home = homeOf(layer, manifest);
      for (const [key, source] of layer.under) {
        const own = layer.own.get(key);
        if (typeof source.value !== "string" || (own !== undefined && typeof own.value !== "string")) continue;
        const id = JSON.stringify([home.name, key]);
        // One text that two layers take is no translation of itself.
        if (found.has(id) || (own !== undefined && isSame(own.place, source.place))) continue;
        found.set(id, {
          entry,
          key,
          path: below(`${entry.address}.content`, key),
          locale: layer.locale,
          source: { text: source.value, place: source.place },
          target: own && { text: own.value as string, place: own.place },
          home,
        });
      }
    }
  }
  return [...found.values()];
}

function isSame(a: Place, b: Place): boolean {
  return a.file.path === b.file.path && a.start === b.start;
}

function homeOf({ file, from, locale, columns }: Localized, { root }: Manifest): Home {
  const byName = file.includes("*");
  const path = resolve(dirname(from), file.replaceAll("*", locale));
  const name = relative(dirname(root.path), path).split(sep).join("/");
  const { key = "key", value = "value" } = columns;
  return byName
    ? { path, name, columns: { key, value } }
    : { path, name: `${name}#${locale}`, columns: { key, value: locale } };
}

/** `untracked`: of which source it is, nobody has said since it was written. */
export type Standing = "open" | "fresh" | "stale" | "untracked";

/** What a plan changes of the texts that the last run applied. */
export interface ChangedTexts {
  /** Where texts stand that say something else now, as `locate` has it. */
  readonly places: ReadonlySet<string>;
  /** Paths of texts that were translated, and are not any more: the source stands instead. */
  readonly fallen: ReadonlySet<string>;
  /** Addresses of what is made anew: no visitor has seen a translation of it that is behind. */
  readonly made: ReadonlySet<string>;
}

/** How each translation stands to its source. */
export function standingIn(
  translations: readonly Translation[],
  record: CopyRecord,
  changed?: ChangedTexts,
): ReadonlyMap<Translation, Standing> {
  const sources = new XliffSources();
  return new Map(translations.map((one) => [one, standingOf(one)] as const));

  function standingOf({ source, target, key, home }: Translation): Standing {
    if (target === undefined) return "open";
    const inFile = sources.of(target.place.file, key);
    if (inFile !== undefined) return inFile === source.text ? "fresh" : "stale";
    const known = record.of(home.name, key);
    if (known?.target === digestOf(target.text)) return known.source === digestOf(source.text) ? "fresh" : "stale";
    const isLeft = changed?.places.has(locate(source.place)) === true && !changed.places.has(locate(target.place));
    return isLeft ? "stale" : "untracked";
  }
}

/** Whose source has moved since, and they haven't. */
export function staleIn(translations: readonly Translation[], record: CopyRecord): Translation[] {
  const standing = standingIn(translations, record);
  return translations.filter((one) => standing.get(one) === "stale");
}

/** A language of which most texts have no translation any more, in one file or column: it was hardly meant. */
export interface LostLanguage {
  readonly locale: string;
  /** The file, with its column. */
  readonly home: string;
  readonly emptied: readonly Translation[];
}

/** By what the last run applied, and by the record, which knows what was translated once. */
export function lostLanguages(
  translations: readonly Translation[],
  record: CopyRecord,
  changed?: ChangedTexts,
): LostLanguage[] {
  const wasThere = ({ home, key, path }: Translation): boolean =>
    changed?.fallen.has(path) === true || record.of(home.name, key) !== undefined;
  return [...Map.groupBy(translations, ({ home }) => home.name)].flatMap(([home, own]) => {
    const emptied = own.filter((one) => one.target === undefined && wasThere(one));
    const left = own.filter(({ target }) => target !== undefined);
    const [first] = emptied;
    return first && emptied.length > left.length ? [{ locale: first.locale, home, emptied }] : [];
  });
}

export function isXliff(path: string): boolean {
  return [".xlf", ".xliff"].includes(extname(path).toLowerCase());
}

/** What a translation in XLIFF is one of stands beside it. */
export class XliffSources {
  readonly #files = new Map<SourceFile, ReadonlyMap<string, string>>();

  of(file: SourceFile, key: string): string | undefined {
    if (!isXliff(file.path)) return undefined;
    const known = this.#files.get(file) ?? sourcesIn(readXliff(file, new Diagnostics()));
    this.#files.set(file, known);
    return known.get(key);
  }
}

function sourcesIn(xliff: Xliff | undefined): ReadonlyMap<string, string> {
  return new Map(xliff?.units.map(({ id, source }) => [id, source.text]));
}

/** The {{placeholders}} of a text: translators may move them, and neither lose nor make any. */

const PLACEHOLDER = /\{\{\s*[^{}]+?\s*\}\}/g;

export interface Difference {
  readonly lost: readonly string[];
  readonly made: readonly string[];
}

/** Undefined where both texts have the same ones; how often each stands there is the translator's business. */
export function differenceOf(source: string, target: string): Difference | undefined {
  const [before, after] = [namesIn(source), namesIn(target)];
  const lost = [...before].filter((name) => !after.has(name));
  const made = [...after].filter((name) => !before.has(name));
  return lost.length + made.length === 0 ? undefined : { lost, made };
}

export function differenceText({ lost, made }: Difference): string {
  const parts = [
    ...(lost.length > 0 ? [`has lost ${lost.join(", ")}`] : []),
    ...(made.length > 0 ? [`has ${made.join(", ")}, which the source has not`] : []),
  ];
  return parts.join(", and ");
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(PLACEHOLDER)].map(([whole]) => `{{${whole.slice(2, -2).trim()}}}`));
}
