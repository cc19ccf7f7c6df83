/** Languages and translations that a change loses, probably by mistake. */
import { scanCsv } from "../data/csv.ts";
import { readXliff } from "../data/xliff.ts";
import type { Entry, Manifest } from "../declare/model.ts";
import { keysIn } from "../declare/rows.ts";
import { Diagnostics } from "../source/diagnostics.ts";
import type { Place } from "../source/file.ts";
import { locate } from "../source/parse.ts";
import { digestOf, isXliff, languageOf, valueName } from "./translations.ts";
import type { ChangedTexts, CopyRecord, Translation } from "./translations.ts";

/** A language that has lost most of its translations in one file or column, probably by mistake. */
export interface LostLanguage {
  readonly locale: string;
  /** The file, with its column. */
  readonly home: string;
  readonly emptied: readonly Translation[];
}

export interface Lost {
  readonly languages: readonly LostLanguage[];
  /** Translations that are gone, of languages that keep most of theirs. */
  readonly single: readonly Translation[];
}

/** Compares with the values of the last run, and with the record, which knows all earlier translations. */
export function lostIn(translations: readonly Translation[], record: CopyRecord, changed?: ChangedTexts): Lost {
  const wasThere = ({ entry, home, key, path, target }: Translation): boolean => {
    const accepted = record.of(home.name, key)?.target;
    const isChanged = target !== undefined && Boolean(changed?.was.get(valueName(entry.address, ["content", key])));
    const now = digestOf(target?.text ?? "");
    return changed?.fallen.has(path) === true || isChanged || (accepted !== undefined && accepted !== now);
  };
  const languages: LostLanguage[] = [];
  const single: Translation[] = [];
  for (const [home, own] of Map.groupBy(translations, (one) => one.home.name)) {
    const emptied = own.filter((one) => (isEmpty(one) || isOriginal(one)) && wasThere(one));
    const left = own.filter((one) => !isEmpty(one) && !emptied.includes(one));
    const [first] = emptied;
    if (first && emptied.length > left.length) languages.push({ locale: first.locale, home, emptied });
    else single.push(...emptied.filter(({ target }) => target === undefined));
  }
  return { languages, single };
}

function isEmpty({ target, source }: Translation): boolean {
  return target === undefined || (target.text.trim() === "" && source.text.trim() !== "");
}

/** Tells if the original text stands in the place of the translation. */
export function isOriginal({ target, source }: Translation): boolean {
  return target?.text === source.text;
}

/** A file or column that holds the texts of another one. */
export interface ExchangedLanguage {
  readonly locale: string;
  readonly home: string;
  /** The language or the source whose texts stand there. */
  readonly holds: string;
  readonly moved: readonly Translation[];
}

/** One text may be the same in two languages. */
const FEWEST_MOVED = 2;

/** Compares with the translations of the last run, and with the accepted ones. Without them nobody knows a language by its texts. */
export function exchangedLanguages(
  translations: readonly Translation[],
  record: CopyRecord,
  changed?: ChangedTexts,
): ExchangedLanguage[] {
  const bySource = Map.groupBy(translations, ({ key, source }) => `${locate(source.place)} ${key}`);
  return [...Map.groupBy(translations, ({ home }) => home.name)].flatMap(([home, own]) => {
    const known = own.filter((one) => one.target !== undefined && acceptedOf(one) !== undefined);
    const moved = Map.groupBy(known, holderOf);
    moved.delete(undefined);
    const [[holds, found] = [undefined, []]] = [...moved].sort(([, a], [, b]) => b.length - a.length);
    const [first] = found;
    if (first === undefined || holds === undefined || found.length < FEWEST_MOVED) return [];
    return found.length * 2 > known.length ? [{ locale: first.locale, home, holds, moved: found }] : [];
  });

  function acceptedOf({ entry, key, home, target }: Translation): string | undefined {
    const was = changed?.was.get(valueName(entry.address, ["content", key]));
    if (typeof was === "string") return digestOf(was);
    // A text that the plan leaves alone is deployed.
    const isDeployed = changed !== undefined && !changed.made.has(entry.address);
    return record.of(home.name, key)?.target ?? (isDeployed && target ? digestOf(target.text) : undefined);
  }

  function holderOf(one: Translation): string | undefined {
    const { key, locale, source, target } = one;
    const [accepted, now] = [acceptedOf(one), target && digestOf(target.text)];
    if (now === undefined || now === accepted || target?.text === source.text) return undefined;
    // The source has become the former translation. A page without a translation had the source's text, too.
    if (accepted === digestOf(source.text) && hasMoved(one)) return "source";
    const others = bySource.get(`${locate(source.place)} ${key}`) ?? [];
    return others.find((other) => languageOf(other.locale) !== languageOf(locale) && acceptedOf(other) === now)?.locale;
  }

  function hasMoved({ home, key, source }: Translation): boolean {
    const recorded = record.of(home.name, key)?.source;
    return (
      changed?.places.has(locate(source.place)) === true ||
      (recorded !== undefined && recorded !== digestOf(source.text))
    );
  }
}

