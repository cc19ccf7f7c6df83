/** The translations of a manifest: content layers that a language chooses, and the values of the layers before them. */
import { createHash } from "node:crypto";
import { dirname, extname, join } from "node:path";
import { z } from "zod";
import { readXliff } from "../data/xliff.ts";
import type { Entry, Manifest } from "../declare/model.ts";
import type { Json } from "../../provider/values/json.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import { placeholdersIn } from "../../provider/values/placeholders.ts";
import { below } from "../language/addresses.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import type { Place, SourceFile } from "../source/file.ts";
import { readKeptFile } from "../source/folder.ts";
import { locate } from "../source/parse.ts";
import { type Home, homeOf, isSame } from "../declare/texts.ts";

interface Said {
  readonly text: string;
  readonly place: Place;
}

export interface Translation {
  /** The first entry that takes it. */
  readonly entry: Entry;
  /** Addresses of the other entries that take it. */
  readonly others: string[];
  readonly key: string;
  /** The path in the manifest. */
  readonly path: string;
  readonly locale: string;
  readonly source: Said;
  readonly target: Said | undefined;
  /** The file and column of the translation. */
  readonly home: Home;
}

/** Returns each text once, even if several entries take it from the same file. */
export function translationsIn(manifest: Manifest): Translation[] {
  const found = new Map<string, Translation>();
  for (const entry of manifest.entries) {
    for (const layer of entry.localized ?? []) {
      const home = homeOf(layer, dirname(manifest.root.path));
      for (const [key, source] of layer.under) {
        const own = layer.own.get(key);
        if (typeof source.value !== "string" || (own !== undefined && typeof own.value !== "string")) continue;
        const id = JSON.stringify([home.name, key]);
        // A text that two layers share is not its own translation.
        if (own !== undefined && isSame(own.place, source.place)) continue;
        const known = found.get(id);
        if (known !== undefined) {
          known.others.push(entry.address);
          continue;
        }
        found.set(id, {
          entry,
          others: [],
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

/** `untracked`: nobody has recorded its source since it was written. */
export type Standing = "open" | "fresh" | "stale" | "untracked";

/** The changes of a plan to the texts of the last run. */
export interface ChangedTexts {
  /** The places of changed texts, in the form of `locate`. */
  readonly places: ReadonlySet<string>;
  /** Paths of texts that lost their translation: the source replaces it. */
  readonly fallen: ReadonlySet<string>;
  /** Addresses of new pages: no visitor has seen a stale translation there. */
  readonly made: ReadonlySet<string>;
  /** Resources that the plan deletes, each as its type and its name. */
  readonly gone: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
  /** The values of the last run, by address and path in the inputs: see `valueName`. */
  readonly was: ReadonlyMap<string, Json>;
}

export function valueName(address: string, path: readonly PropertyKey[]): string {
  return `${address} ${propertyPath(path)}`;
}

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

/** Returns the translations that have not changed since their source did. */
export function staleIn(translations: readonly Translation[], record: CopyRecord): Translation[] {
  const standing = standingIn(translations, record);
  return translations.filter((one) => standing.get(one) === "stale");
}

/** The texts of `de-AT` may well be those of `de`. */
export function languageOf(locale: string): string {
  return locale.split(/[-_]/)[0] ?? locale;
}

export function isXliff(path: string): boolean {
  return [".xlf", ".xliff"].includes(extname(path).toLowerCase());
}

/** The sources in XLIFF files, which stand beside their translations. */
export class XliffSources {
  readonly #files = new Map<SourceFile, ReadonlyMap<string, string>>();

  of(file: SourceFile, key: string): string | undefined {
    if (!isXliff(file.path)) return undefined;
    const units = this.#files.has(file) ? undefined : readXliff(file, new Diagnostics())?.units;
    const known = this.#files.get(file) ?? new Map(units?.map(({ id, source }) => [id, source.text]));
    this.#files.set(file, known);
    return known.get(key);
  }
}

/** Says how the placeholders of two texts differ. Translators may move and repeat them, but not drop or add any. */
export function differenceOf(source: string, target: string): string | undefined {
  const [before, after] = [namesIn(source), namesIn(target)];
  const without = (one: Set<string>, other: Set<string>): string =>
    [...one].filter((name) => !other.has(name)).join(", ");
  const [lost, made] = [without(before, after), without(after, before)];
  const parts = [lost && `has lost ${lost}`, made && `has ${made}, which the source has not`];
  return parts.filter(Boolean).join(", and ") || undefined;
}

function namesIn(text: string): Set<string> {
  return new Set(placeholdersIn(text).map((name) => `{{${name}}}`));
}

// The source of each translation: a digest of both, in a committed file beside the manifest. A translation is stale if its source has changed since
// and it has not. XLIFF needs no record, because it holds its sources.

export const COPY_FILE = "landform.copy.json";

const format = z.strictObject({
  landformCopy: z.literal(1),
  /** By file relative to the manifest, with its column if it has several; then by key. */
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

  /** Sorts the entries, so that a diff shows the new ones and branches rarely change the same line. Undefined if there is nothing to keep. */
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
