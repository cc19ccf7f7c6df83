/** The translations that a manifest takes: layers of content that are chosen by a language, over what the layers before say. */
import { createHash } from "node:crypto";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { readXliff, type Xliff } from "../data/xliff.ts";
import type { Entry, Localized, Manifest } from "../declare/model.ts";
import { below } from "../language/addresses.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import type { Place, SourceFile } from "../source/file.ts";
import { readKeptFile } from "../source/folder.ts";
import { locate } from "../source/parse.ts";
import type { Home } from "../write/data.ts";

interface Said {
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

interface Difference {
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

// Of which source each translation is: a digest of both, in a file beside the manifest that is committed. A translation is
// stale where its source has moved since, and it has not. XLIFF needs no record: it holds its sources itself.

export const COPY_FILE = "landform.copy.json";

const format = z.strictObject({
  landformCopy: z.literal(1),
  /** By file, relative to the manifest, with its column where it has several; by key. */
  translations: z.record(z.string(), z.record(z.string(), z.string().regex(/^[\w-]{16} [\w-]{16}$/))),
});

interface Recorded {
  readonly source: string;
  readonly target: string;
}

export class CopyRecord {
  readonly #files = new Map<string, Map<string, string>>();

  static read(folder: string): CopyRecord {
    const remedy = "Take back the change to it, or remove it: then no translation is known to be stale";
    const kept = readKeptFile(join(folder, COPY_FILE), format, remedy);
    const record = new CopyRecord();
    for (const [name, keys] of Object.entries(kept?.translations ?? {}))
      record.#files.set(name, new Map(Object.entries(keys)));
    return record;
  }

  of(file: string, key: string): Recorded | undefined {
    const [source = "", target = ""] = this.#files.get(file)?.get(key)?.split(" ") ?? [];
    return source === "" ? undefined : { source, target };
  }

  set(file: string, key: string, texts: { readonly source: string; readonly target: string }): void {
    const keys = this.#files.get(file) ?? new Map<string, string>();
    keys.set(key, `${digestOf(texts.source)} ${digestOf(texts.target)}`);
    this.#files.set(file, keys);
  }

  /** Sorted, so that a difference shows what is new, and two branches rarely write the same line. Undefined where nothing is kept. */
  text(): string | undefined {
    if (this.#files.size === 0) return undefined;
    const translations = sorted(this.#files).map(([file, keys]) => [file, Object.fromEntries(sorted(keys))] as const);
    return `${JSON.stringify({ landformCopy: 1, translations: Object.fromEntries(translations) }, undefined, 2)}\n`;
  }
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