/** A language whose pages go, while the same pages come in another one. */
export interface ReplacedLanguage {
  readonly was: string;
  readonly now: string;
  /** The new language, in its table. */
  readonly place: Place;
  /** The address of the first new page. */
  readonly path: string;
  readonly pages: readonly string[];
}

/** A page's name has its language in it, because the key of the row does. */
export function replacedLanguages({ entries }: Manifest, changed: ChangedTexts | undefined): ReplacedLanguage[] {
  if (changed === undefined || changed.gone.size === 0) return [];
  const tags = new Set([...changed.gone].flatMap(tagsIn));
  const moves = entries
    .filter(({ address, localized = [] }) => localized.length > 0 && changed.made.has(address))
    .flatMap((entry) => [...tags].flatMap((was) => movesOf(entry, was, changed.gone)));
  return [...Map.groupBy(moves, ({ was, now }) => JSON.stringify([was, now])).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || entries.some((entry) => isIn(entry, first.was, first.entry))) return [];
    const { was, now, entry } = first;
    const keys = entry.one ? keysIn(entry.one.row.fields) : [];
    const cell = keys.find(({ file, start, end }) => unquoted(file.text.slice(start, end)) === now);
    return [{ was, now, place: cell ?? entry.place, path: entry.address, pages: all.map(({ page }) => page) }];
  });
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z]{2,4})?$/i;

/** Returns the parts of a name that may be languages: `de`, `pt_BR`, and `de-AT` of two parts. */
function tagsIn(name: string): string[] {
  const parts = name.split(/[ -]/);
  const pairs = parts.slice(1).map((part, index) => `${parts[index] ?? ""}-${part}`);
  return [...parts, ...pairs].filter((part) => LANGUAGE.test(part));
}

interface Move {
  readonly was: string;
  readonly now: string;
  readonly page: string;
  readonly entry: Entry;
}

function movesOf(entry: Entry, was: string, gone: ChangedTexts["gone"]): Move[] {
  return (entry.localized ?? []).flatMap(({ locale: now }) => {
    const names = placesOf(now, entry.key).map((at) => entry.key.slice(0, at) + was + entry.key.slice(at + now.length));
    const page = names.find((name) => gone.has(`${entry.definition.type} ${name}`));
    return page === undefined ? [] : [{ was, now, page, entry }];
  });
}

/** Returns the places of a language among the parts of a name. */
function placesOf(locale: string, name: string): number[] {
  const isPart = (at: number): boolean => `-${name}-`.startsWith(`-${locale}-`, at);
  return Array.from(name.split(""), (_, at) => at).filter(isPart);
}

function isIn({ one, definition, key }: Entry, locale: string, other: Entry): boolean {
  return one?.of === other.one?.of && definition === other.definition && placesOf(locale, key).length > 0;
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, "$2");
}

/** Returns the empty cell or unit where a translation stood. Undefined if its file has no place for it. */
export function emptyPlaceOf({ data }: Manifest, { home, key }: Translation): Place | undefined {
  const file = data.find(({ path }) => path === home.path);
  if (file === undefined) return undefined;
  if (isXliff(file.path)) {
    const unit = readXliff(file, new Diagnostics())?.units.find(({ id }) => id === key);
    return (unit?.target ?? unit?.source)?.whole;
  }
  if (!/\.[ct]sv$/i.test(file.path)) return undefined;
  const { header = [], rows = [] } = scanCsv(file, new Diagnostics()) ?? {};
  const [keys, values] = [home.columns.key, home.columns.value].map((name) =>
    header.findIndex(({ value }) => value === name),
  );
  return rows.find((row) => row[keys ?? -1]?.value === key)?.[values ?? -1]?.place;
}
